package io.siltstone.explain.walk;

import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowVersion;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.Source;
import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The walk through a source that has the key. Corrupt data ends the walk; findings before it remain
 * valid.
 */
final class SourceCursor {
  final Source source;
  final int number;
  private final PartitionCursor cursor;
  private @Nullable IOException failure;
  private boolean isReported;

  // The present row or marker; null at the end.
  @Nullable Unfiltered head;
  @Nullable OpenRange open;

  // The walk over the columns of the present row.
  private @Nullable RowVersion version;

  SourceCursor(Source source, int number, PartitionCursor cursor) {
    this.source = source;
    this.number = number;
    this.cursor = cursor;
  }

  /** An open range deletion. */
  static final class OpenRange {
    final long timestamp;
    final long localTime;
    final String start;
    // Whether the retention floor leaves the beginning of the range visible.
    final boolean isShown;
    // By scope: whether it was the winner somewhere, and the last winner over it.
    final boolean[] wasGreatest;
    final @Nullable Shadow[] beatenBy;

    OpenRange(long timestamp, long localTime, String start, boolean isShown, int scopes) {
      this.timestamp = timestamp;
      this.localTime = localTime;
      this.start = start;
      this.isShown = isShown;
      this.wasGreatest = new boolean[scopes];
      this.beatenBy = new Shadow[scopes];
    }
  }

  private interface Step {
    boolean take() throws IOException;
  }

  private boolean guard(Step step) throws IOException {
    try {
      return failure == null && step.take();
    } catch (CorruptSSTableException | CorruptFileException e) {
      failure = e;
      return false;
    }
  }

  boolean nextPartition() throws IOException {
    return guard(cursor::nextPartition);
  }

  long deletionTimestamp() {
    return cursor.deletionTimestamp();
  }

  long deletionLocalTime() {
    return cursor.deletionLocalTime();
  }

  void advance() throws IOException {
    head = guard(cursor::nextUnfiltered) ? cursor.unfiltered() : null;
  }

  /** Returns the present row. */
  Unfiltered row() {
    Unfiltered present = head;
    if (present == null) {
      throw new IllegalStateException(source + " stands at no row");
    }
    return present;
  }

  /** Begins the walk over the columns of the present row. */
  void beginRow(ColumnMaps maps) {
    version = new RowVersion(row(), maps.of(row().encoding()));
  }

  /** Returns the walk over the columns of the present row. */
  RowVersion version() {
    RowVersion present = version;
    if (present == null) {
      throw new IllegalStateException(source + " has no walk over a row");
    }
    return present;
  }

  /** Moves to the next column, whether or not the table has it. */
  boolean nextColumn() throws IOException {
    RowVersion present = version();
    if (guard(present::nextColumn)) {
      return true;
    }
    present.end();
    return false;
  }

  boolean nextCell() throws IOException {
    RowVersion present = version();
    if (guard(present::nextCell)) {
      return true;
    }
    present.endCells();
    return false;
  }

  /** Returns the corruption that ended the walk, at the first call only; else null. */
  @Nullable IOException unreported() {
    IOException found = isReported ? null : failure;
    isReported |= failure != null;
    return found;
  }
}
