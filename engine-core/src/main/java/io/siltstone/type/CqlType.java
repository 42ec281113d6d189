package io.siltstone.type;

/**
 * A CQL type: how its values are written, ordered and shown.
 *
 * <p>Values are byte arrays in Cassandra's serialized form, given as a range of an array so that
 * nothing has to be copied. An empty range is a value of its own for most types ("empty", neither
 * null nor a default).
 *
 * <p>Immutable, safe for all threads. Equality is by {@link #className()}. Source of forms and
 * orders: Cassandra's {@code org.apache.cassandra.db.marshal}.
 */
public abstract class CqlType {

  /** {@link #fixedLength()} of types whose values carry their length. */
  public static final int VARIABLE_LENGTH = -1;

  /** Types are made by this package only. */
  CqlType() {}

  /** As CQL writes it, e.g. {@code frozen<map<text, int>>}. */
  public abstract String cqlName();

  /**
   * As Cassandra's files write it, e.g. {@code org.apache.cassandra.db.marshal.Int32Type},
   * parameters in parentheses.
   */
  public abstract String className();

  /**
   * Bytes of every non-empty value, or {@link #VARIABLE_LENGTH}: decides whether a cell carries its
   * length.
   */
  public int fixedLength() {
    return VARIABLE_LENGTH;
  }

  /**
   * Whether a column of this type is complex: one cell per element (a collection or user type that
   * is not frozen).
   */
  public boolean isMultiCell() {
    return false;
  }

  /** This type with multi-cell parts replaced by single values, all the way down. */
  public CqlType frozen() {
    return this;
  }

  /** Whether this is a counter. */
  public boolean isCounter() {
    return false;
  }

  /**
   * Whether values are ordered against the type's own order (a clustering column with {@code
   * DESC}).
   */
  public boolean isReversed() {
    return false;
  }

  /**
   * For a multi-cell type, the type of a cell's path (list: timeuuid; set: element; map: key; user
   * type: the field's index as smallint).
   *
   * @throws UnsupportedOperationException if this is not multi-cell
   */
  public CqlType pathType() {
    throw new UnsupportedOperationException(cqlName() + " has no cell paths");
  }

  /**
   * For a multi-cell type, the type of the value of the cell with the given path (set: empty).
   *
   * @throws UnsupportedOperationException if this is not multi-cell
   */
  public CqlType cellType(byte[] path, int offset, int length) {
    throw new UnsupportedOperationException(cqlName() + " has no cell paths");
  }

  /**
   * Compares two values in this type's order, as Cassandra does; never decodes into objects on
   * common types.
   */
  public abstract int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength);

  /**
   * Checks that the bytes are a value of this type.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public abstract void validate(byte[] value, int offset, int length);

  /**
   * The value as a Java object (see the table in {@code package-info}); null for an empty range of
   * a type where empty has no meaning of its own.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract @org.jspecify.annotations.Nullable Object decode(
      byte[] value, int offset, int length);

  /**
   * The bytes of a Java object.
   *
   * @throws IllegalArgumentException if the object's class or range does not fit, naming both
   */
  public abstract byte[] encode(Object value);

  /** As Cassandra's {@code AbstractType.getString}: what its tools print for keys. */
  public abstract String format(byte[] value, int offset, int length);

  /**
   * The inverse of {@link #format}, as Cassandra's {@code AbstractType.fromString}.
   *
   * @throws IllegalArgumentException if the text is no value of this type
   */
  public abstract byte[] parse(String text);

  /** As Cassandra's {@code AbstractType.toJSONString}: a JSON value, strings quoted. */
  public abstract String toJson(byte[] value, int offset, int length);

  /**
   * As a CQL literal that reads back to the same value, e.g. {@code 'it''s'}, {@code 0xff}, {@code
   * {1: 'a'}}.
   */
  public abstract String toCqlLiteral(byte[] value, int offset, int length);

  @Override
  public final boolean equals(@org.jspecify.annotations.Nullable Object other) {
    return other instanceof CqlType type && className().equals(type.className());
  }

  @Override
  public final int hashCode() {
    return className().hashCode();
  }

  /** {@link #cqlName()}. */
  @Override
  public final String toString() {
    return cqlName();
  }
}
