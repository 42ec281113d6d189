package io.siltstone.explain;

/** Kinds of what a partition is made of. */
public enum Item {
  /** The deletion of the whole partition. */
  PARTITION_DELETION,
  /** The deletion of a range of rows. */
  RANGE_DELETION,
  /** The deletion of a row. */
  ROW_DELETION,
  /** That a row was inserted rather than only updated. */
  ROW_LIVENESS,
  /** The deletion of all older cells of a collection. */
  COLLECTION_DELETION,
  /** A value, or the deletion of one. */
  CELL
}
