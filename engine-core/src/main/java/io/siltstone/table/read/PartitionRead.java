package io.siltstone.table.read;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.chunk.ChunkReads;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.cursor.Slice;
import io.siltstone.explain.ReadTrace;
import io.siltstone.explain.SSTableRead;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.threads.Failures;
import io.siltstone.type.CqlType;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of slices of one partition: selects the memtables and SSTables that can matter, and merges
 * them, newest first.
 *
 * <p>Memtables are read first, then SSTables by descending greatest timestamp. An SSTable is
 * skipped if it cannot have the key, by its first and last key and its bloom filter, or if it has
 * nothing in the slices, by its covered clustering. The read stops early, and skips all that
 * remain, once the rest cannot change the result: if the partition was deleted with a timestamp not
 * less than all that is left; or if the only row of the read is {@linkplain RowCompleteness
 * complete}. For example, of the sources
 *
 * <pre>
 *   memtable       UPDATE v = 3                          timestamp 30
 *   SSTable b      INSERT k, v = 2, w = 2                timestamps up to 20
 *   SSTable a      INSERT k, v = 1, w = 1                timestamps up to 10
 * </pre>
 *
 * a read of that row merges the memtable and b, and stops before a: each column, and the row's
 * liveness, has a version newer than 10. After a deletion of the partition at 25, it stops before
 * b.
 *
 * <p>So the result may lack tombstones that have nothing to delete, and the liveness of a row that
 * its cells keep alive. What is live at any time, and with which timestamps, is the same as if all
 * sources were read.
 *
 * <p>Reusable and pooled, confined to one thread from {@link #begin} to {@link #close}. Allocates
 * nothing once it has been used. Source: Cassandra {@code SinglePartitionReadCommand}.
 */
public final class PartitionRead implements Closeable {
  /**
   * Maximum size of the arrays of a pooled read. One that a larger row has made grow is not pooled,
   * so that its memory is freed.
   */
  static final int MOST_AT_REST = 256 << 10;

  private final ReadSources of;
  private final int clusteringColumns;
  private final MergeCursor merge;
  private final RowCompleteness row;
  private final long[] hash = new long[2];
  private final List<MemtableReader> memtableReaders = new ArrayList<>();
  private final ArrayList<PartitionReader> readers = new ArrayList<>();
  // The sources of the present read come first; more may be left from an earlier read.
  private final List<PartitionSource> sources = new ArrayList<>();
  private final List<PartitionSource> kept = new ArrayList<>();

  // The view that this read has acquired itself; null if it reads from a snapshot, which holds its
  // own.
  private @Nullable View view;
  private Read.@Nullable OfPartition asked;
  // Keeps the readers for the next read; null if they return to the pool.
  private @Nullable HeldReaders held;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  // Records what the read does and what each reader costs; null for most reads.
  private @Nullable ReadTrace trace;
  private final List<SSTableRead> traced = new ArrayList<>();
  private boolean begun;
  private long startedAt;
  private long deletionTimestamp;
  // Those that have the latest deletion of a range with the key; null if there is none.
  private @Nullable KeyRangeDeletions keyRanges;
  private int described;
  private int tables;
  private int falsePositives;

  PartitionRead(ReadSources of) {
    this.of = of;
    this.clusteringColumns = of.encoding().rows().header().clusteringTypes().size();
    this.merge = new MergeCursor(of.encoding());
    this.row = new RowCompleteness(of.encoding());
  }

  /** Returns the merged cursor, once the read has begun. */
  PartitionCursor cursor() {
    return merge;
  }

  /** Begins a read of the table as it is now. Must be closed even if this throws. */
  void begin(Read.OfPartition read, CancelSignal ends) throws IOException {
    start(read, ends, null);
    while (true) {
      Memtables memtables = of.memtables();
      if (openAll(memtables)) {
        View present = of.viewBeside(memtables);
        if (present != null) {
          view = present;
          Read.OfPartition shown = shown(read, present);
          int count = memtables.remaining(present);
          for (int i = 0; i < count; i++) {
            noteKeyRanges(memtables.get(i).keyRanges(), shown);
          }
          noteKeyRanges(present.keyRanges(), shown);
          readMemtables(count, shown, null);
          readTables(present, shown);
          return;
        }
      }
    }
  }

  /**
   * Begins a read of a fixed state, which the caller holds. Must be closed even if this throws.
   *
   * @param snapshots of all memtables, newest first
   * @param ends steps once it has begun
   * @param by records what the read does; null for none
   * @param kept keeps the readers; null if they are not kept
   */
  void begin(
      Read.OfPartition read,
      List<MemtableSnapshot> snapshots,
      View of,
      CancelSignal ends,
      @Nullable ReadTrace by,
      @Nullable HeldReaders kept)
      throws IOException {
    start(read, ends, by);
    held = kept;
    for (int i = 0; i < snapshots.size(); i++) {
      if (!open(i, snapshots.get(i).memtable())) {
        throw new IllegalStateException("a memtable of the snapshot was given up");
      }
    }
    Read.OfPartition shown = shown(read, of);
    for (int i = 0; i < snapshots.size(); i++) {
      noteKeyRanges(snapshots.get(i).keyRanges(), shown);
    }
    noteKeyRanges(of.keyRanges(), shown);
    readMemtables(snapshots.size(), shown, snapshots);
    readTables(of, shown);
  }

  /**
   * Returns what is shown of a read: only what is not below the retention floor, if there is one.
   */
  private static Read.OfPartition shown(Read.OfPartition read, View of) {
    RetentionFloor floor = of.floor();
    return floor == null ? read : floor.cut(read);
  }

  /** Notes the deletion of a range of keys that has the key of the read. */
  private void noteKeyRanges(@Nullable KeyRangeDeletions ranges, Read.OfPartition read) {
    if (ranges != null) {
      long timestamp = ranges.timestampOf(read.key());
      if (timestamp > deletionTimestamp) {
        deletionTimestamp = timestamp;
        keyRanges = ranges;
      }
    }
  }

  private void start(Read.OfPartition begins, CancelSignal ends, @Nullable ReadTrace by) {
    begun = true;
    asked = begins;
    cancelSignal = ends;
    trace = by;
    startedAt = System.nanoTime();
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    keyRanges = null;
    described = 0;
    tables = 0;
    falsePositives = 0;
  }

  private boolean openAll(Memtables memtables) {
    for (int i = 0; i < memtables.size(); i++) {
      if (!open(i, memtables.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean open(int index, Memtable memtable) {
    if (index == memtableReaders.size()) {
      memtableReaders.add(new MemtableReader(memtable.encoding()));
    } else if (!memtable.encoding().isSameAs(memtableReaders.get(index).encoding())) {
      memtableReaders.get(index).close();
      memtableReaders.set(index, new MemtableReader(memtable.encoding()));
    }
    return memtableReaders.get(index).open(memtable);
  }

  private void readMemtables(
      int count, Read.OfPartition read, @Nullable List<MemtableSnapshot> snapshots)
      throws IOException {
    for (int i = 0; i < count; i++) {
      MemtableReader reader = memtableReaders.get(i);
      reader.cancelOn(cancelSignal);
      boolean isThere =
          snapshots == null
              ? reader.seek(read.key(), read.slices(), read.reversed())
              : reader.seek(read.key(), read.slices(), read.reversed(), snapshots.get(i));
      if (trace != null) {
        trace.memtable(i == 0, isThere);
      }
      if (isThere) {
        add(reader);
      }
    }
  }

  private void add(PartitionCursor cursor) throws IOException {
    int index = sources.size();
    if (index == kept.size()) {
      kept.add(new PartitionSource());
    }
    PartitionSource source = kept.get(index);
    source.begin(cursor);
    sources.add(source);
    deletionTimestamp = Math.max(deletionTimestamp, source.deletionTimestamp());
  }

  private void readTables(View present, Read.OfPartition read) throws IOException {
    List<SSTable> newestFirst = present.newestFirst();
    int count = newestFirst.size();
    if (count > 0) {
      PartitionKey key = read.key();
      List<Slice> slices = read.slices();
      Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
      boolean isOfRow = row.isPossible() && isOfOneRow(slices);
      for (int i = 0; i < count; i++) {
        SSTable table = newestFirst.get(i);
        StatsMetadata stats = table.statistics().stats();
        if (!DeletionTime.isLive(deletionTimestamp) && stats.maxTimestamp() <= deletionTimestamp) {
          traceSkipped(newestFirst, i, SSTableRead.Outcome.OLDER_THAN_DELETION);
          break;
        }
        if (table.mightContain(key, hash[0], hash[1]) && mightHave(table, stats, slices)) {
          if (isOfRow && isComplete(stats.maxTimestamp())) {
            traceSkipped(newestFirst, i, SSTableRead.Outcome.ROW_COMPLETE);
            break;
          }
          readTable(table, read);
        } else if (trace != null) {
          trace.skipped(table, whySkipped(table, key));
        }
      }
    }
    merge.begin(sources, read.reversed(), cancelSignal, keyRanges, true);
  }

  /** Records why a table, and all that follow it, are not read. */
  private void traceSkipped(List<SSTable> tables, int from, SSTableRead.Outcome why) {
    if (trace != null) {
      for (int i = from; i < tables.size(); i++) {
        trace.skipped(tables.get(i), why);
      }
    }
  }

  private SSTableRead.Outcome whySkipped(SSTable table, PartitionKey key) throws IOException {
    if (!table.isInRange(key)) {
      return SSTableRead.Outcome.KEY_RANGE;
    }
    return table.mightContain(key, hash[0], hash[1])
        ? SSTableRead.Outcome.CLUSTERING_RANGE
        : SSTableRead.Outcome.BLOOM_FILTER;
  }

  private boolean seekTraced(PartitionReader reader, Read.OfPartition read, ReadTrace present)
      throws IOException {
    SSTableRead told = present.reads(reader.table());
    traced.add(told);
    reader.reads().watch(told);
    long began = System.nanoTime();
    boolean isThere = seek(reader, read);
    told.sought(isThere, System.nanoTime() - began);
    return isThere;
  }

  private boolean seek(PartitionReader reader, Read.OfPartition read) throws IOException {
    return reader.seek(read.key(), hash[0], hash[1], read.slices(), read.reversed());
  }

  private void readTable(SSTable table, Read.OfPartition read) throws IOException {
    cancelSignal.throwIfOver();
    // Makes room first, so that an opened reader is certain to be closed.
    readers.ensureCapacity(readers.size() + 1);
    PartitionReader reader = held == null ? of.readers().acquire(table) : held.acquire(table);
    readers.add(reader);
    reader.cancelOn(cancelSignal);
    if (trace == null ? seek(reader, read) : seekTraced(reader, read, trace)) {
      tables++;
      add(reader);
    } else {
      falsePositives++;
    }
  }

  /**
   * Returns whether a table can have rows or range tombstones in the slices, or data of the
   * partition as a whole: its deletion or its static row.
   */
  private boolean mightHave(SSTable table, StatsMetadata stats, List<Slice> slices) {
    if (clusteringColumns == 0
        || stats.hasPartitionDeletions()
        || !table.descriptor().version().hasCoveredClustering()
        || table.header().hasStatic()) {
      return true;
    }
    for (int i = 0; i < slices.size(); i++) {
      Slice slice = slices.get(i);
      if (stats.coveredClustering().mightIntersect(slice.start(), slice.end())) {
        return true;
      }
    }
    return false;
  }

  private boolean isComplete(long maxTimestamp) throws IOException {
    if (described == 0) {
      row.begin();
    }
    while (described < sources.size()) {
      row.add(sources.get(described++).peek());
    }
    return row.isComplete(maxTimestamp);
  }

  /** Returns whether the slices select at most one row. */
  private boolean isOfOneRow(List<Slice> slices) {
    if (slices.size() != 1) {
      return false;
    }
    Clustering start = slices.get(0).start();
    Clustering end = slices.get(0).end();
    if (start.kind() != ClusteringKind.INCL_START_BOUND
        || end.kind() != ClusteringKind.INCL_END_BOUND
        || start.size() != clusteringColumns
        || end.size() != clusteringColumns) {
      return false;
    }
    for (int i = 0; i < clusteringColumns; i++) {
      int length = start.valueLength(i);
      if (length != end.valueLength(i)
          || (length != Clustering.NULL && !isSameValue(start, end, i, length))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameValue(Clustering start, Clustering end, int index, int length) {
    int at = start.valueOffset(index);
    int other = end.valueOffset(index);
    return Arrays.equals(start.bytes(), at, at + length, end.bytes(), other, other + length);
  }

  /**
   * Releases what was read from, and returns this read to the pool. The content of the cursor must
   * not be used any more.
   */
  @Override
  public void close() throws IOException {
    if (!begun) {
      throw new IllegalStateException("the read is at rest");
    }
    begun = false;
    try {
      merge.close();
    } finally {
      closeSources();
    }
    if (heldBytes() <= MOST_AT_REST) {
      of.giveBack(this);
    }
  }

  /** Returns the size of the arrays, which have grown to the largest row that was ever read. */
  private long heldBytes() {
    long held = merge.heldBytes();
    for (int i = 0; i < memtableReaders.size(); i++) {
      held += memtableReaders.get(i).heldBytes();
    }
    return held;
  }

  private void closeSources() throws IOException {
    Throwable failure = null;
    long chunks = 0;
    long hits = 0;
    long bytes = 0;
    for (int i = 0; i < readers.size(); i++) {
      ChunkReads reads = readers.get(i).reads();
      chunks += reads.chunks();
      hits += reads.hits();
      bytes += reads.bytes();
      if (i < traced.size()) {
        traced.get(i).end(readers.get(i));
      }
      try {
        if (held == null) {
          of.readers().release(readers.get(i));
        } else {
          held.giveBack(readers.get(i));
        }
      } catch (IOException | RuntimeException | Error e) {
        failure = Failures.first(failure, e);
      }
    }
    held = null;
    keyRanges = null;
    readers.clear();
    traced.clear();
    sources.clear();
    for (int i = 0; i < memtableReaders.size(); i++) {
      memtableReaders.get(i).close();
    }
    if (view != null) {
      View held = view;
      view = null;
      held.release();
    }
    long took = System.nanoTime() - startedAt;
    of.statistics().addRead(tables, falsePositives, chunks, bytes, took);
    Read.OfPartition ended = asked;
    asked = null;
    cancelSignal = CancelSignal.NEVER;
    if (ended != null && took >= of.slow().nanos()) {
      CqlType type = of.encoding().rows().header().keyType();
      of.slow().report(type, ended.key(), took, tables, falsePositives, chunks, hits, bytes);
    }
    if (trace != null) {
      trace.end(took);
      trace = null;
    }
    Failures.rethrow(failure);
  }
}
