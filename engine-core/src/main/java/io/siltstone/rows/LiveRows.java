package io.siltstone.rows;

import io.siltstone.cursor.CursorSource;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Returns the result of a query: its live rows, up to its limit or the end of the page.
 *
 * <p>The rows can be read once, by {@link #next}, in a {@code for} loop or as a {@link #stream}.
 * All three continue where the one used before has stopped.
 *
 * <pre>{@code
 * try (LiveRows rows = table.read(query)) {
 *   for (Row row : rows) {
 *     System.out.println(row.getString("name"));
 *   }
 * }
 * }</pre>
 *
 * <p>What is deleted or has expired is not shown, and static columns are part of each row, as in
 * CQL; see {@link Row}. An error while reading is an {@link UncheckedIOException}; after one, no
 * more rows can be read.
 *
 * <p>Must be closed by whoever opened it, even if all rows have been read. Meant for one thread,
 * but another thread may {@link #cancel} it, or close it, which abandons the row that is being read
 * and waits until it is. After {@link #close} every method throws an {@link IllegalStateException},
 * except {@link #close}, {@link #cancel} and the counts {@link #rows}, {@link #tombstones} and
 * {@link #expired}.
 */
// An Iterable can usually be iterated again, a result cannot; its documentation says so.
@SuppressWarnings("IterableAndIterator")
public final class LiveRows implements Iterator<Row>, Iterable<Row>, Closeable {
  private final RowScan scan;

  // The row read ahead and the last one returned, with the count of rows in their partition.
  private @Nullable Row next;
  private @Nullable Row last;
  private int lastGiven;
  private long rows;

  private LiveRows(RowScan scan) {
    this.scan = scan;
  }

  /**
   * Begins a query; nothing is read before the first row is requested.
   *
   * @param nowSeconds the present time, by which data has expired (expiry at read), in seconds
   *     since 1970
   * @param source of the merged cursors; closed with the rows
   */
  static LiveRows open(Query query, long nowSeconds, CursorSource source) {
    return open(query, nowSeconds, source, System::nanoTime);
  }

  /** Begins a query whose timeout is measured by a clock of its own. */
  static LiveRows open(Query query, long nowSeconds, CursorSource source, LongSupplier ticker) {
    return new LiveRows(new RowScan(query, nowSeconds, source, ticker));
  }

  /**
   * Returns whether there is another row before the limit and the end of the page.
   *
   * @throws QueryCancelledException if the {@linkplain Query.Builder#timeout timeout} has passed or
   *     {@link #cancel} was called
   */
  @Override
  public synchronized boolean hasNext() {
    scan.check(rows);
    if (next == null) {
      try {
        if (!scan.next(rows)) {
          return false;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      next = scan.row();
    }
    return true;
  }

  @Override
  public synchronized Row next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("no row after the last");
    }
    last = next;
    lastGiven = scan.given();
    next = null;
    rows++;
    return last;
  }

  /**
   * Returns this object, so that a {@code for} loop goes through the rows that have not been read
   * yet. The loop closes nothing: the rows must still be closed.
   */
  @Override
  public Iterator<Row> iterator() {
    scan.cancelSignal().throwIfCancelled();
    return this;
  }

  /**
   * Returns the rows that have not been read yet as a sequential stream. A row is read when the
   * stream asks for it, and stays valid after that.
   *
   * <p>Closing the stream closes the rows; closing the rows instead is enough too. A terminal
   * operation closes neither. What fails while rows are read or closed is an {@link
   * UncheckedIOException}.
   */
  public Stream<Row> stream() {
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                iterator(), Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(this::closeUnchecked);
  }

  private void closeUnchecked() {
    try {
      close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of rows returned so far. */
  public synchronized long rows() {
    return rows;
  }

  /**
   * Returns the number of deletions that were skipped so far: of partitions, ranges, rows,
   * collections and cells. If it is high, the read is slower than its result suggests.
   */
  public synchronized long tombstones() {
    return scan.cells().tombstones();
  }

  /** Returns the number of expired rows and cells that were skipped so far. */
  public synchronized long expired() {
    return scan.cells().expired();
  }

  /**
   * Returns the place after the last row returned, from which {@link Query#after} continues. Empty
   * if it is known that there are no more rows. At the end of a page this is not known yet, so the
   * last page may be empty. May be called after a {@link QueryCancelledException}, to read on
   * later.
   */
  public synchronized Optional<PagingState> pagingState() {
    return scan.placeAfter(last, rows, lastGiven, next != null);
  }

  /**
   * Cancels the read, from any thread and without waiting. The step that the reading thread makes,
   * or its next one, throws a {@link QueryCancelledException} and releases what the read holds. A
   * step that waits for a file does so when the file has answered. The rows must still be closed by
   * whoever opened them. Does nothing if the rows are closed.
   */
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

  /**
   * Thrown by a read that ended early: its timeout has passed, or another thread has called {@link
   * LiveRows#cancel} or {@code KeyValueIterator.cancel}. One type serves both, since a caller does
   * the same after either: it gives up, or continues from the place that was reached. {@link
   * #timeout()} tells them apart.
   *
   * <p>What the read held has been released when this is thrown. The message names the table, the
   * partition that was reached, and the limit. It is an {@link IllegalStateException} too, as is
   * every call after a read was closed.
   */
  public static final class QueryCancelledException extends CancellationException {
    private static final long serialVersionUID = 1L;

    private final String table;
    private final byte @Nullable [] key;
    private final long token;
    private final @Nullable Duration timeout;

    /**
     * Creates an exception.
     *
     * @param table keyspace and name of the table
     * @param reached the partition that was reached, which is copied; null if none was
     * @param timeout the limit that has passed; null if the read was cancelled
     * @param read what was read, to end the message with
     * @param cause the cancellation of the step
     */
    public QueryCancelledException(
        String table,
        @Nullable PartitionKey reached,
        @Nullable Duration timeout,
        String read,
        Throwable cause) {
      super(message(table, reached, timeout, read));
      this.table = table;
      this.key = reached == null ? null : reached.toByteArray();
      this.token = reached == null ? 0 : reached.token();
      this.timeout = timeout;
      initCause(cause);
    }

    private static String message(
        String table, @Nullable PartitionKey reached, @Nullable Duration timeout, String read) {
      return "a read of "
          + table
          + (timeout == null ? " was cancelled" : " has taken more than its timeout of " + timeout)
          + (reached == null ? " before it reached a partition" : "; it has reached " + reached)
          + ": "
          + read;
    }

    /** Returns the keyspace and name of the table. */
    public String table() {
      return table;
    }

    /** Returns the partition that was reached, with its token; empty if none was. */
    public Optional<PartitionKey> reached() {
      byte[] bytes = key;
      return bytes == null ? Optional.empty() : Optional.of(PartitionKey.of(bytes.clone(), token));
    }

    /** Returns the timeout that has passed; empty if the read was cancelled by a call. */
    public Optional<Duration> timeout() {
      return Optional.ofNullable(timeout);
    }
  }
}
