package io.siltstone.rows;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the live rows of a query, up to its limit or the end of the page: filters out what
 * is deleted or has expired, adds static columns, and shows a partition that has only these. {@link
 * LiveRows} and {@link ColumnarReader} are two forms of what it finds.
 *
 * <p>The values of the present row lie in two blocks in the form of {@link ValueBlock}, one of the
 * partition and one of the row, which are reused from row to row: nothing is allocated per row.
 *
 * <p>Confined to one thread, except for {@link #cancelSignal}.
 */
final class RowScan implements Closeable {
  private final Query query;
  private final long nowSeconds;
  private final CursorSource source;
  private final Deque<Read> reads;
  private final LiveCells cells;
  private final ClusteringComparator order;
  private final CancelSignal cancelSignal = CancelSignal.of("the rows were closed");
  private final ValueBlockBuilder ofPartition = new ValueBlockBuilder();
  private final ValueBlockBuilder ofRow = new ValueBlockBuilder();

  // The cursor of the present read; null between reads.
  private @Nullable PartitionCursor cursor;
  private boolean filters;

  // The present partition.
  private boolean inPartition;
  private boolean hasReached;
  private boolean hasStatic;
  private int firstGiven;
  private int given;
  private int slice;
  private byte @Nullable [] partitionBlock;

  // Whether the block of the row has the values of the present row: not if that stands for a
  // partition, as it is distinct or has only static columns.
  private boolean hasRow;
  private boolean isAtRow;
  private long found;

  private boolean closed;
  private @Nullable Throwable failure;
  private @Nullable QueryCancelledException ended;

  /**
   * Begins a scan; nothing is read before the first row is requested.
   *
   * @param nowSeconds the present time, by which data has expired (expiry at read), in seconds
   *     since 1970
   * @param source of the merged cursors; closed with the scan
   * @param ticker measures the timeout of the query, in nanoseconds
   */
  RowScan(Query query, long nowSeconds, CursorSource source, LongSupplier ticker) {
    this.query = query;
    this.nowSeconds = nowSeconds;
    this.source = source;
    this.reads = new ArrayDeque<>(ReadPlan.of(query));
    this.cells = new LiveCells(query, nowSeconds);
    this.order = query.table().slices().order();
    this.firstGiven = reads.peek() instanceof Read.OfPartition ? query.givenOfFirstPartition() : 0;
    query.timeout().ifPresent(limit -> cancelSignal.endAfter(limit.toNanos(), ticker));
  }

  Query query() {
    return query;
  }

  long nowSeconds() {
    return nowSeconds;
  }

  /** Returns the signal that ends the running step and all later ones, from any thread. */
  CancelSignal cancelSignal() {
    return cancelSignal;
  }

  /** Returns the counts of what was skipped. */
  LiveCells cells() {
    return cells;
  }

  /**
   * Checks that the scan can go on.
   *
   * @param returned the rows that the caller has returned to its user, for messages
   * @throws QueryCancelledException if the query's timeout has passed or the read was cancelled
   * @throws IllegalStateException if the scan is closed or a step has failed
   */
  void check(long returned) {
    if (ended != null) {
      throw ended;
    }
    try {
      cancelSignal.throwIfCancelled();
    } catch (CancellationException e) {
      throw end(e, returned);
    }
    if (failure != null) {
      throw new IllegalStateException("a read failed before: " + failure, failure);
    }
  }

  /**
   * Moves to the next live row. After an exception there is no row, and never will be.
   *
   * @param returned the rows that the caller has returned to its user, for messages
   * @return whether there is one before the limit and the end of the page
   * @throws QueryCancelledException as {@link #check}
   */
  boolean next(long returned) throws IOException {
    check(returned);
    if (found == query.mostRows()) {
      return false;
    }
    isAtRow = false;
    try {
      isAtRow = advance();
      found += isAtRow ? 1 : 0;
      return isAtRow;
    } catch (CancellationException e) {
      failure = e;
      throw end(e, returned);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /**
   * Returns whether there is a present row: the scan has found one, and has not looked beyond it.
   */
  boolean isAtRow() {
    return isAtRow;
  }

  /** Marks the scan as failed: what the caller did with the present row has gone wrong. */
  void fail(Throwable by) {
    failure = by;
  }

  /** Releases what a cancelled read holds, and returns what to throw from now on. */
  private QueryCancelledException end(CancellationException by, long returned) {
    boolean isTimeout = cancelSignal.isTimedOut();
    QueryCancelledException thrown =
        new QueryCancelledException(
            query.schema().keyspace() + "." + query.schema().name(),
            reached(),
            isTimeout ? query.timeout().orElseThrow() : null,
            "it has returned " + CountText.of(returned, "row") + " of the " + query,
            by);
    ended = thrown;
    source.ended(isTimeout);
    try {
      close();
    } catch (IOException | RuntimeException e) {
      thrown.addSuppressed(e);
    }
    return thrown;
  }

  private @Nullable PartitionKey reached() {
    return hasReached
        ? query.table().keys().keyOf(query.table().keys().join(ofPartition.bytes()))
        : query.keyView();
  }

  /**
   * Returns the place after the last row that was returned; empty if it is known that there are no
   * more.
   *
   * @param last the last row that was returned; null if there was none
   * @param returned the number of rows that were returned
   * @param inPartition what {@link #given} was at that row
   * @param isAhead whether the scan has moved on since
   */
  Optional<PagingState> placeAfter(
      @Nullable Row last, long returned, int inPartition, boolean isAhead) {
    if (!cancelSignal.isAborted()) {
      cancelSignal.throwIfCancelled();
    }
    long left = query.limit() == Query.NO_LIMIT ? Query.NO_LIMIT : query.limit() - returned;
    boolean atEnd = !isAhead && cursor == null && reads.isEmpty();
    if (left == 0 || atEnd) {
      return Optional.empty();
    }
    return Optional.of(
        last == null ? query.start() : new Places(query).after(last, left, inPartition));
  }

  private boolean advance() throws IOException {
    while (true) {
      PartitionCursor present = cursor;
      if (present == null) {
        Read read = reads.peek();
        if (read == null) {
          return false;
        }
        cancelSignal.throwIfOver();
        present = source.open(read, cancelSignal);
        cursor = present;
        filters = read instanceof Read.OfRange && query.restrictsRows();
      }
      if (inPartition) {
        if (nextInPartition(present)) {
          return true;
        }
        inPartition = false;
      } else if (present.nextPartition()) {
        beginPartition(present);
      } else {
        cursor = null;
        reads.remove();
        firstGiven = 0;
        present.close();
      }
    }
  }

  private void beginPartition(PartitionCursor present) throws IOException {
    inPartition = true;
    hasReached = true;
    hasStatic = false;
    given = firstGiven;
    slice = 0;
    partitionBlock = null;
    ofPartition.begin(query.columns().partitionSlots());
    query.table().keys().split(present.key(), ofPartition);
    if (!DeletionTime.isLive(present.deletionTimestamp())) {
      cells.passTombstone();
    }
  }

  private boolean nextInPartition(PartitionCursor present) throws IOException {
    while (!query.isEnough(given) && present.nextUnfiltered()) {
      Unfiltered unfiltered = present.unfiltered();
      if (unfiltered.isMarker()) {
        cells.passTombstone();
      } else if (unfiltered.isStatic()) {
        hasStatic = cells.take(unfiltered, ofPartition);
      } else if (isSelected(unfiltered.clustering()) && take(unfiltered)) {
        hasRow = !query.isDistinct();
        // Beyond, only 0 and the limit matter.
        given = Math.min(given, Integer.MAX_VALUE - 1) + 1;
        return true;
      }
    }
    if (given == 0 && hasStatic && (!query.restrictsRows() || hasNoOtherRow())) {
      given++;
      hasRow = false;
      return true;
    }
    return false;
  }

  /**
   * Returns whether the query reads the first split of a partition that has no live row in its
   * other splits.
   */
  private boolean hasNoOtherRow() throws IOException {
    PartitionKey key = query.keyView();
    if (query.rest().isEmpty() || key == null) {
      return false;
    }
    try (PartitionCursor others =
        source.open(new Read.OfPartition(key, query.rest(), false), cancelSignal)) {
      while (others.nextPartition()) {
        while (others.nextUnfiltered()) {
          Unfiltered other = others.unfiltered();
          if (!other.isMarker() && !other.isStatic()) {
            ofRow.begin(query.columns().rowSlots());
            if (cells.take(other, ofRow)) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  /** Returns whether a row is in the query's slices; rows are asked for in clustering order. */
  private boolean isSelected(Clustering clustering) {
    if (!filters) {
      return true;
    }
    List<Slice> slices = query.slices();
    while (slice < slices.size() && order.compare(slices.get(slice).end(), clustering) < 0) {
      slice++;
    }
    return slice < slices.size() && order.compare(slices.get(slice).start(), clustering) < 0;
  }

  /** Gathers the values of a row; returns whether it is live. */
  private boolean take(Unfiltered unfiltered) throws IOException {
    ofRow.begin(query.columns().rowSlots());
    if (!query.isDistinct()) {
      Clustering clustering = unfiltered.clustering();
      for (int i = 0; i < clustering.size(); i++) {
        if (clustering.valueLength(i) != Clustering.NULL) {
          ofRow.value(i, clustering.bytes(), clustering.valueOffset(i), clustering.valueLength(i));
        }
      }
    }
    return cells.take(unfiltered, ofRow);
  }

  /**
   * Returns the block of the present partition, which is valid until the scan moves on. It is
   * longer than its content.
   */
  byte[] ofPartition() {
    return ofPartition.bytes();
  }

  /** Returns the block of the present row as {@link #ofPartition}; null if it has none. */
  byte @Nullable [] ofRow() {
    return hasRow ? ofRow.bytes() : null;
  }

  /** Returns how many rows of the present partition were found, up to the present row. */
  int given() {
    return given;
  }

  /** Returns a copy of the present row, which stays valid. */
  Row row() {
    try {
      byte[] block = hasRow ? ofRow.finish() : null;
      return new Row(query.columns(), partitionBlock(), block, nowSeconds);
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Returns a copy that the rows of a partition share. */
  private byte[] partitionBlock() {
    byte[] block = partitionBlock;
    if (block == null) {
      block = ofPartition.finish();
      partitionBlock = block;
    }
    return block;
  }

  /** Closes the cursors and releases their resources. Does nothing the second time. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    PartitionCursor present = cursor;
    cursor = null;
    try (source) {
      if (present != null) {
        present.close();
      }
    }
  }
}
