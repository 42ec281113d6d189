package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One change of a cell, or of all cells of a multi-cell column. Immutable. */
final class CellChange {
  private final int column;
  private final int operation;
  private final byte @Nullable [] path;
  private final byte @Nullable [] value;
  private final long timestamp;
  private final long effectiveAt;
  private final int ttl;
  private final long localDeletionTime;

  /**
   * @param column index among the encoding's columns of that kind of row
   * @param operation number of the operation that the change is a part of: changes of one operation
   *     do not contradict each other
   * @param path of a cell in a multi-cell column; null in others, and for a change of the whole
   *     column
   * @param value null for a deletion; in the change of a whole column not null if elements follow
   *     that replace the old ones
   * @param timestamp in microseconds
   * @param effectiveAt the timestamp of the operation. In a change of a whole column it may be
   *     greater than {@code timestamp}, since the deletion must not cover the new elements
   * @param ttl in seconds, {@link DeletionTime#NO_TTL} without
   * @param localDeletionTime as in {@link io.siltstone.cursor.Unfiltered#cellLocalDeletionTime()}
   */
  CellChange(
      int column,
      int operation,
      byte @Nullable [] path,
      byte @Nullable [] value,
      long timestamp,
      long effectiveAt,
      int ttl,
      long localDeletionTime) {
    this.column = column;
    this.operation = operation;
    this.path = path;
    this.value = value;
    this.timestamp = timestamp;
    this.effectiveAt = effectiveAt;
    this.ttl = ttl;
    this.localDeletionTime = localDeletionTime;
  }

  int column() {
    return column;
  }

  int operation() {
    return operation;
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

  long effectiveAt() {
    return effectiveAt;
  }

  int ttl() {
    return ttl;
  }

  long localDeletionTime() {
    return localDeletionTime;
  }

  boolean isTombstone() {
    return value == null;
  }

  /**
   * Returns whether another change of the same place, with the same timestamp, has the same effect.
   */
  boolean isSameAs(CellChange other) {
    return Arrays.equals(value, other.value)
        && ttl == other.ttl
        && localDeletionTime == other.localDeletionTime;
  }
}
