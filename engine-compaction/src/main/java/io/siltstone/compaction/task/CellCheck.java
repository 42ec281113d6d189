package io.siltstone.compaction.task;

import io.siltstone.cursor.CellPathOrder;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;

/**
 * Reads all cells of a row before it is written, so that damage in a cell is found before the
 * writer has written half of the row. Confined to one thread.
 */
final class CellCheck {
  private final CellPathOrder cellPathOrder = new CellPathOrder();

  /**
   * Reads all cells of a row; a marker has none.
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
        // Reading the cell has checked all but its order.
        cellPathOrder.check(unfiltered);
      }
    }
    unfiltered.rewind();
  }
}
