package io.siltstone.type;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CQL type: encodes, compares, decodes and formats its values.
 *
 * <p>Values are byte arrays in Cassandra's serialized form, given as a range of an array so that
 * nothing has to be copied. An empty range is a value of its own for most types ("empty", neither
 * null nor a default).
 *
 * <p>Immutable, safe for all threads. Equality is by {@link #className()}. Source of forms and
 * orders: Cassandra's {@code org.apache.cassandra.db.marshal}.
 */
public abstract class CqlType {

  /** Maximum depth of nested types, so that no value or name exhausts the stack. */
  public static final int MAX_DEPTH = 100;

  /** {@link #fixedLength()} of types whose values carry their length. */
  public static final int VARIABLE_LENGTH = -1;

  /** Only this package creates types. */
  CqlType() {}

  /** Returns the name in CQL, e.g. {@code frozen<map<text, int>>}. */
  public abstract String cqlName();

  /**
   * Returns the class name in Cassandra's files, e.g. {@code
   * org.apache.cassandra.db.marshal.Int32Type}, parameters in parentheses.
   */
  public abstract String className();

  /**
   * Returns the number of bytes of every non-empty value, or {@link #VARIABLE_LENGTH}: decides
   * whether a cell carries its length.
   */
  public int fixedLength() {
    return VARIABLE_LENGTH;
  }

  /** Returns the kind of the type, which determines {@link #elementTypes()}. */
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

  /** Returns this type with all multi-cell parts replaced by frozen ones, at any depth. */
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
   * Returns the type of a cell's path in a multi-cell type (list: timeuuid; set: element; map: key;
   * user type: the field's index as smallint).
   *
   * @throws UnsupportedOperationException if this is not multi-cell
   */
  public CqlType pathType() {
    throw new UnsupportedOperationException(cqlName() + " has no cell paths");
  }

  /**
   * Returns the type of the value of the cell with the given path in a multi-cell type (set:
   * empty).
   *
   * @throws UnsupportedOperationException if this is not multi-cell
   */
  public CqlType cellType(byte[] path, int offset, int length) {
    throw new UnsupportedOperationException(cqlName() + " has no cell paths");
  }

  /**
   * Returns whether cells of a column of the other type can be read as if they were of this one:
   * they have the same form, and their values are values of this type. This is required of a column
   * that was dropped and is added again. Source: Cassandra {@code
   * AbstractType.isSerializationCompatibleWith}.
   */
  public final boolean canReadCellsOf(CqlType before) {
    return Compatibility.ofCells(this, before);
  }

  /**
   * Returns whether the other type may have been altered to this one: they are equal except for the
   * names of user types, of their keyspaces and fields, and for additional fields at the end.
   * Values of the other are values of this one, in the same order. Source: Cassandra {@code
   * AlterTypeStatement}.
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
   * Compares two values in this type's order, as Cassandra does. Allocates nothing, except for
   * {@code decimal}. Where Cassandra fails on invalid bytes, the order is some total one.
   *
   * @throws IllegalArgumentException if the bytes are so corrupt that they cannot be ordered
   */
  public abstract int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength);

  /**
   * Returns whether {@link #compare} may throw for some bytes of the {@link #fixedLength()}, if
   * there is one. It may for types with parameters, whose values contain lengths, and for {@code
   * decimal}.
   */
  public boolean mayRefuseToCompare() {
    return kind() != TypeKind.SCALAR;
  }

  /**
   * Checks that the bytes are a value of this type.
   *
   * @throws IllegalArgumentException if they are not; the message has the reason
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
   * As {@link #encode}, but also accepts the serialized value in a {@link ByteBuffer}, from its
   * position to its limit, which do not change; the bytes are validated. Elements of a set and
   * entries of a map may come in any order, those within lists, sets and maps too, but not those
   * within tuples, user types and vectors, as in Cassandra.
   *
   * @throws IllegalArgumentException as {@link #encode}, or if the bytes are no value of this type,
   *     or have no place in its order
   */
  public final byte[] encodeOrCopy(Object value) {
    if (!(value instanceof ByteBuffer serialized)) {
      return encode(value);
    }
    byte[] bytes = new byte[serialized.remaining()];
    serialized.duplicate().get(bytes);
    validate(bytes, 0, bytes.length);
    if (mayRefuseToCompare()) {
      // Otherwise a table with the value as a key could not order it.
      compare(bytes, 0, bytes.length, bytes, 0, bytes.length);
    }
    return inOrder(bytes);
  }

  /**
   * Returns a valid value with its elements sorted and without duplicates, at any depth, where the
   * type has an order for them.
   */
  byte[] inOrder(byte[] value) {
    return value;
  }

  /**
   * Formats a value as Cassandra's {@code AbstractType.getString}, as its tools print keys.
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
   * Formats a value as Cassandra's {@code AbstractType.toJSONString}: a JSON value, strings quoted.
   *
   * @throws IllegalArgumentException if the bytes are no value of this type
   */
  public abstract String toJson(byte[] value, int offset, int length);

  /**
   * Formats a value as a CQL literal that {@link #encodeLiteral} and CQL read back to the same
   * value, e.g. {@code 'it''s'}, {@code 0xff}, {@code {1: 'a'}}. CQL has no literal for the empty
   * value of types other than text, ascii and blob: it is {@code null} here, as in Cassandra.
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

  /** Returns the number of nested levels, 1 for a scalar. */
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
