package io.siltstone.mutation;

import io.siltstone.bytes.BigEndian;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import io.siltstone.text.PrintableText;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a row that must hold for a conditional write to take place, like CQL's {@code IF}.
 *
 * <p>Null means a column without a value. A non-frozen collection without elements is such a
 * column, but an empty value, which most types allow, is a value. A row that does not exist has no
 * values at all. A column without a value meets only the conditions {@link #equal} to null, {@link
 * #notEqual} to a value, and {@link #in} with null among the values. Values are compared in the
 * order of the column's type. A stored value that is none of the column's type is corrupt, and is
 * not compared with a value: see {@link #bind}. Source: Cassandra {@code ColumnCondition}.
 *
 * <p>Immutable; safe for use by any number of threads unless a given value is changed.
 */
public final class Condition {
  private enum Operator {
    EXISTS,
    NOT_EXISTS,
    EQUAL,
    NOT_EQUAL,
    LESS,
    AT_MOST,
    GREATER,
    AT_LEAST;

    boolean isOrder() {
      return compareTo(LESS) >= 0;
    }

    boolean accepts(int comparison) {
      return switch (this) {
        case EQUAL -> comparison == 0;
        case NOT_EQUAL -> comparison != 0;
        case LESS -> comparison < 0;
        case AT_MOST -> comparison <= 0;
        case GREATER -> comparison > 0;
        case AT_LEAST -> comparison >= 0;
        case EXISTS, NOT_EXISTS -> throw new AssertionError(this + " compares nothing");
      };
    }
  }

  private static final Condition EXISTS = new Condition(Operator.EXISTS, "", List.of());
  private static final Condition NOT_EXISTS = new Condition(Operator.NOT_EXISTS, "", List.of());

  private final Operator operator;
  private final String column;
  private final List<@Nullable Object> values;

  private Condition(Operator operator, String column, List<? extends @Nullable Object> values) {
    this.operator = operator;
    this.column = column;
    this.values = new ArrayList<>(values);
  }

  private Condition(Operator operator, String column, @Nullable Object value) {
    this(operator, column, Arrays.asList(value));
  }

  /**
   * Returns the condition that the row exists: it was inserted, or one of its regular columns has a
   * value.
   */
  public static Condition exists() {
    return EXISTS;
  }

  /** Returns the condition that the row does not exist. */
  public static Condition notExists() {
    return NOT_EXISTS;
  }

  /** Returns the condition that the column has this value; if it is null, the column has none. */
  public static Condition equal(String column, @Nullable Object value) {
    return new Condition(Operator.EQUAL, column, value);
  }

  /**
   * Returns the condition that the column does not have this value; if it is null, the column has a
   * value.
   */
  public static Condition notEqual(String column, @Nullable Object value) {
    return new Condition(Operator.NOT_EQUAL, column, value);
  }

  /** Returns the condition that the column has a value that is less than this one. */
  public static Condition less(String column, Object value) {
    return new Condition(Operator.LESS, column, value);
  }

  /** Returns the condition that the column has a value that is less than or equal to this one. */
  public static Condition atMost(String column, Object value) {
    return new Condition(Operator.AT_MOST, column, value);
  }

  /** Returns the condition that the column has a value that is greater than this one. */
  public static Condition greater(String column, Object value) {
    return new Condition(Operator.GREATER, column, value);
  }

  /**
   * Returns the condition that the column has a value that is greater than or equal to this one.
   */
  public static Condition atLeast(String column, Object value) {
    return new Condition(Operator.AT_LEAST, column, value);
  }

  /**
   * Returns the condition that the column has one of these values; null among them means that it
   * has none.
   */
  public static Condition in(String column, Collection<? extends @Nullable Object> values) {
    return new Condition(Operator.EQUAL, column, new ArrayList<>(values));
  }

  /** Returns whether the condition is on a static column, so that it does not need a row. */
  public boolean isOnStatic(TableSchema schema) {
    return schema.column(column).filter(named -> named.kind() == ColumnKind.STATIC).isPresent();
  }

  /**
   * Returns whether the condition is {@link #exists} or {@link #notExists}, and names no column.
   */
  public boolean isOnExistence() {
    return operator == Operator.EXISTS || operator == Operator.NOT_EXISTS;
  }

  /**
   * Checks the condition against a table's definition, and returns it as a predicate on rows. A row
   * is a function from the name of a static or regular column to its serialized value, or to null
   * if it has none, as {@link io.siltstone.rows.Row#getSerialized} is; null stands for a row that
   * does not exist. The predicate is safe for use by all threads. It throws an {@link
   * IllegalArgumentException} that names the column, as {@link io.siltstone.rows.Row#get(String)}
   * does, if a stored value that it has to compare is not one of the column's type.
   *
   * @throws IllegalArgumentException if the table has no such column, if the column belongs to the
   *     primary key or is a counter, if a value does not fit its type, or if the type has no order
   *     but the condition needs one
   */
  public Predicate<@Nullable Function<String, @Nullable ByteBuffer>> bind(TableSchema schema) {
    if (isOnExistence()) {
      boolean wanted = operator == Operator.EXISTS;
      return row -> (row != null) == wanted;
    }
    ValueEncoder encoder = new ValueEncoder(schema);
    Column bound = schema.column(column).orElse(null);
    if (bound == null) {
      throw new IllegalArgumentException(
          PrintableText.of(
              encoder.tableName() + " has no column '" + column + "', which a condition names"));
    }
    if (bound.isPrimaryKey() || bound.type().isCounter()) {
      throw new IllegalArgumentException(
          encoder.describe(bound)
              + (bound.isPrimaryKey() ? " belongs to the primary key" : " is a counter")
              + ", of which there are no conditions");
    }
    if (operator.isOrder() && hasDuration(bound.type())) {
      throw new IllegalArgumentException(
          encoder.describe(bound) + ": durations have no order, so that none is less or greater");
    }
    List<byte @Nullable []> wanted = new ArrayList<>();
    for (Object value : values) {
      wanted.add(wanted(encoder, bound, value));
    }
    String description = encoder.describe(bound);
    return row -> holds(bound, description, wanted, row == null ? null : row.apply(column));
  }

  private byte @Nullable [] wanted(ValueEncoder encoder, Column bound, @Nullable Object value) {
    byte[] bytes = value == null ? null : encoder.encode(bound, value);
    boolean none = bytes == null || isNone(bound.type(), bytes);
    if (none && operator.isOrder()) {
      throw new IllegalArgumentException(
          encoder.describe(bound)
              + ": nothing is less or greater than "
              + (bytes == null ? "null" : "an empty collection"));
    }
    return none ? null : bytes;
  }

  private boolean holds(
      Column bound,
      String description,
      List<byte @Nullable []> wanted,
      @Nullable ByteBuffer present) {
    byte[] bytes = null;
    if (present != null) {
      bytes = new byte[present.remaining()];
      present.duplicate().get(bytes);
    }
    boolean none = bytes == null || isNone(bound.type(), bytes);
    for (byte[] value : wanted) {
      if (value == null || bytes == null || none) {
        boolean same = value == null && none;
        if (same ? operator == Operator.EQUAL : operator == Operator.NOT_EQUAL) {
          return true;
        }
      } else if (operator.accepts(compare(bound.valueType(), description, bytes, value))) {
        return true;
      }
    }
    return false;
  }

  private static int compare(CqlType type, String description, byte[] present, byte[] wanted) {
    try {
      // A comparison assumes the length of the type.
      type.validate(present, 0, present.length);
      return type.compare(present, 0, present.length, wanted, 0, wanted.length);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the stored value of " + description + " is corrupt: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether a column with this value counts as one without: cells of a collection are its
   * elements.
   */
  private static boolean isNone(CqlType type, byte[] bytes) {
    return type.isMultiCell()
        && type.kind() != TypeKind.USER
        && bytes.length >= Integer.BYTES
        && BigEndian.getInt(bytes, 0) == 0;
  }

  private static boolean hasDuration(CqlType type) {
    return type.equals(CqlTypes.DURATION)
        || type.elementTypes().stream().anyMatch(Condition::hasDuration);
  }

  /** Returns column, operator and values, for messages. */
  @Override
  public String toString() {
    String name = operator.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return column.isEmpty() ? name : column + ' ' + name + ' ' + values;
  }
}
