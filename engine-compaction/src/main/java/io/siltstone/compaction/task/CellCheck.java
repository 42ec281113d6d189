package io.siltstone.compaction.task;

import io.siltstone.cursor.CellPathOrder;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;

/** Reads all cells of rows, so that the writer will not stumble over one. Confined to a thread. */
final class CellCheck {
  private final CellPathOrder cellPathOrder = new CellPathOrder();

  /**
   * Reads a row; a marker has no cells.
   *
   * @throws IOException if a cell cannot be read, or those of a collection are out of order
   */
  void check(Unfiltered unfiltered) throws IOException {
    if (unfiltered.isMarker()) {
      return;
    }
    unfiltered.rewind();
    while (unfiltered.nextColumn()) {
      cellPathOrder.begin();
      while (unfiltered.nextCell()) {
        // Reading it has checked all but its order.
        cellPathOrder.check(unfiltered);
      }
    }
    unfiltered.rewind();
  }
}
