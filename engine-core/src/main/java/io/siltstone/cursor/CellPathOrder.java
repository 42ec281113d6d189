package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * Checks the order of cells: within a complex column their paths must ascend, which merges rely on.
 *
 * <pre>
 *   while (row.nextColumn()) {
 *     order.begin();
 *     while (row.nextCell()) {
 *       order.check(row);
 *     }
 *   }
 * </pre>
 *
 * Reusable, confined to one thread, and allocates nothing except in {@link CqlType#compare}.
 */
public final class CellPathOrder {
  private static final int NONE = -1;

  private int previousOffset;
  private int previousLength = NONE;

  /** Creates a check that {@link #begin} starts. */
  public CellPathOrder() {}

  /** Begins a column. */
  public void begin() {
    previousLength = NONE;
  }

  /**
   * Checks the row's present cell. A cell of a simple column has no path and always passes.
   *
   * @throws IOException if its path is not greater than that of the previous cell; names the place
   */
  public void check(Unfiltered row) throws IOException {
    if (!row.isComplex()) {
      return;
    }
    if (previousLength != NONE && compareToPrevious(row) <= 0) {
      throw row.corrupt("cells of column '" + row.column().name() + "' are out of order");
    }
    previousOffset = row.pathOffset();
    previousLength = row.pathLength();
  }

  private int compareToPrevious(Unfiltered row) throws IOException {
    try {
      return row.column()
          .type()
          .pathType()
          .compare(
              row.bytes(),
              row.pathOffset(),
              row.pathLength(),
              row.bytes(),
              previousOffset,
              previousLength);
    } catch (IllegalArgumentException e) {
      throw row.corrupt("a cell's path: " + e.getMessage());
    }
  }
}
