package io.siltstone.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of the rows of a partition, by the values of their clustering columns: all rows that
 * begin with a prefix, or those of them that lie between two bounds.
 *
 * <pre>
 *   ClusteringRange.of("a", 1)                      // c1 = 'a' AND c2 = 1
 *   ClusteringRange.of("a").from(1).before(5)       // c1 = 'a' AND c2 &gt;= 1 AND c2 &lt; 5
 *   ClusteringRange.all().after("a", 1)             // (c1, c2) &gt; ('a', 1)
 * </pre>
 *
 * As in CQL, bounds refer to the order of the values, not to the clustering order of the table:
 * {@code from(1)} means at least 1 even if the column is descending. A bound of several columns
 * compares the first column; if that is equal, the second; and so on. A bound of fewer columns than
 * the table has includes or excludes all rows that begin with its values.
 *
 * <p>Values are objects of the classes that {@code io.siltstone.type} lists, and never null. They
 * are checked when the query is built. Immutable, safe for use by any number of threads.
 */
public final class ClusteringRange {
  private static final ClusteringRange ALL =
      new ClusteringRange(List.of(), new Bound(List.of(), true), new Bound(List.of(), true));

  private final List<Object> prefix;
  private final Bound lower;
  private final Bound upper;

  /** Values after the prefix; none for no bound. */
  record Bound(List<Object> values, boolean inclusive) {
    private String text(String operator, int from) {
      return " c" + from + ".. " + operator + (inclusive ? "=" : "") + " " + values;
    }
  }

  private ClusteringRange(List<Object> prefix, Bound lower, Bound upper) {
    this.prefix = prefix;
    this.lower = lower;
    this.upper = upper;
  }

  /** Returns all rows. */
  public static ClusteringRange all() {
    return ALL;
  }

  /**
   * Returns the rows that begin with these values; a single row if there is a value for each
   * clustering column.
   */
  public static ClusteringRange of(Object... values) {
    return new ClusteringRange(copy("a prefix", values), ALL.lower, ALL.upper);
  }

  /** Returns the rows of this range that are greater than or equal to these values. */
  public ClusteringRange from(Object... values) {
    return withLower(new Bound(bound(values), true));
  }

  /** Returns the rows of this range that are greater than these values. */
  public ClusteringRange after(Object... values) {
    return withLower(new Bound(bound(values), false));
  }

  /** Returns the rows of this range that are less than or equal to these values. */
  public ClusteringRange to(Object... values) {
    return withUpper(new Bound(bound(values), true));
  }

  /** Returns the rows of this range that are less than these values. */
  public ClusteringRange before(Object... values) {
    return withUpper(new Bound(bound(values), false));
  }

  private ClusteringRange withLower(Bound bound) {
    if (!lower.values.isEmpty()) {
      throw new IllegalStateException("the range has a lower bound already: " + this);
    }
    return new ClusteringRange(prefix, bound, upper);
  }

  private ClusteringRange withUpper(Bound bound) {
    if (!upper.values.isEmpty()) {
      throw new IllegalStateException("the range has an upper bound already: " + this);
    }
    return new ClusteringRange(prefix, lower, bound);
  }

  private static List<Object> bound(Object[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a bound of no values, allowed 1 or more");
    }
    return copy("a bound", values);
  }

  private static List<Object> copy(String what, @Nullable Object[] values) {
    List<Object> copy = new ArrayList<>();
    for (Object value : values) {
      if (value == null) {
        throw new IllegalArgumentException(
            what + " with a null: " + Arrays.toString(values) + "; clusterings have none");
      }
      copy.add(value);
    }
    return List.copyOf(copy);
  }

  List<Object> prefix() {
    return prefix;
  }

  Bound lower() {
    return lower;
  }

  Bound upper() {
    return upper;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusteringRange that
        && prefix.equals(that.prefix)
        && lower.equals(that.lower)
        && upper.equals(that.upper);
  }

  @Override
  public int hashCode() {
    return Objects.hash(prefix, lower, upper);
  }

  /** Prefix and bounds, for messages. */
  @Override
  public String toString() {
    int next = prefix.size();
    return "rows of "
        + prefix
        + (lower.values.isEmpty() ? "" : lower.text(">", next))
        + (upper.values.isEmpty() ? "" : upper.text("<", next));
  }
}
