package io.siltstone.mutation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A range of rows of a partition: those whose first clustering columns have given values, and whose
 * next clustering column lies between two bounds.
 *
 * <p>Bounds are in the order of the column's values, whether rows are stored ascending or
 * descending: {@code RowRange.of("2024").from(3).below(7)} is {@code c0 = '2024' AND c1 >= 3 AND c1
 * < 7}. A range whose bounds leave nothing between them has no rows.
 *
 * <p>Immutable; safe for all threads as long as nobody changes the values given.
 */
public final class RowRange {
  private static final RowRange ALL = new RowRange(List.of(), null, false, null, false);

  private final List<Object> prefix;
  private final @Nullable Object lower;
  private final boolean lowerIncluded;
  private final @Nullable Object upper;
  private final boolean upperIncluded;

  private RowRange(
      List<Object> prefix,
      @Nullable Object lower,
      boolean lowerIncluded,
      @Nullable Object upper,
      boolean upperIncluded) {
    this.prefix = prefix;
    this.lower = lower;
    this.lowerIncluded = lowerIncluded;
    this.upper = upper;
    this.upperIncluded = upperIncluded;
  }

  /** All rows of the partition; its static columns are no row. */
  public static RowRange all() {
    return ALL;
  }

  /**
   * Rows that begin with these values.
   *
   * @param prefix of the first clustering columns, in their order; none is {@link #all}
   * @throws IllegalArgumentException if one is null
   */
  public static RowRange of(Object... prefix) {
    for (Object value : prefix) {
      if (value == null) {
        throw new IllegalArgumentException(
            "a null among the values of a range: " + Arrays.toString(prefix) + ", allowed none");
      }
    }
    List<Object> values = Collections.unmodifiableList(new ArrayList<>(Arrays.asList(prefix)));
    return new RowRange(values, null, false, null, false);
  }

  /** Those of them whose next clustering column is {@code value} or greater. */
  public RowRange from(Object value) {
    return new RowRange(prefix, bound(lower, value), true, upper, upperIncluded);
  }

  /** Those of them whose next clustering column is greater than {@code value}. */
  public RowRange above(Object value) {
    return new RowRange(prefix, bound(lower, value), false, upper, upperIncluded);
  }

  /** Those of them whose next clustering column is {@code value} or less. */
  public RowRange to(Object value) {
    return new RowRange(prefix, lower, lowerIncluded, bound(upper, value), true);
  }

  /** Those of them whose next clustering column is less than {@code value}. */
  public RowRange below(Object value) {
    return new RowRange(prefix, lower, lowerIncluded, bound(upper, value), false);
  }

  private Object bound(@Nullable Object present, Object value) {
    if (present != null) {
      throw new IllegalStateException("two bounds on the same side of " + this + ", allowed one");
    }
    return Objects.requireNonNull(value, "bound of a range");
  }

  /** Values of the first clustering columns; unmodifiable. */
  List<Object> prefix() {
    return prefix;
  }

  /** Least value of the next clustering column, null without. */
  @Nullable Object lower() {
    return lower;
  }

  /** Whether rows of the least value are in the range. */
  boolean lowerIncluded() {
    return lowerIncluded;
  }

  /** Greatest value of the next clustering column, null without. */
  @Nullable Object upper() {
    return upper;
  }

  /** Whether rows of the greatest value are in the range. */
  boolean upperIncluded() {
    return upperIncluded;
  }

  /** As calls that make it. */
  @Override
  public String toString() {
    StringJoiner values = new StringJoiner(", ", "RowRange.of(", ")");
    prefix.forEach(value -> values.add(String.valueOf(value)));
    StringBuilder text = new StringBuilder(values.toString());
    if (lower != null) {
      text.append(lowerIncluded ? ".from(" : ".above(").append(lower).append(')');
    }
    if (upper != null) {
      text.append(upperIncluded ? ".to(" : ".below(").append(upper).append(')');
    }
    return text.toString();
  }
}
