package io.siltstone.table;

import io.siltstone.catalog.TableHome;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.LiveSet;
import io.siltstone.liveset.LiveSetOptions;
import io.siltstone.liveset.View;
import io.siltstone.memtable.Memtable;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One table of an open database: its definition, its memtables and its live SSTables.
 *
 * <p>Locks, in the order in which they are taken: {@link #structure}, {@link #flushing}, those of
 * shards, ascending, then those of the log and of the live set. Whoever holds all shards' locks
 * keeps every write away, and may switch memtables or change the definition; readers need none.
 *
 * <p>Safe for all threads. Closed by its owner when nobody writes or flushes any more; reads that
 * are open keep what they read.
 */
public final class TableStore implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TableStore.class);

  /** Held by whoever changes more than rows: altering, truncating, importing, dropping. */
  final ReentrantLock structure = new ReentrantLock();

  /** Held by whoever writes a memtable to an SSTable, so that it is one at a time, in order. */
  final ReentrantLock flushing = new ReentrantLock();

  /** Whether the last flush was refused the memory that it needs. */
  volatile boolean isStarved;

  private final FlushRetry flushRetry = new FlushRetry();

  /** When a flush that failed is tried again. */
  FlushRetry flushRetry() {
    return flushRetry;
  }

  /** Whether the calling thread has the memtables in hand. */
  public boolean isFlushedHere() {
    return flushing.isHeldByCurrentThread();
  }

  private final Services services;
  private final LiveSet liveSet;
  private final ReadStatistics statistics = new ReadStatistics();
  private final WriteStatistics writes = new WriteStatistics();
  private final WriteShard[] shards = new WriteShard[Memtable.DEFAULT_SHARDS];
  private final OrderedLocks shardLocks;
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
      TableHome home, Services services, BiConsumer<TableStore, LiveSetChange> changes)
      throws IOException {
    this.services = services;
    this.home = home;
    for (int i = 0; i < shards.length; i++) {
      shards[i] = new WriteShard();
    }
    shardLocks = new OrderedLocks(shardLocks());
    definition = TableDefinition.of(home.schema(), services, null);
    readListener = new UnlockedListener(services.listener(), shards);
    damage = new CorruptionReports(id(), readListener);
    timestamps = new TableTimestamps(id(), shards, services.clock());
    memory =
        new TableMemtables(
            id(), definition.encoding(), services.memory().memtables(), this::newMemtable);
    LiveSetOptions options =
        LiveSetOptions.builder(this::openTable)
            .partitioner(services.partitioner())
            .version(services.settings().version())
            .flushCompression(services.settings().flushCompression())
            .columnIndexSizeBytes(services.settings().columnIndexSizeBytes())
            .originatingHostId(services.hostId())
            .memtables((first, last) -> TableMemtables.minTimestamp(memtables(), first, last))
            .cleaner(services.background().cleaner())
            .observer(new TableObserver(this, services, changes))
            .readOnly(services.settings().isReadOnly())
            .lenient(services.settings().isLenient())
            .guard(services.guard())
            .build();
    liveSet = LiveSet.open(home.directory(), home.schema(), options, services.budget());
    noteTimestamps();
    reads = newReads(home.schema(), TableEncoding.of(home.schema()));
    for (EngineListener.CorruptionFound damage : liveSet.report().setAside()) {
      services
          .listener()
          .corruptionFound(new EngineListener.CorruptionFound(id(), damage.path(), damage.cause()));
    }
    liveSet.assumptions().forEach(services.listener()::recoveryAssumed);
    // Told as damage of the log: it is what is known of that, and the table's rows are whole.
    liveSet.flushed().damage().ifPresent(services.listener()::corruptionFound);
  }

  /**
   * Opens a table, without what the commit log has of it.
   *
   * @param changes is told of changes of the live SSTables
   */
  public static TableStore open(
      TableHome home, Services services, BiConsumer<TableStore, LiveSetChange> changes)
      throws IOException {
    return new TableStore(home, services, changes);
  }

  private Memtable newMemtable(RowEncoding encoding) {
    return new Memtable(
        encoding,
        shards.length,
        services.settings().isReadOnly()
            ? services.budget()
            : services.memory().memtables().memory());
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

  private SSTable openTable(Directory directory, Descriptor descriptor) throws IOException {
    TableSchema schema = home.schema();
    SSTableOptions options =
        SSTableOptions.DEFAULT.withCrcCheckChance(schema.options().crcCheckChance());
    return SSTable.open(
        directory,
        descriptor,
        options,
        schema.options().caching().keys()
            ? services.memory().caches()
            : services.memory().caches().withoutKeys(),
        services.budget());
  }

  private void noteTimestamps() {
    View view = liveSet.acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        timestamps.note(table.statistics().stats().maxTimestamp());
      }
    } finally {
      view.release();
    }
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
    // No write is between its timestamp and its memtable while all locks are held.
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

  /** Which table it is. */
  public TableId id() {
    return definition.id();
  }

  /** Columns and options as they are now. */
  public TableSchema schema() {
    return definition.schema();
  }

  /** Of a query or change that was made for another table: the end of a sentence on it. */
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
   * Slows writers by what compaction is behind.
   *
   * @param softBytes from which on
   * @param hardBytes at which they are slowest, more than {@code softBytes}
   */
  public void pace(long debtBytes, long softBytes, long hardBytes) {
    long rate = WriteThrottle.of(debtBytes, softBytes, hardBytes);
    if (pace.set(rate) > 0 != rate > 0) {
      services.listener().writesSlowed(new EngineListener.WritesSlowed(id(), debtBytes, rate));
    }
  }

  /** Writers are slowed no more: they are to come to their end, as the table does. */
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
   * The present memtables.
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
   * Does nothing.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public void requireOpen() {
    memtables();
  }

  /** Its SSTables. */
  public LiveSet liveSet() {
    return liveSet;
  }

  /**
   * The live SSTables now, to be released by the caller.
   *
   * @throws IllegalStateException if the table is closed or was dropped
   */
  public View acquire() {
    return reads.acquire();
  }

  /** For reads by the present definition. */
  public ReadSources reads() {
    return reads;
  }

  /**
   * For reads by another definition, such as that of a query made before the table was altered. It
   * cannot know of columns that were dropped since: what is gone of them is gone for it, too.
   */
  ReadSources readsBy(TableSchema other) {
    return newReads(
        other, new TableEncoding(TableEncoding.of(other).rows(), schema().droppedColumns()));
  }

  /** Begins queries for the present definition. */
  public QueryFactory queries() {
    return definition.queries();
  }

  /** Makes mutations for the present definition. */
  public MutationFactory mutations() {
    return definition.mutations();
  }

  /** What reads have cost since it was opened. */
  public ReadSummary readSummary() {
    return statistics.summary();
  }

  /** The memtable that takes the writes. */
  public MemtableStatistics memtableStatistics() {
    return memtables().active().statistics();
  }

  /** How many memtables wait to be written to an SSTable, or are being written. */
  public int sealedMemtables() {
    return memtables().flushing().size();
  }

  /** What writes have cost since it was opened. */
  public WriteSummary writeSummary() {
    return writes.summary();
  }

  /** Counts a write of some mutations that readers see now. */
  void countWrite(long nanos, int mutations) {
    writes.add(nanos, mutations);
  }

  WriteShard shard(int index) {
    return shards[index];
  }

  public int shardOf(PartitionKey key) {
    return Memtable.shardOf(key, shards.length);
  }

  /** Whether it was dropped; it changes only with all shards' locks held. */
  public boolean isDropped() {
    return dropped;
  }

  /** The active memtable and those that wait for their flush. */
  TableMemtables memory() {
    return memory;
  }

  /** Its flushes. */
  FlushQueue flushes() {
    return flushes;
  }

  /** The locks of all shards, in the order in which they are taken. */
  List<ReentrantLock> shardLocks() {
    return Arrays.stream(shards).map(shard -> shard.lock).toList();
  }

  /**
   * Returns a snapshot of the table at one moment, which no write divides. To be closed by the
   * caller.
   */
  public TableSnapshot consistentSnapshot() {
    lockShards();
    try {
      return reads.snapshot();
    } finally {
      unlockShards();
    }
  }

  void lockShards() {
    shardLocks.lock();
  }

  void unlockShards() {
    shardLocks.unlock();
  }

  // What follows is called with the locks of all shards held, or before anybody else knows the
  // table.

  /**
   * Puts an empty memtable in place of the active one, which is to be flushed if it has anything.
   *
   * @param position of the log now
   */
  void seal(CommitLogPosition position) {
    memory.seal(position, definition.encoding());
  }

  /**
   * Likewise, before a truncation.
   *
   * @param generation of which all lesser SSTables are dropped: with these go the rows that were
   *     written until now
   */
  void sealForTruncation(CommitLogPosition position, long generation) {
    seal(position);
    memory.removeWith(generation);
  }

  /** From now on what is written goes to that log. */
  void begin(CommitLog log, CommitLogPosition position) {
    definition = TableDefinition.of(home.schema(), services, log);
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

  /** Takes writes again, after a drop that has not happened. */
  void markPresent() {
    dropped = false;
    pace.resume();
  }

  /** Takes no more writes. */
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
