package io.siltstone.spark.read;

import io.siltstone.rows.ClusteringRange;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of the rows of each partition, by values of clustering columns. It is sent to executors.
 *
 * @param prefix values of the first columns
 * @param lower the bound of the next column, null for none
 * @param isFrom whether the lower bound is included
 * @param upper the bound of the same column, null for none
 * @param isTo whether the upper bound is included
 */
record RowRange(
    List<Object> prefix,
    @Nullable Object lower,
    boolean isFrom,
    @Nullable Object upper,
    boolean isTo)
    implements Serializable {
  /** All rows. */
  static final RowRange ALL = new RowRange(List.of(), null, true, null, true);

  /** Returns the range with one more value of its prefix. */
  RowRange with(Object value) {
    List<Object> longer = new ArrayList<>(prefix);
    longer.add(value);
    return new RowRange(List.copyOf(longer), lower, isFrom, upper, isTo);
  }

  /** Returns whether it has all rows. */
  boolean isAll() {
    return prefix.isEmpty() && lower == null && upper == null;
  }

  /** Returns the range as the engine has it. */
  ClusteringRange range() {
    ClusteringRange range = ClusteringRange.of(prefix.toArray());
    if (lower != null) {
      range = isFrom ? range.from(lower) : range.after(lower);
    }
    if (upper != null) {
      range = isTo ? range.to(upper) : range.before(upper);
    }
    return range;
  }
}
