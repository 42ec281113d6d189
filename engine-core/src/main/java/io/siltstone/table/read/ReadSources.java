package io.siltstone.table.read;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableSnapshot;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.StripedPool;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens reads of a table by one definition: brings memtables, the live set and pooled readers
 * together. An altered table gets a new object.
 *
 * <p>Safe for all threads, without locks. Keeps pools of {@link PartitionRead}s and {@link
 * RangeRead}s, which hold no memory but their own buffers. All reads must be closed before the live
 * set and the readers are.
 */
public final class ReadSources {
  private final TableSchema schema;
  private final TableEncoding encoding;
  private final Supplier<Memtables> memtables;
  private final LiveSet liveSet;
  private final PartitionReaders readers;
  private final SequentialAccess scans;
  private final ReadStatistics statistics;
  private final SlowReads slow;
  private final CorruptionReports damage;
  private final StripedPool<PartitionRead> pooled = new StripedPool<>();
  private volatile @Nullable KeyRangeUnion union;
  private final StripedPool<RangeRead> ranges = new StripedPool<>();

  /**
   * @param schema by which the table is read
   * @param encoding of rows by that schema, with the columns that are known today to be dropped
   * @param memtables returns the present memtables; each change makes a new record
   * @param liveSet of the table
   * @param readers pooled readers of the database
   * @param scans how scans access SSTables
   * @param statistics counts reads
   * @param slow reports reads that took long
   * @param damage reports reads that failed because of corruption
   */
  public ReadSources(
      TableSchema schema,
      TableEncoding encoding,
      Supplier<Memtables> memtables,
      LiveSet liveSet,
      PartitionReaders readers,
      SequentialAccess scans,
      ReadStatistics statistics,
      SlowReads slow,
      CorruptionReports damage) {
    this.schema = schema;
    this.encoding = encoding;
    this.memtables = memtables;
    this.liveSet = liveSet;
    this.readers = readers;
    this.scans = scans;
    this.statistics = statistics;
    this.slow = slow;
    this.damage = damage;
  }

  /** Returns the definition by which the table is read. */
  public TableSchema schema() {
    return schema;
  }

  /**
   * Returns the encoding of merged rows. A memtable should have the very object of {@link
   * TableEncoding#rows} rather than an equal one, so that encodings need not be compared.
   */
  public TableEncoding encoding() {
    return encoding;
  }

  /** Returns the SSTables that could not be opened, and that no read sees. */
  List<EngineListener.CorruptionFound> quarantined() {
    return liveSet.report().quarantined();
  }

  Memtables memtables() {
    return memtables.get();
  }

  /** Returns whether these are still the present memtables. Each change makes a new record. */
  @SuppressWarnings("ReferenceEquality")
  private boolean arePresent(Memtables taken) {
    return taken == memtables.get();
  }

  /**
   * Returns the live SSTables, to be released by the caller, if the memtables are still the present
   * ones. Otherwise returns null, since a memtable may have been flushed in between that is in
   * neither of the two.
   *
   * @throws IllegalStateException if the table is closed
   */
  @Nullable View viewBeside(Memtables taken) {
    View view = acquire();
    boolean arePresent = false;
    try {
      arePresent = arePresent(taken);
    } finally {
      if (!arePresent) {
        view.release();
      }
    }
    return arePresent ? view : null;
  }

  /**
   * Returns the live SSTables, to be released by the caller.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public View acquire() {
    try {
      return liveSet.acquire();
    } catch (IllegalStateException e) {
      // Memtables are closed first, and their exception says whether the table was dropped or
      // closed.
      var unused = memtables.get();
      throw e;
    }
  }

  PartitionReaders readers() {
    return readers;
  }

  /** Returns how scans access SSTables. */
  SequentialAccess scans() {
    return scans;
  }

  ReadStatistics statistics() {
    return statistics;
  }

  /** Counts a read that its timeout has ended, or its user. */
  public void ended(boolean isTimeout) {
    statistics.addEnded(isTimeout);
  }

  SlowReads slow() {
    return slow;
  }

  CorruptionReports damage() {
    return damage;
  }

  /**
   * Reads slices of a partition as it is now. Allocates the cursor only, which the caller closes.
   */
  public PartitionCursor open(Read.OfPartition read) throws IOException {
    return open(read, CancelSignal.NEVER);
  }

