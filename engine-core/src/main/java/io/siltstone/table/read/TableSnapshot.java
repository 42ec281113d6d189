package io.siltstone.table.read;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.explain.Explained;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.explain.walk.Explanation;
import io.siltstone.liveset.View;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.rows.Split;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a table, which later writes, flushes and compactions do not change: the memtables
 * as they were, and the SSTables that were live. It holds their memory and files until it is
 * closed.
 *
 * <p>Confined to one thread. Closed by its opener; cursors that are still open are closed with it.
 */
public final class TableSnapshot implements CursorSource {
  private final ReadSources of;
  private final Memtables memtables;
  private final List<MemtableSnapshot> snapshots;
  private final View view;
  // Deletions of ranges of keys, of all memtables and SSTables; null for none.
  private final @Nullable KeyRangeDeletions keyRanges;
  // The number of open snapshots that share this state. The last one releases memtables and view.
  private final AtomicInteger holders;
  private final ArrayList<OpenCursor> opened = new ArrayList<>();
  private @Nullable HeldReaders held;
  private boolean closed;

  /** Takes over references to the memtables, and the view, which other snapshots may share. */
  private TableSnapshot(
      ReadSources of,
      Memtables memtables,
      List<MemtableSnapshot> snapshots,
      View view,
      AtomicInteger holders) {
    this.of = of;
    this.memtables = memtables;
    this.snapshots = snapshots;
    this.view = view;
    this.holders = holders;
    this.keyRanges = of.keyRanges(snapshots, view);
  }

  /** Takes a snapshot; see {@link ReadSources#snapshot}. */
  static TableSnapshot take(ReadSources of) {
    while (true) {
      Memtables memtables = of.memtables();
      if (ReadSources.tryReference(memtables)) {
        @Nullable TableSnapshot taken = null;
        try {
          taken = takeHeld(of, memtables);
        } finally {
          if (taken == null) {
            ReadSources.release(memtables);
          }
        }
        if (taken != null) {
          return taken;
        }
      }
    }
  }

  /**
   * Takes a snapshot of memtables to which references are held; returns null if they are not the
   * present ones any more.
   */
  private static @Nullable TableSnapshot takeHeld(ReadSources of, Memtables memtables) {
    List<MemtableSnapshot> snapshots = new ArrayList<>(memtables.size());
    for (int i = 0; i < memtables.size(); i++) {
      snapshots.add(memtables.get(i).snapshot());
    }
    View view = of.viewBeside(memtables);
    if (view == null) {
      return null;
    }
    try {
      int remaining = memtables.remaining(view);
      if (remaining < snapshots.size()) {
        snapshots.subList(remaining, snapshots.size()).clear();
      }
      return new TableSnapshot(of, memtables, snapshots, view, new AtomicInteger(1));
    } catch (Throwable e) {
      view.release();
      throw e;
    }
  }

  /** Returns another snapshot of the same state, which its caller closes. */
  public TableSnapshot share() {
    requireOpen();
    TableSnapshot shared = new TableSnapshot(of, memtables, snapshots, view, holders);
    // The state cannot be released meanwhile: this snapshot holds it.
    holders.incrementAndGet();
    return shared;
  }

  /**
   * Keeps the readers of SSTables from one partition to the next, from now on until this is closed,
   * for a caller that opens many partitions in their order: then each chunk is read once.
   */
  public void keepReaders() {
    requireOpen();
    if (held == null) {
      held = new HeldReaders(of.readers());
    }
  }

  /** Opens a cursor that no other thread cancels. */
  public PartitionCursor open(Read read) throws IOException {
    return open(read, CancelSignal.NEVER);
  }

  /** Returns the definition by which the table is read. */
  public TableSchema schema() {
    return of.schema();
  }

