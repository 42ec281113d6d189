package io.siltstone.schema;

/** The kinds of columns, by where their values are stored. */
public enum ColumnKind {
  /** Part of the partition key. */
  PARTITION_KEY,
  /** Part of the clustering of each row. */
  CLUSTERING,
  /** Static: one value per partition. */
  STATIC,
  /** Regular: one value per row. */
  REGULAR
}
