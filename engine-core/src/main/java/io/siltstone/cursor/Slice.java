package io.siltstone.cursor;

import java.util.List;

/**
 * A range of clusterings within a partition.
 *
 * @param start a bound of a kind that opens a range; rows before it are not in the slice
 * @param end a bound of a kind that closes a range; rows after it are not in the slice
 */
public record Slice(Clustering start, Clustering end) {

  /** Checks the kinds. */
  public Slice {
    if (!start.kind().opens() || start.kind().isBoundary()) {
      throw new IllegalArgumentException("a slice cannot start with a " + start.kind());
    }
    if (!end.kind().closes() || end.kind().isBoundary()) {
      throw new IllegalArgumentException("a slice cannot end with a " + end.kind());
    }
  }

  /** Returns all rows of a partition. */
  public static Slice all(RowEncoding encoding) {
    return new Slice(
        Clustering.of(ClusteringKind.INCL_START_BOUND, encoding, List.of()),
        Clustering.of(ClusteringKind.INCL_END_BOUND, encoding, List.of()));
  }

  /** Returns the one row of that clustering. */
  public static Slice of(Clustering row) {
    Clustering start = new Clustering();
    start.copyFrom(row, ClusteringKind.INCL_START_BOUND);
    Clustering end = new Clustering();
    end.copyFrom(row, ClusteringKind.INCL_END_BOUND);
    return new Slice(start, end);
  }
}
