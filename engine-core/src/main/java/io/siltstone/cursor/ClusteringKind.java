package io.siltstone.cursor;

/**
 * The kind of a clustering prefix: the clustering of a row, a bound of a range, or the boundary of
 * two adjacent ranges. Files contain the code of the kind.
 *
 * <p>Source: Cassandra {@code ClusteringPrefix.Kind}.
 */
public enum ClusteringKind {
  /** End of a range, without its values. */
  EXCL_END_BOUND(0, 0, -1),
  /** Start of a range, with its values. */
  INCL_START_BOUND(1, 0, -1),
  /** A range ends before these values, another begins with them. */
  EXCL_END_INCL_START_BOUNDARY(2, 0, -1),
  /** The static row; has no values. */
  STATIC_CLUSTERING(3, 1, -1),
  /** A row. */
  CLUSTERING(4, 2, 0),
  /** A range ends with these values, another begins after them. */
  INCL_END_EXCL_START_BOUNDARY(5, 3, 1),
  /** End of a range, with its values. */
  INCL_END_BOUND(6, 3, 1),
  /** Start of a range, without its values. */
  EXCL_START_BOUND(7, 3, 1);

  private static final ClusteringKind[] VALUES = values();

  private final byte code;
  private final int order;
  private final int comparedToClustering;

  ClusteringKind(int code, int order, int comparedToClustering) {
    this.code = (byte) code;
    this.order = order;
    this.comparedToClustering = comparedToClustering;
  }

  /** Returns the order among prefixes of equal values: before the row, the row, after it. */
  int order() {
    return order;
  }

  /**
   * Returns -1 if the prefix lies before all rows that begin with its values, 1 if it lies after
   * them, 0 for a row.
   */
  public int comparedToClustering() {
    return comparedToClustering;
  }

  /** Returns the code that files contain. */
  public byte code() {
    return code;
  }

  /** Returns whether a number is the code of a kind. */
  public static boolean isCode(int code) {
    return code >= 0 && code < VALUES.length;
  }

  /** Returns the kind with a code. */
  public static ClusteringKind ofCode(int code) {
    return VALUES[code];
  }

  /** Returns the kind of a start bound at the place of this bound or boundary. */
  public ClusteringKind startBound() {
    return comparedToClustering < 0 ? INCL_START_BOUND : EXCL_START_BOUND;
  }

  /** Returns the kind of an end bound at the place of this bound or boundary. */
  public ClusteringKind endBound() {
    return comparedToClustering < 0 ? EXCL_END_BOUND : INCL_END_BOUND;
  }

  /** Returns the kind of a boundary at the place of this bound or boundary. */
  public ClusteringKind boundary() {
    return comparedToClustering < 0 ? EXCL_END_INCL_START_BOUNDARY : INCL_END_EXCL_START_BOUNDARY;
  }

  /** Returns whether one range ends here and another begins. */
  public boolean isBoundary() {
    return this == EXCL_END_INCL_START_BOUNDARY || this == INCL_END_EXCL_START_BOUNDARY;
  }

  /** Returns whether a range begins here, going forward: a start bound or a boundary. */
  public boolean opens() {
    return this == INCL_START_BOUND || this == EXCL_START_BOUND || isBoundary();
  }

  /** Returns whether a range ends here, going forward: an end bound or a boundary. */
  public boolean closes() {
    return this == INCL_END_BOUND || this == EXCL_END_BOUND || isBoundary();
  }

  /** Returns whether this is a bound or boundary of ranges rather than a row. */
  public boolean isMarker() {
    return opens() || closes();
  }
}