  @Override
  public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
    makeRoom();
    OpenCursor cursor =
        read instanceof Read.OfPartition partition
            ? openPartition(partition, cancelSignal, null)
            : openRange((Read.OfRange) read, cancelSignal);
    opened.add(cursor);
    return cursor;
  }

  @Override
  public void ended(boolean isTimeout) {
    of.ended(isTimeout);
  }

  /** Opens a cursor as {@link #open(Read, CancelSignal)}, and records what the read does. */
  public PartitionCursor open(Read.OfPartition read, CancelSignal cancelSignal, ReadTrace trace)
      throws IOException {
    makeRoom();
    OpenCursor cursor = openPartition(read, cancelSignal, trace);
    opened.add(cursor);
    return cursor;
  }

  /**
   * Makes room, so that the cursor that is opened next is certain to be closed with the snapshot.
   */
  private void makeRoom() {
    requireOpen();
    opened.removeIf(OpenCursor::isClosed);
    opened.ensureCapacity(opened.size() + 1);
  }

  private OpenCursor openPartition(
      Read.OfPartition read, CancelSignal cancelSignal, @Nullable ReadTrace trace)
      throws IOException {
    PartitionRead lent = of.take();
    try {
      lent.begin(read, snapshots, view, cancelSignal, trace, held);
      return new OpenCursor(lent.cursor(), lent, of.damage());
    } catch (Throwable e) {
      of.closeAfter(lent, e);
      throw e;
    }
  }

  private OpenCursor openRange(Read.OfRange read, CancelSignal cancelSignal) throws IOException {
    RangeRead lent = of.takeRange();
    try {
      PartitionCursor cursor = lent.begin(read, snapshots, view, keyRanges, cancelSignal);
      return new OpenCursor(cursor, lent, of.damage());
    } catch (Throwable e) {
      of.closeAfter(lent, e);
      throw e;
    }
  }

  /**
   * Returns a key before the given one: the greatest in samples of all sources; null if there is
   * none. Between two samples there are a few hundred partitions on average, in all sources
   * together. So a scan can go backward by reading one such stretch after the other forward.
   */
  public @Nullable PartitionKey sampleBefore(PartitionKey key) throws IOException {
    requireOpen();
    PartitionKey greatest = null;
    for (MemtableSnapshot snapshot : snapshots) {
      greatest = greater(greatest, snapshot.memtable().sampleBefore(key));
    }
    for (SSTable table : view.byFirstKey()) {
      if (table.firstKey().compareTo(key) >= 0) {
        break;
      }
      greatest = greater(greatest, table.sampleBefore(key));
    }
    return greatest;
  }

  private static @Nullable PartitionKey greater(
      @Nullable PartitionKey left, @Nullable PartitionKey right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return left.compareTo(right) >= 0 ? left : right;
  }

  /** Estimates the size of a range of partitions. */
  public TableEstimate estimate(PartitionRange range) throws IOException {
    requireOpen();
    return TableEstimate.of(of, snapshots, view, range);
  }

  /** Divides all partitions into splits of about so many bytes before compression. */
  public List<Split> splits(long bytes) throws IOException {
    requireOpen();
    return new TableSplits(of, snapshots, view, bytes).divide();
  }

  /**
   * Explains the content of the partition of a query, in its slices.
   *
   * @throws IllegalArgumentException if the query is not of one partition
   */
  public Explained explain(Query query, long nowSeconds, FindingListener listener)
      throws IOException {
    requireOpen();
    PartitionKey key =
        query
            .partitionKey()
            .orElseThrow(
                () -> new IllegalArgumentException("only a partition can be explained, not all"));
    try (KeySources sources =
        KeySources.open(
            of.encoding().rows(),
            key,
            QueryFactory.slicesOf(query),
            snapshots,
            view,
            of.quarantined())) {
      sources.reportDamage(listener);
      return Explanation.explain(
          of.schema(), view.floor(), sources.sources(), nowSeconds, listener);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
  }

  /** Closes the cursors that are open, and releases memtables and view. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      closeOpened();
    } finally {
      if (holders.decrementAndGet() == 0) {
        view.release();
        ReadSources.release(memtables);
      }
    }
  }

  private void closeOpened() throws IOException {
    try {
      Closeables.closeAll(opened);
    } finally {
      if (held != null) {
        held.close();
      }
    }
  }
}
