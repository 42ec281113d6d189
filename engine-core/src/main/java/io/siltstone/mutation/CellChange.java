package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import org.jspecify.annotations.Nullable;

/** What becomes of one cell, or of all cells of a multi-cell column. Immutable. */
final class CellChange {
  private final int column;
  private final byte @Nullable [] path;
  private final byte @Nullable [] value;
  private final long timestamp;
  private final int ttl;
  private final long localDeletionTime;

  /**
   * @param column index among the encoding's columns of that kind of row
   * @param path of a cell in a multi-cell column; null in others, and for the deletion of the
   *     column
   * @param value null for a deletion
   * @param timestamp in microseconds
   * @param ttl in seconds, {@link DeletionTime#NO_TTL} without
   * @param localDeletionTime as in {@link io.siltstone.cursor.Unfiltered#cellLocalDeletionTime()}
   */
  CellChange(
      int column,
      byte @Nullable [] path,
      byte @Nullable [] value,
      long timestamp,
      int ttl,
      long localDeletionTime) {
    this.column = column;
    this.path = path;
    this.value = value;
    this.timestamp = timestamp;
    this.ttl = ttl;
    this.localDeletionTime = localDeletionTime;
  }

  int column() {
    return column;
  }

  byte @Nullable [] path() {
    return path;
  }

  byte @Nullable [] value() {
    return value;
  }

  long timestamp() {
    return timestamp;
  }

  int ttl() {
    return ttl;
  }

  long localDeletionTime() {
    return localDeletionTime;
  }
}
