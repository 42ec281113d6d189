package io.siltstone.cursor;

import io.siltstone.rows.LiveRows;
import java.io.Closeable;
import java.io.IOException;

/**
 * Opens the cursors that a query reads: the table's side of {@link LiveRows}. All cursors of a
 * source see the same state of the table.
 */
@FunctionalInterface
public interface CursorSource extends Closeable {

  /**
   * Returns a merged cursor over one part of a query: each row once, without data that a deletion
   * covers. It shows only the given slices of a partition. The caller closes it.
   *
   * @param cancelSignal cancels the cursor's steps, including the running one
   */
  PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException;

  /**
   * Counts a read that ended early: by its timeout, or cancelled by its user. Does nothing unless
   * overridden.
   */
  default void ended(boolean isTimeout) {}

  /** Releases the resources of the cursors. Does nothing unless overridden. */
  @Override
  default void close() throws IOException {}
}
