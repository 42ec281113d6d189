package io.siltstone.table;

import io.siltstone.catalog.TableHome;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.statistics.ReadSummary;
import io.siltstone.statistics.WriteSummary;
import io.siltstone.table.read.CorruptionReports;
import io.siltstone.table.read.Memtables;
import io.siltstone.table.read.ReadSources;
import io.siltstone.table.read.ReadStatistics;
import io.siltstone.table.read.SlowReads;
import io.siltstone.table.read.TableSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One table of an open database: its definition, its memtables and its live SSTables.
 *
 * <p>Locks, in the order in which they are taken: {@link #structure}, {@link #flushing}, those of
 * the shards in ascending order, then those of the log and of the live set. A thread that holds the
 * locks of all shards excludes all writes, and may switch memtables or change the definition. Reads
 * take no lock.
 *
 * <p>Safe for all threads. Closed by its owner after all writes and flushes have ended; reads that
 * are open keep their snapshot.
 */
public final class TableStore implements Closeable, TableReads.ReadableTable {
  /** Held by changes of the table as a whole: alter, truncate, import, drop, checkpoint. */
  final ReentrantLock structure = new ReentrantLock();

  /**
   * Held by the flush of a memtable, so that memtables are flushed one at a time, in their order.
   */
  final ReentrantLock flushing = new ReentrantLock();

  /** Whether the last flush was refused the memory that it needs. */
  volatile boolean isStarved;

  private final FlushRetry flushRetry = new FlushRetry();

  /** Returns when a failed flush is retried. */
  FlushRetry flushRetry() {
    return flushRetry;
  }

  /** Returns whether the calling thread is flushing the table. */
  public boolean isFlushedHere() {
    return flushing.isHeldByCurrentThread();
  }

  private final Services services;
  private final LiveSet liveSet;
  private final ReadStatistics statistics = new ReadStatistics();
  private final WriteStatistics writes = new WriteStatistics();
  private final WriteShards shards;
  private final WriteThrottle pace = new WriteThrottle();
  private final FlushQueue flushes = new FlushQueue();
  private final UnlockedListener readListener;
  private final CorruptionReports damage;
  private final TableTimestamps timestamps;
  private final TableMemtables memory;
  private volatile TableHome home;
  private volatile TableDefinition definition;
  private volatile ReadSources reads;
  private volatile boolean dropped;

  private TableStore(
      TableHome home,
      Services services,
      BiConsumer<TableStore, LiveSetChange> changes,
      @Nullable View shared)
      throws IOException {
    this.services = services;
    this.home = home.opened();
    definition = TableDefinition.of(home.schema(), services);
    memory =
        new TableMemtables(
            id(), definition.encoding(), services.memory().memtables(), this::newMemtable);
    shards = new WriteShards(memory);
    readListener = new UnlockedListener(services.listener(), shards.all());
    damage = new CorruptionReports(id(), readListener);
    timestamps = new TableTimestamps(id(), shards.all(), services.clock());
    liveSet =
        LiveSetOpening.open(
            home,
            this::schema,
            services,
            new TableObserver(this, services, changes),
            (first, last) -> TableMemtables.minTimestamp(this::memtables, first, last),
            shared);
    timestamps.noteAll(liveSet);
    reads = newReads(home.schema(), TableEncoding.of(home.schema()));
  }

  /**
   * Opens a table, without its changes in the commit log.
   *
   * @param changes receives changes of the live SSTables
   * @param shared open SSTables of the table, held by the caller meanwhile; null for none
   */
  public static TableStore open(
      TableHome home,
      Services services,
      BiConsumer<TableStore, LiveSetChange> changes,
      @Nullable View shared)
      throws IOException {
    return new TableStore(home, services, changes, shared);
  }

  /**
   * Takes over what a newer opening of the table has found, at once for each reader. What is being
   * read stays as it was.
   *
   * @param newer of the same id, to be closed by the caller
   */
  void refresh(TableStore newer) {
    timestamps.note(newer.newestTimestamp());
    if (!newer.schema().equals(schema())) {
      home = newer.home;
      definition = newer.definition;
      liveSet.alter(schema());
      reads = newReads(schema(), TableEncoding.of(schema()));
    }
    memory.refresh(newer.memory, () -> liveSet.refresh(newer.liveSet));
  }

  /** Returns an empty memtable, see {@link TableMemtables.Factory}. */
  Memtable newMemtable(RowEncoding encoding, boolean isSingle) {
    // A read-only database has no concurrent writers, so that one shard is enough.
    return services.settings().isReadOnly()
        ? new Memtable(encoding, 1, services.budget())
        : new Memtable(
            encoding,
            isSingle ? 1 : Memtable.DEFAULT_SHARDS,
            services.memory().memtables().memory());
  }

  private ReadSources newReads(TableSchema schema, TableEncoding encoding) {
    return new ReadSources(
        schema,
        encoding,
        this::memtables,
        liveSet,
        services.memory().readers(),
        SequentialAccess.SCAN.withAhead(services.background().scans()),
        statistics,
        new SlowReads(id(), services.settings().slowReadNanos(), readListener),
        damage);
  }

  /** Notes the timestamps of SSTables that may have changes that were not logged. */
  void continueAfterUnlogged(AutomaticTimestamps automatic) {
    automatic.continueAfterUnlogged(liveSet, services.hostId());
  }

  TableTimestamps timestamps() {
    return timestamps;
  }

  /**
   * Returns the greatest timestamp that SSTables and the commit log had at the opening, or imported
   * SSTables have; {@link DeletionTime#NO_TIMESTAMP} for none.
   */
  public long newestTimestamp() {
    return timestamps.newestNoted();
  }

  /**
   * Returns the greatest timestamp of all that the table has or has had since the opening; {@link
   * DeletionTime#NO_TIMESTAMP} for none.
   */
  long newestWritten() {
    lockShards();
    try {
      return timestamps.newestOfAll();
    } finally {
      unlockShards();
    }
  }

  /**
   * Returns a timestamp greater than those of all earlier writes to the table, and less than those
   * of all later writes of a key-value store.
   *
   * @throws IllegalStateException if the table has a timestamp beyond which a store cannot write
   */
  public long timestampOfNow() {
    // While all locks are held, no write is between its timestamp and its memtable.
    lockShards();
    try {
      return timestamps.nextOfAll();
    } finally {
      unlockShards();
    }
  }

  /**
   * Returns whether a partition may have data of a greater timestamp. The caller holds the lock of
   * its shard.
   */
  public boolean mayHaveNewer(PartitionKey key, long micros) {
    return timestamps.newestOf(shardOf(key)) > micros;
  }

  /** Returns whether the table has the form of a key-value store. */
  boolean isKeyValueTable() {
    return definition.keyValueViolation() == null;
  }

  /** Returns the table's keyspace, name and id. */
  @Override
  public TableId id() {
    return definition.id();
  }

  /** Returns the present columns and options. */
  public TableSchema schema() {
    return definition.schema();
  }

  @Override
  public Partitioner partitioner() {
    return services.partitioner();
  }

  @Override
  public long nowSeconds() {
    return services.clock().nowSeconds();
  }

  /**
   * Returns the end of an error message about a query or mutation that was made for another table.
   */
  @Override
  public String refusalOf(TableSchema made) {
    boolean isNamesake = made.keyspace().equals(id().keyspace()) && made.name().equals(id().name());
    return isNamesake
        ? " is of another table of that name, with another id than " + id().id()
        : " is not of " + this;
  }

  WriteThrottle pace() {
    return pace;
  }

  /**
   * Sets the write throttle by the compaction debt.
   *
   * @param softBytes the debt from which on writers are slowed down
   * @param hardBytes the debt at which they are slowest, more than {@code softBytes}
   */
  public void pace(long debtBytes, long softBytes, long hardBytes) {
    long rate = WriteThrottle.of(debtBytes, softBytes, hardBytes);
    if (pace.set(rate) > 0 != rate > 0) {
      services.listener().writesSlowed(new EngineListener.WritesSlowed(id(), debtBytes, rate));
    }
  }

  /** Ends the write throttle, so that writers that wait can finish before the table is closed. */
  public void endPace() {
    pace.end();
  }

  TableHome home() {
    return home;
  }

  TableDefinition definition() {
    return definition;
  }

  /**
   * Returns the present memtables.
   *
   * @throws IllegalStateException if the table is closed
   */
  Memtables memtables() {
    Memtables present = memory.present();
    if (present == null) {
      throw new IllegalStateException(this + (dropped ? " was dropped" : " is closed"));
    }
    return present;
  }

  /**
   * Checks that the table is open.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public void requireOpen() {
    memtables();
  }

  /** Returns the SSTables of the table. */
  public LiveSet liveSet() {
    return liveSet;
  }

  /**
   * Returns the live SSTables, to be released by the caller.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public View acquire() {
    return reads.acquire();
  }

  /** Returns the sources of reads by the present definition. */
  @Override
  public ReadSources reads() {
    return reads;
  }

  /**
   * Returns the sources of reads by another definition, such as that of a query made before the
   * table was altered. Cells of columns that were dropped since stay hidden.
   */
  @Override
  public ReadSources readsBy(TableSchema other) {
    return newReads(
        other, new TableEncoding(TableEncoding.of(other).rows(), schema().droppedColumns()));
  }

  /** Returns a factory of queries for the present definition. */
  public QueryFactory queries() {
    return definition.queries();
  }

  /** Returns a factory of mutations for the present definition. */
  public MutationFactory mutations() {
    return definition.mutations();
  }

  /** Returns the cost of reads since the opening. */
  public ReadSummary readSummary() {
    return statistics.summary();
  }

  /** Returns the size and content of the active memtable. */
  public MemtableStatistics memtableStatistics() {
    return memtables().active().statistics();
  }

  /** Returns how many memtables wait for a flush or are being flushed. */
  public int sealedMemtables() {
    return memtables().flushing().size();
  }

  /** Returns the cost of writes since the opening. */
  public WriteSummary writeSummary() {
    return writes.summary();
  }

  /** Counts a write of some mutations, which readers see now. */
  void countWrite(long nanos, int mutations) {
    writes.add(nanos, mutations);
  }

  /** Returns the locks of its writers. */
  WriteShards shards() {
    return shards;
  }

  /** Returns the shard of a partition among as many as a large memtable has. */
  public int shardOf(PartitionKey key) {
    return Memtable.shardOf(key, Memtable.DEFAULT_SHARDS);
  }

  /**
   * Returns whether the table was dropped, which changes only with the locks of all shards held.
   */
  public boolean isDropped() {
    return dropped;
  }

  /** Returns the active and the sealed memtables. */
  TableMemtables memory() {
    return memory;
  }

  /** Returns the flushes of the table. */
  FlushQueue flushes() {
    return flushes;
  }

  /** Returns the locks of all shards, in the order in which they are taken. */
  List<ReentrantLock> shardLocks() {
    return shards.locks();
  }

  /** Returns a snapshot of all partitions at one moment. To be closed by the caller. */
  public TableSnapshot consistentSnapshot() {
    int locks = shards.lockWriters();
    try {
      return reads.snapshot();
    } finally {
      shards.unlockWriters(locks);
    }
  }

  void lockShards() {
    shards.lockAll();
  }

  void unlockShards() {
    shards.unlockAll();
  }

  // The following methods are called with the locks of all shards held, or before another thread
  // knows the table.

  /**
   * Seals the active memtable, if it is not empty, and begins a new one.
   *
   * @param position of the log now
   */
  void seal(CommitLogPosition position) {
    if (definition.isLogged()) {
      memory.seal(position, definition.encoding());
    } else {
      // No part of the log is in the memtable, so that its SSTable must not claim any.
      memory.seal(CommitLogIntervals.NONE, definition.encoding());
      memory.restart(position);
    }
  }

  /**
   * Seals the active memtable before a truncation, which removes all sealed memtables, too.
   *
   * @param generation below which all SSTables are dropped together with the memtables
   */
  void sealForTruncation(CommitLogPosition position, long generation) {
    seal(position);
    memory.removeWith(generation);
  }

  /** Begins to write changes to a log. */
  void begin(CommitLog log, CommitLogPosition position) {
    definition = definition.continuedIn(log);
    memory.seal(CommitLogIntervals.NONE, definition.encoding());
    memory.restart(position);
  }

  /** Takes another definition, which is durable already. */
  void alter(TableHome altered, TableDefinition next, CommitLogPosition position) {
    seal(position);
    home = altered;
    definition = next;
    memory.seal(CommitLogIntervals.NONE, definition.encoding());
    liveSet.alter(altered.schema());
    reads = newReads(altered.schema(), TableEncoding.of(altered.schema()));
  }

  /** Accepts writes again, after a drop that has failed. */
  void markPresent() {
    dropped = false;
    pace.resume();
  }

  /** Refuses further writes. */
  void markDropped() {
    dropped = true;
    pace.end();
  }

  /** Releases the memtables; SSTables are closed when their last reader has released them. */
  @Override
  public void close() {
    memory.close();
    liveSet.close();
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
