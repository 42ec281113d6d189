package io.siltstone.schema;

/** Where a column's values are. */
public enum ColumnKind {
  /** In the key of the partition. */
  PARTITION_KEY,
  /** In the clustering of each row. */
  CLUSTERING,
  /** Once per partition. */
  STATIC,
  /** In each row. */
  REGULAR
}
