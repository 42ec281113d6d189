package io.siltstone.table.read;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.PartitionReaders;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.StripedPool;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What reads of a table need, as long as its definition stays; another definition has another one.
 *
 * <p>Safe for all threads, none of which waits. Keeps a few {@link PartitionRead}s at rest, which
 * hold no memory but their own buffers. What was opened from it is closed before the live set and
 * the readers are.
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

  /**
   * @param schema that is read by
   * @param encoding of rows by that schema, with what is known today of columns that were dropped
   * @param memtables the present ones; each change gives another record
   * @param liveSet of the table
   * @param readers of the database
   * @param scans how SSTables are read by scans
   * @param statistics that reads are counted in
   * @param slow is told of those that took long
   * @param damage is told of those that failed
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

  /** The definition that is read by. */
  public TableSchema schema() {
    return schema;
  }

  /**
   * The form of rows that are merged. A memtable should have the encoding of {@link
   * TableEncoding#rows} itself rather than an equal one, so that they need not be compared.
   */
  public TableEncoding encoding() {
    return encoding;
  }

  /** SSTables that could not be opened, and that no read sees. */
  List<EngineListener.CorruptionFound> setAside() {
    return liveSet.report().setAside();
  }

  Memtables memtables() {
    return memtables.get();
  }

  /** Whether these are still the present ones. Each change makes another record. */
  @SuppressWarnings("ReferenceEquality")
  private boolean arePresent(Memtables taken) {
    return taken == memtables.get();
  }

  /**
   * The live SSTables, to be released by the caller, if the memtables are still the present ones.
   * Else null: there may be a memtable between those and the view that neither of them has.
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
   * The live SSTables, to be released by the caller.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public View acquire() {
    try {
      return liveSet.acquire();
    } catch (IllegalStateException e) {
      // The memtables went first, and tell what has become of the table.
      var unused = memtables.get();
      throw e;
    }
  }

  PartitionReaders readers() {
    return readers;
  }

  /** How SSTables are read by scans. */
  SequentialAccess scans() {
    return scans;
  }

  ReadStatistics statistics() {
    return statistics;
  }

  SlowReads slow() {
    return slow;
  }

  CorruptionReports damage() {
    return damage;
  }

  /**
   * Reads slices of a partition as it is now. The cursor is closed by the caller; nothing but it is
   * allocated.
   */
  public PartitionCursor open(Read.OfPartition read) throws IOException {
    PartitionRead lent = take();
    try {
      lent.begin(read);
      return new OpenCursor(lent.cursor(), lent, damage);
    } catch (Throwable e) {
      closeAfter(lent, e);
      throw e;
    }
  }

  /**
   * A consistent state of the table. Each partition is as it was between two updates; all of them
   * are as they were at one moment if the caller holds the locks of all shards of the active
   * memtable, so that nothing is written meanwhile. To be closed by the caller.
   */
  public TableSnapshot snapshot() {
    return TableSnapshot.take(this);
  }

  /** Whether references to all of them could be taken; none is held otherwise. */
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

  /** A read for the caller alone, until it is closed. */
  PartitionRead take() {
    PartitionRead read = pooled.take();
    return read != null ? read : new PartitionRead(this);
  }

  void giveBack(PartitionRead read) {
    pooled.giveBack(read);
  }

  /** Ends a read that could not begin. */
  void closeAfter(PartitionRead read, Throwable failure) {
    Closeables.closeAfter(read, failure);
    damage.failed(failure);
  }
}
