package io.siltstone.cursor;

import io.siltstone.rows.LiveRows;
import java.io.Closeable;
import java.io.IOException;

/**
 * Opens what a query reads: the table's side of {@link LiveRows}. All cursors of a source see the
 * same state of the table.
 */
@FunctionalInterface
public interface CursorSource extends Closeable {

  /**
   * Returns a cursor over one part of a query, merged: each row once, nothing in it that a deletion
   * covers. Of a partition it shows the given slices and no more. The caller closes it before it
   * asks for the next part.
   *
   * @param cancelSignal ends the cursor's steps once it has begun: the one that is being made, and
   *     each later one
   */
  PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException;

  /** Gives back what the cursors stood on. Does nothing unless it is overridden. */
  @Override
  default void close() throws IOException {}
}
