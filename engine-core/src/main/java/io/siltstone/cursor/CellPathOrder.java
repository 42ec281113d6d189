package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * That the cells of a complex column ascend by their paths, as merges expect it.
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
 * Reusable, confined to one thread, allocates nothing but what {@link CqlType#compare} does.
 */
public final class CellPathOrder {
  private static final int NONE = -1;

  private int previousOffset;
  private int previousLength = NONE;

  /** Before the first column. */
  public CellPathOrder() {}

  /** Begins with a column of which no cell was seen. */
  public void begin() {
    previousLength = NONE;
  }

  /**
   * Takes the row's present cell; one of a simple column has no path, and is right.
   *
   * @throws IOException if its path does not lie behind that of the cell before, naming the place
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
