package io.siltstone.rows;

import io.siltstone.cursor.CursorSource;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A columnar reader of a query's result: fills column vectors of the caller, batch by batch. It
 * shows the same rows as {@link LiveRows}, in the same order: what is deleted or has expired is not
 * shown, static columns are part of each row, and the limits, the page size, the splits and the
 * timeout of the {@link Query} apply.
 *
 * <pre>{@code
 * try (ColumnarReader reader = table.readColumns(query)) {
 *   ColumnVector[] vectors = new ColumnVector[reader.columns().size()];
 *   vectors[reader.columns().indexOf("price")] = prices;
 *   for (int rows = reader.fill(vectors, 4096); rows > 0; rows = reader.fill(vectors, 4096)) {
 *     sum(prices, rows);
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is allocated per row: a value goes from the reader's buffer to the vector. A batch
 * allocates a copy of its last row, for {@link #pagingState}.
 *
 * <p>Must be closed by whoever opened it. Meant for one thread, but another thread may {@link
 * #cancel} it, or close it, which abandons the row that is being read and waits until it is. After
 * {@link #close} every method throws an {@link IllegalStateException}, except {@link #close},
 * {@link #cancel}, {@link #columns} and the counts {@link #rows}, {@link #tombstones} and {@link
 * #expired}.
 */
public final class ColumnarReader implements Closeable {
  private final RowScan scan;
  private final ResultColumns columns;
  private final ColumnTransfer[] transfers;
  private final boolean[] isOfPartition;
  private final int[] slots;
  // Which vectors of the present batch take times.
  private final boolean[] takesTimes;

  // The last row of the last batch, with the count of rows in its partition.
  private @Nullable Row last;
  private int lastGiven;
  // Whether a batch has begun and has not ended, perhaps since it failed.
  private boolean isWithinBatch;
  // Whether a batch was shorter than asked for, so that no other follows.
  private boolean isOver;
  private long rows;

  private ColumnarReader(RowScan scan) {
    this.scan = scan;
    this.columns = scan.query().columns();
    int count = columns.size();
    this.transfers = new ColumnTransfer[count];
    this.isOfPartition = new boolean[count];
    this.slots = new int[count];
    this.takesTimes = new boolean[count];
    for (int i = 0; i < count; i++) {
      transfers[i] = new ColumnTransfer(columns.type(i));
      isOfPartition[i] = columns.isOfPartition(i);
      slots[i] = columns.slot(i);
    }
  }

  /** Begins a query as {@link LiveRows}; nothing is read before the first batch. */
  static ColumnarReader open(
      Query query, long nowSeconds, CursorSource source, LongSupplier ticker) {
    return new ColumnarReader(new RowScan(query, nowSeconds, source, ticker));
  }

  /** Returns the columns of the result: those of the primary key, then the selected ones. */
  public ResultColumns columns() {
    return columns;
  }

  /**
   * Fills vectors with the next rows, from row 0 on. A batch has fewer rows than asked for only if
   * it is the last one before the limit, the end of the page or the end of the result.
   *
   * @param vectors one for each of {@link #columns}, in their order; null for a column whose values
   *     are not needed. If all are null, rows are counted
   * @param most the maximum number of rows, at least 1
   * @return the number of rows; 0 if there are no more
   * @throws QueryCancelledException if the {@linkplain Query.Builder#timeout timeout} has passed or
   *     {@link #cancel} was called; the batch is void
   * @throws IOException if the read fails; the batch is void, and no more rows can be read
   * @throws IllegalArgumentException if the number of vectors or of rows is not allowed, or with
   *     the same effect as a failure, if a vector refuses the type of its column or a stored value
   *     is not of that type; the message names the column
   */
  public synchronized int fill(@Nullable ColumnVector[] vectors, int most) throws IOException {
    require(vectors, most);
    scan.check(rows);
    if (isOver) {
      return 0;
    }
    int filled = 0;
    isWithinBatch = true;
    while (filled < most && scan.next(rows)) {
      put(vectors, filled);
      filled++;
    }
    if (filled > 0 && scan.isAtRow()) {
      last = scan.row();
      lastGiven = scan.given();
    }
    rows += filled;
    isOver = filled < most;
    isWithinBatch = false;
    return filled;
  }

  private void require(@Nullable ColumnVector[] vectors, int most) {
    if (vectors.length != transfers.length) {
      throw new IllegalArgumentException(
          CountText.of(vectors.length, "vector")
              + " for the "
              + CountText.of(transfers.length, "column")
              + " "
              + columns);
    }
    if (most < 1) {
      throw new IllegalArgumentException("a batch of " + most + " rows, allowed 1 or more");
    }
    for (int i = 0; i < vectors.length; i++) {
      ColumnVector vector = vectors[i];
      takesTimes[i] = vector != null && vector.takesTimes() && !columns.get(i).isPrimaryKey();
    }
  }

  private void put(@Nullable ColumnVector[] vectors, int row) {
    byte[] ofPartition = scan.ofPartition();
    byte[] ofRow = scan.ofRow();
    int column = 0;
    try {
      for (; column < vectors.length; column++) {
        ColumnVector vector = vectors[column];
        if (vector != null) {
          put(column, isOfPartition[column] ? ofPartition : ofRow, vector, row);
        }
      }
    } catch (IllegalArgumentException e) {
      IllegalArgumentException refused = columns.refused(column, e);
      scan.fail(refused);
      throw refused;
    } catch (UnsupportedOperationException e) {
      IllegalArgumentException refused =
          new IllegalArgumentException(
              "column '"
                  + columns.get(column).name()
                  + "' is of type "
                  + columns.get(column).type()
                  + ", and its vector "
                  + e.getMessage(),
              e);
      scan.fail(refused);
      throw refused;
    } catch (RuntimeException | Error e) {
      scan.fail(e);
      throw e;
    }
  }

  private void put(int column, byte @Nullable [] block, ColumnVector vector, int row) {
    int offset = block == null ? 0 : ValueBlock.offset(block, slots[column]);
    if (block == null || offset == 0) {
      vector.putNull(row);
      return;
    }
    int length = ValueBlock.length(block, slots[column]);
    if (transfers[column].put(block, offset, length, vector, row) && takesTimes[column]) {
      long expires = ValueBlock.expires(block, slots[column]);
      vector.putTimes(
          row,
          ValueBlock.timestamp(block, slots[column]),
          expires == Long.MAX_VALUE
              ? 0
              : (int) Math.min(Integer.MAX_VALUE, expires - scan.nowSeconds()));
    }
  }

  /** Returns the number of rows of all batches so far. */
  public synchronized long rows() {
    return rows;
  }

  /** Returns the number of deletions that were skipped so far, as {@link LiveRows#tombstones}. */
  public synchronized long tombstones() {
    return scan.cells().tombstones();
  }

  /** Returns the number of expired rows and cells that were skipped so far. */
  public synchronized long expired() {
    return scan.cells().expired();
  }

  /**
   * Returns the place after the last batch, from which {@link Query#after} continues, also with
   * {@link LiveRows}. Empty if it is known that there are no more rows. At the end of a page this
   * is not known yet, so the last page may be empty. May be called after a {@link
   * QueryCancelledException}, to read on later; then it is the place after the batch before.
   */
  public synchronized Optional<PagingState> pagingState() {
    return scan.placeAfter(last, rows, lastGiven, isWithinBatch);
  }

  /** Cancels the read as {@link LiveRows#cancel}, from any thread and without waiting. */
  public void cancel() {
    scan.cancelSignal().abort();
  }

  /** Closes the cursors and releases their resources. Does nothing the second time. */
  @Override
  public void close() throws IOException {
    scan.cancelSignal().cancel();
    closeScan();
  }

  private synchronized void closeScan() throws IOException {
    scan.close();
  }
}
