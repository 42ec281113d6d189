package io.siltstone.type;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Types nested deeper than this are refused, so that no value or name exhausts the stack. */
  public static final int MAX_DEPTH = 100;

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
   * Returns the number of bytes of every non-empty value, or {@link #VARIABLE_LENGTH}: decides
   * whether a cell carries its length.
   */
  public int fixedLength() {
    return VARIABLE_LENGTH;
  }

  /** Returns what this is made of: decides what {@link #elementTypes()} holds. */
  public TypeKind kind() {
    return TypeKind.SCALAR;
  }

  /**
   * Returns the types of the parts, in order: of a list, set or vector one, of a map the key's and
   * the value's, of a tuple, user type or composite one per field, of a reversed type the type that
   * is reversed, of a scalar none. Unmodifiable.
   */
  public List<CqlType> elementTypes() {
    return List.of();
  }

  /**
   * Returns whether a column of this type is complex: one cell per element (a collection or user
   * type that is not frozen).
   */
  public boolean isMultiCell() {
    return false;
  }

  /** This type with multi-cell parts replaced by single values, all the way down. */
  public CqlType frozen() {
    return this;
  }

  /** Returns whether this is a counter. */
  public boolean isCounter() {
    return false;
  }

  /**
   * Returns whether values are ordered against the type's own order (a clustering column with
   * {@code DESC}).
   */
  public boolean isReversed() {
    return false;
  }

  /**
   * Returns the type whose order {@link #isReversed() this} reverses; this itself if it is not
   * reversed.
   */
  public CqlType unreversed() {
    return this;
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
   * Returns whether cells of a column of the other type can be read as if they were of this one:
   * they are written alike, and their values are values of this type. So it is for a column that
   * was dropped and comes back. Source: Cassandra {@code
   * AbstractType.isSerializationCompatibleWith}.
   */
  public final boolean canReadCellsOf(CqlType before) {
    return Compatibility.ofCells(this, before);
  }

  /**
   * Returns whether this is what the other may have become: the same but for the names of user
   * types, of their keyspaces and fields, and for fields after those that they had. Values of the
   * other are values of this one, in the same order. Source: Cassandra {@code AlterTypeStatement}.
   */
  public final boolean hasGrownFrom(CqlType before) {
    return Compatibility.ofGrowth(this, before);
  }

  /**
   * Returns whether values of the other type are values of this one, in the same order. Source:
   * Cassandra {@code AbstractType.isCompatibleWith}.
   */
  public final boolean canOrderValuesOf(CqlType before) {
    return Compatibility.ofOrder(this, before);
  }

  /**
   * Compares two values in this type's order, as Cassandra does. Allocates nothing, but for {@code
   * decimal}. Where Cassandra fails on bytes that are no value, the order is any that is total.
   *
   * @throws IllegalArgumentException if the bytes are so broken that they cannot be ordered
   */
  public abstract int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength);

  /**
   * Returns whether {@link #compare} refuses some bytes of the {@link #fixedLength()}, if there is
   * one. So do types made of others, whose values have lengths within, and {@code decimal}.
   */
  public boolean mayRefuseToCompare() {
    return kind() != TypeKind.SCALAR;
  }

  /**
   * Checks that the bytes are a value of this type.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public abstract void validate(byte[] value, int offset, int length);

  /**
   * Returns the value as a Java object (see the table in {@code package-info}); null for an empty
   * range of a type where empty has no meaning of its own. Collections are unmodifiable.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract @Nullable Object decode(byte[] value, int offset, int length);

  /**
   * Returns the bytes of a Java object (see the table in {@code package-info}).
   *
   * @throws IllegalArgumentException if the object's class or range does not fit, naming both
   */
  public abstract byte[] encode(Object value);

  /**
   * As {@link #encode}, but a {@link ByteBuffer} has the bytes already, from its position to its
   * limit, which are checked; neither is moved. Elements of a set and entries of a map may come in
   * any order, those within lists, sets and maps too, but not those within tuples, user types and
   * vectors, as in Cassandra.
   *
   * @throws IllegalArgumentException likewise, or if the bytes are no value of this type, or have
   *     no place in its order
   */
  public final byte[] encodeOrCopy(Object value) {
    if (!(value instanceof ByteBuffer serialized)) {
      return encode(value);
    }
    byte[] bytes = new byte[serialized.remaining()];
    serialized.duplicate().get(bytes);
    validate(bytes, 0, bytes.length);
    if (mayRefuseToCompare()) {
      // Else a table that takes the value as a key could not put it anywhere.
      compare(bytes, 0, bytes.length, bytes, 0, bytes.length);
    }
    return inOrder(bytes);
  }

  /**
   * Returns a valid value with its elements, and those of its elements, in their order, each once,
   * where the type has one for them.
   */
  byte[] inOrder(byte[] value) {
    return value;
  }

  /**
   * As Cassandra's {@code AbstractType.getString}: what its tools print for keys.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract String format(byte[] value, int offset, int length);

  /**
   * Returns the inverse of {@link #format}, as Cassandra's {@code AbstractType.fromString}. As
   * there, the text of a tuple or composite is ambiguous if a part's text ends in a backslash.
   *
   * @throws IllegalArgumentException if the text is no value of this type
   */
  public abstract byte[] parse(String text);

  /**
   * As Cassandra's {@code AbstractType.toJSONString}: a JSON value, strings quoted.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract String toJson(byte[] value, int offset, int length);

  /**
   * As a CQL literal that {@link #encodeLiteral} and CQL read back to the same value, e.g. {@code
   * 'it''s'}, {@code 0xff}, {@code {1: 'a'}}. CQL has no literal for the empty value of types other
   * than text, ascii and blob: it is {@code null} here, as in Cassandra.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract String toCqlLiteral(byte[] value, int offset, int length);

  /**
   * Returns the bytes of a CQL literal of this type, e.g. {@code 'text'}, {@code [1, 2]}, {@code
   * {name: 'x'}}. No function calls, no bind markers, no user type as the literal of a tuple.
   *
   * @throws IllegalArgumentException if the text is no literal of this type, naming the position
   */
  public final byte[] encodeLiteral(String literal) {
    return LiteralReader.read(this, literal);
  }

  /**
   * {@link #className()} as a parameter of a type that is frozen already, within which nothing is
   * marked as frozen.
   */
  String classNameWithinFrozen() {
    return className();
  }

  /** Levels of types, 1 for a scalar. */
  int depth() {
    return 1;
  }

  /**
   * Depth of a type with such parameters.
   *
   * @throws IllegalArgumentException if it is beyond {@link #MAX_DEPTH}
   */
  static int depthOver(List<CqlType> parameters) {
    int depth = 1;
    for (CqlType parameter : parameters) {
      depth = Math.max(depth, parameter.depth() + 1);
    }
    if (depth > MAX_DEPTH) {
      throw new IllegalArgumentException("types nested " + depth + " deep, allowed " + MAX_DEPTH);
    }
    return depth;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
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