  /** Reads slices of a partition as {@link #open(Read.OfPartition)}, until it is cancelled. */
  public PartitionCursor open(Read.OfPartition read, CancelSignal cancelSignal) throws IOException {
    PartitionRead lent = take();
    try {
      lent.begin(read, cancelSignal);
      return new OpenCursor(lent.cursor(), lent, damage);
    } catch (Throwable e) {
      closeAfter(lent, e);
      throw e;
    }
  }

  /**
   * Returns the timestamp up to which deletions of ranges of keys delete a partition now, even if
   * the table has nothing of it; {@link DeletionTime#NO_TIMESTAMP} if there is none.
   */
  public long deletedUpTo(PartitionKey key) {
    Memtables present = memtables();
    long timestamp = DeletionTime.NO_TIMESTAMP;
    for (int i = 0; i < present.size(); i++) {
      timestamp = Math.max(timestamp, deletedUpTo(present.get(i).keyRanges(), key));
    }
    return Math.max(timestamp, deletedUpTo(liveSet.keyRanges().present(), key));
  }

  /** Returns the deletions of ranges of keys of a snapshot; null if there are none. */
  @Nullable KeyRangeDeletions keyRanges(List<MemtableSnapshot> snapshots, View view) {
    KeyRangeDeletions first = view.keyRanges();
    List<KeyRangeDeletions> sets = null;
    for (MemtableSnapshot snapshot : snapshots) {
      KeyRangeDeletions written = snapshot.keyRanges();
      if (written == null) {
        continue;
      }
      if (first == null) {
        first = written;
        continue;
      }
      if (sets == null) {
        sets = new ArrayList<>(List.of(first));
      }
      sets.add(written);
    }
    if (sets == null) {
      return first;
    }
    KeyRangeUnion last = union;
    if (last == null || !last.isOf(sets)) {
      last = KeyRangeUnion.of(sets);
      union = last;
    }
    return last.all();
  }

  private static long deletedUpTo(@Nullable KeyRangeDeletions ranges, PartitionKey key) {
    return ranges == null ? DeletionTime.NO_TIMESTAMP : ranges.timestampOf(key);
  }

  /**
   * The union of sets of deletions of ranges of keys. It is kept until one of them changes, since
   * each snapshot needs it.
   */
  private record KeyRangeUnion(List<KeyRangeDeletions> sets, KeyRangeDeletions all) {
    static KeyRangeUnion of(List<KeyRangeDeletions> sets) {
      KeyRangeDeletions all = sets.get(0);
      for (KeyRangeDeletions set : sets) {
        all = Objects.requireNonNull(KeyRangeDeletions.union(all, set));
      }
      return new KeyRangeUnion(List.copyOf(sets), all);
    }

    @SuppressWarnings("ReferenceEquality") // each change makes a new set
    boolean isOf(List<KeyRangeDeletions> others) {
      boolean isSame = others.size() == sets.size();
      for (int i = 0; isSame && i < sets.size(); i++) {
        isSame = others.get(i) == sets.get(i);
      }
      return isSame;
    }
  }

  /**
   * Returns a snapshot of the table. Each partition is as it was between two updates; all
   * partitions are as they were at one moment if the caller holds the locks of all shards of the
   * active memtable, so that nothing is written meanwhile. To be closed by the caller.
   */
  public TableSnapshot snapshot() {
    return TableSnapshot.take(this);
  }

  /**
   * Acquires references to all memtables; returns false, and holds none, if one of them was
   * released.
   */
  static boolean tryReference(Memtables all) {
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).tryReference()) {
        for (int taken = 0; taken < i; taken++) {
          all.get(taken).release();
        }
        return false;
      }
    }
    return true;
  }

  static void release(Memtables all) {
    for (int i = 0; i < all.size(); i++) {
      Memtable memtable = all.get(i);
      memtable.release();
    }
  }

  /** Returns a read for the caller alone, until it is closed. */
  PartitionRead take() {
    PartitionRead read = pooled.take();
    return read != null ? read : new PartitionRead(this);
  }

  void giveBack(PartitionRead read) {
    pooled.giveBack(read);
  }

  /** Returns a read of a range for the caller alone, until it is closed. */
  RangeRead takeRange() {
    RangeRead read = ranges.take();
    return read != null ? read : new RangeRead(this);
  }

  void giveBack(RangeRead read) {
    ranges.giveBack(read);
  }

  /** Closes a read that could not begin. */
  void closeAfter(Closeable read, Throwable failure) {
    Closeables.closeAfter(read, failure);
    damage.failed(failure);
  }
}
