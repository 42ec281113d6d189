package io.siltstone.explain;

/** The kinds of data in a partition. */
public enum Item {
  /** The deletion of the whole partition. */
  PARTITION_DELETION,
  /** The deletion of a range of rows. */
  RANGE_DELETION,
  /** The deletion of a row. */
  ROW_DELETION,
  /** The liveness of a row, which was inserted rather than only updated. */
  ROW_LIVENESS,
  /** The deletion of all older cells of a collection. */
  COLLECTION_DELETION,
  /** A value, or the deletion of one. */
  CELL
}
