package io.siltstone.table.read;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RetentionCursor;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableScan;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.ChainedScan;
import io.siltstone.sstable.RowsBelowFloor;
import io.siltstone.sstable.SSTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of a range of partitions of a fixed state of a table: merges the memtables and those
 * SSTables that may have some of the range.
 *
 * <p>If perhaps only the first few partitions are wanted, it begins in the caches as a {@link
 * ShortScan}.
 *
 * <p>Reusable and pooled, confined to one thread from {@link #begin} to {@link #close}: to create
 * its parts takes as long as to read some partitions. Allocates nothing for memtables once it has
 * been used.
 */
final class RangeRead implements Closeable {
  private static final PartitionKey LEAST = PartitionKey.of(new byte[0], Long.MIN_VALUE);

  private final ReadSources of;
  private final MergeCursor merge;
  private final ShortScan browsed;
  private final List<MemtableScan> memtableScans = new ArrayList<>();
  private final List<PartitionCursor> sources = new ArrayList<>();

  // The table of the present read; null at rest.
  private @Nullable View view;
  private List<MemtableSnapshot> snapshots = List.of();
  private @Nullable KeyRangeDeletions keyRanges;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private long startedAt;

  RangeRead(ReadSources of) {
    this.of = of;
    this.merge = new MergeCursor(of.encoding());
    this.browsed = new ShortScan(merge, this::scan);
  }

  /**
   * Begins a read of a fixed state, which the caller holds. Must be closed even if this throws.
   *
   * @param state snapshots of all memtables, newest first
   * @param tables the SSTables
   * @param deletions of ranges of keys, of all memtables and SSTables; null for none
   * @param ends steps once it has begun
   * @return the cursor, which is closed with this
   */
  PartitionCursor begin(
      Read.OfRange read,
      List<MemtableSnapshot> state,
      View tables,
      @Nullable KeyRangeDeletions deletions,
      CancelSignal ends)
      throws IOException {
    startedAt = System.nanoTime();
    snapshots = state;
    view = tables;
    keyRanges = deletions;
    cancelSignal = ends;
    PartitionRange range = read.range();
    PartitionCursor cursor;
    if (read.isBrowsed()) {
      browse(range, tables);
      browsed.begin(range.to());
      cursor = browsed;
    } else {
      scan(range);
      cursor = merge;
    }
    RetentionFloor floor = tables.floor();
    return floor == null ? cursor : new RetentionCursor(cursor, floor, null);
  }

  /** Begins the merge with pooled readers, through the caches. It may show more than the range. */
  private void browse(PartitionRange range, View tables) throws IOException {
    PartitionKey first = range.from();
    PartitionKey from = first == null ? LEAST : first;
    CancelSignal ends = cancelSignal;
    begin(range, tables, table -> PooledScan.open(of.readers(), table, from, ends));
  }

  /** Begins the merge with sequential scans. */
  private void scan(PartitionRange range) throws IOException {
    View tables = view;
    if (tables == null) {
      throw new IllegalStateException("the read is at rest");
    }
    CancelSignal ends = cancelSignal;
    begin(range, tables, table -> table.scan(of.scans(), range, ends));
  }

  private void begin(PartitionRange range, View tables, ChainedScan.Opener opener)
      throws IOException {
    sources.clear();
    int open = 0;
    for (int i = 0; i < snapshots.size(); i++) {
      MemtableSnapshot snapshot = snapshots.get(i);
      if (!snapshot.memtable().isEmpty()) {
        sources.add(open(open++, range, snapshot));
      }
    }
    for (List<SSTable> chain : ChainedScan.chains(shownTables(tables), range)) {
      sources.add(ChainedScan.over(chain, opener));
    }
    merge.begin(sources, false, cancelSignal, keyRanges, false);
    sources.clear();
  }

  private MemtableScan open(int index, PartitionRange range, MemtableSnapshot snapshot) {
    Memtable memtable = snapshot.memtable();
    if (index == memtableScans.size()) {
      memtableScans.add(new MemtableScan(memtable.encoding()));
    } else if (!memtable.encoding().isSameAs(memtableScans.get(index).encoding())) {
      memtableScans.set(index, new MemtableScan(memtable.encoding()));
    }
    MemtableScan scan = memtableScans.get(index);
    if (!scan.open(range, snapshot, cancelSignal)) {
      throw new IllegalStateException("a memtable of the snapshot was given up");
    }
    return scan;
  }

  /**
   * Returns the SSTables without those of which the retention floor hides all, or of which the
   * deletion of a range of keys has deleted all.
   */
  private List<SSTable> shownTables(View tables) {
    RetentionFloor floor = tables.floor();
    KeyRangeDeletions ranges = keyRanges;
    if (floor == null && ranges == null) {
      return tables.byFirstKey();
    }
    return tables.byFirstKey().stream()
        .filter(table -> floor == null || !RowsBelowFloor.areAll(table, floor))
        .filter(
            table ->
                ranges == null
                    || !ranges.covers(
                        table.firstKey(),
                        table.lastKey(),
                        table.statistics().stats().maxTimestamp()))
        .toList();
  }

  /**
   * Releases what was read from, and returns this read to the pool. The content of the cursor must
   * not be used any more.
   */
  @Override
  public void close() throws IOException {
    if (view == null) {
      throw new IllegalStateException("the read is at rest");
    }
    view = null;
    snapshots = List.of();
    keyRanges = null;
    cancelSignal = CancelSignal.NEVER;
    browsed.end();
    sources.clear();
    try {
      merge.close();
    } finally {
      // The merge does not close scans that were opened before it began.
      for (int i = 0; i < memtableScans.size(); i++) {
        memtableScans.get(i).close();
      }
      of.statistics().addScan(System.nanoTime() - startedAt);
    }
    if (heldBytes() <= PartitionRead.MOST_AT_REST) {
      of.giveBack(this);
    }
  }

  /** Returns the size of the arrays, which have grown to the largest row that was ever read. */
  private long heldBytes() {
    long held = merge.heldBytes();
    for (int i = 0; i < memtableScans.size(); i++) {
      held += memtableScans.get(i).heldBytes();
    }
    return held;
  }
}
