package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.util.Comparator;
import java.util.List;

/**
 * The order of clustering prefixes within a partition.
 *
 * <p>Values are compared column by column, nulls first; a bound that has fewer values lies before
 * or after all rows that begin with them, and among prefixes of equal values the kind decides.
 * Immutable, safe for all threads, allocates nothing. Source: Cassandra {@code
 * ClusteringComparator}.
 */
public final class ClusteringComparator implements Comparator<Clustering> {
  private final CqlType[] types;
  private final boolean mayRefuse;

  /**
   * Creates a comparator for clustering columns of the given types; descending columns have
   * reversed types.
   */
  public ClusteringComparator(List<CqlType> types) {
    this.types = types.toArray(CqlType[]::new);
    this.mayRefuse = types.stream().anyMatch(CqlType::mayRefuseToCompare);
  }

  /**
   * Checks that values from a file can be compared. It costs nothing unless a type cannot compare
   * all bytes.
   *
   * @throws IllegalArgumentException if they cannot
   */
  public void check(Clustering clustering) {
    if (mayRefuse) {
      compare(clustering, clustering);
    }
  }

  @Override
  public int compare(Clustering left, Clustering right) {
    int common = Math.min(left.size(), right.size());
    for (int i = 0; i < common; i++) {
      int order = compareValue(i, left, right);
      if (order != 0) {
        return order;
      }
    }
    if (left.size() == right.size()) {
      return Integer.compare(left.kind().order(), right.kind().order());
    }
    return left.size() < right.size()
        ? left.kind().comparedToClustering()
        : -right.kind().comparedToClustering();
  }

  /**
   * Returns whether a bound has the values of a row, all of them, and a range with that bound has
   * the row.
   */
  public boolean isOfRow(Clustering bound, Clustering row) {
    boolean isInclusive =
        bound.kind() == ClusteringKind.INCL_START_BOUND
            || bound.kind() == ClusteringKind.INCL_END_BOUND;
    if (!isInclusive || bound.size() != row.size()) {
      return false;
    }
    for (int i = 0; i < bound.size(); i++) {
      if (compareValue(i, bound, row) != 0) {
        return false;
      }
    }
    return true;
  }

  private int compareValue(int index, Clustering left, Clustering right) {
    int leftLength = left.valueLength(index);
    int rightLength = right.valueLength(index);
    if (leftLength == Clustering.NULL || rightLength == Clustering.NULL) {
      return Integer.compare(
          leftLength == Clustering.NULL ? 0 : 1, rightLength == Clustering.NULL ? 0 : 1);
    }
    return types[index].compare(
        left.bytes(),
        left.valueOffset(index),
        leftLength,
        right.bytes(),
        right.valueOffset(index),
        rightLength);
  }
}
