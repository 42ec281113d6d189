package io.siltstone.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.siltstone.Database;
import io.siltstone.DatabaseState;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.bytes.TimeUuids;
import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.schema.TableId;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.statistics.Distribution;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a database in one registry. The database refers to this as its listener, and the
 * registry refers to it weakly, so it lives as long as the database. Safe for use by all threads.
 */
final class BoundMeters implements EngineListener {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final MeterRegistry registry;
  private final Tags tags;
  private final EventMeters events;
  // Guarded by this.
  private final Map<TableId, MeterSet<TableStatistics>> tables = new HashMap<>();
  private final MeterSet<DatabaseStatistics> whole;
  private final @Nullable MeterSet<CompactionService> compaction;
  private boolean isClosed;

  private BoundMeters(
      Database database,
      @Nullable CompactionService compaction,
      Tags tags,
      MeterRegistry registry) {
    this.database = database;
    this.registry = registry;
    this.tags = tags;
    this.events = new EventMeters(registry, tags);
    this.whole =
        ofDatabase(new MeterSet<>(registry, tags, new CachedFigures<>(database::statistics)));
    this.compaction =
        compaction == null
            ? null
            : ofCompaction(new MeterSet<>(registry, tags, new CachedFigures<>(() -> compaction)));
  }

  static BoundMeters bind(
      Database database,
      @Nullable CompactionService compaction,
      Tags tags,
      MeterRegistry registry) {
    BoundMeters meters = new BoundMeters(database, compaction, tags, registry);
    try {
      database.addListener(meters.events);
      meters.follow();
    } catch (RuntimeException | Error e) {
      meters.close();
      throw e;
    }
    return meters;
  }

  private synchronized void follow() {
    // Events of tables created or dropped from now on wait for this method to end.
    database.addListener(this);
    database.tables().forEach(this::add);
  }

  /** Adds the meters of a table, which may have been dropped since the lock was taken. */
  private void add(Table table) {
    if (!isClosed && !tables.containsKey(table.id())) {
      TableId id = table.id();
      // A previous table of the same name was dropped, whose event may come later. Meters go by
      // names.
      tables.keySet().stream()
          .filter(other -> other.keyspace().equals(id.keyspace()) && other.name().equals(id.name()))
          .toList()
          .forEach(this::remove);
      events.add(id);
      tables.put(
          id,
          ofTable(
              new MeterSet<>(
                  registry,
                  tags.and("keyspace", id.keyspace(), "table", id.name()),
                  new CachedFigures<>(table::statistics))));
    }
  }

  private void remove(TableId table) {
    MeterSet<TableStatistics> gone = tables.remove(table);
    if (gone != null) {
      gone.remove();
      events.remove(table);
    }
  }

  @Override
  public synchronized void tableCreated(TableCreated event) {
    // The table may have been dropped meanwhile.
    database.findTable(event.table().keyspace(), event.table().name()).ifPresent(this::add);
  }

  @Override
  public synchronized void tableDropped(TableDropped event) {
    remove(event.table());
  }

  private static MeterSet<DatabaseStatistics> ofDatabase(MeterSet<DatabaseStatistics> meters) {
    for (MemoryKind kind : MemoryKind.values()) {
      meters.bytes(
          "siltstone.memory.used",
          "Off-heap memory by its purpose",
          of -> of.offHeap().bytesByKind().getOrDefault(kind, 0L),
          "kind",
          kind.name().toLowerCase(Locale.ROOT));
    }
    cache(meters, "chunk", DatabaseStatistics::chunkCache);
    cache(meters, "key", DatabaseStatistics::keyCache);
    return meters
        .bytes(
            "siltstone.memory.limit", "Limit of off-heap memory", of -> of.offHeap().limitBytes())
        .bytes(
            "siltstone.memtables.size",
            "Size of memtables, on and off the heap",
            of -> of.memtables().bytes())
        .bytes(
            "siltstone.commitlog.size",
            "Size of commit log segments that are still needed",
            DatabaseStatistics::commitLogBytes)
        .gauge(
            "siltstone.handles.open",
            "Rows, cursors, snapshots and iterators that are open",
            DatabaseStatistics::openHandles)
        .gauge(
            "siltstone.writable",
            "1 if the database accepts changes; 0 after a failure, or if opened for"
                + " reading only",
            of -> of.state() == DatabaseState.OPEN ? 1 : 0);
  }

  private static void cache(
      MeterSet<DatabaseStatistics> meters,
      String name,
      Function<DatabaseStatistics, CacheStatistics> of) {
    String gets = "siltstone.cache.gets";
    String description = "Lookups in a cache";
    meters
        .counter(gets, description, all -> of.apply(all).hits(), "cache", name, "result", "hit")
        .counter(gets, description, all -> of.apply(all).misses(), "cache", name, "result", "miss")
        .counter(
            "siltstone.cache.evictions",
            "Evicted entries",
            all -> of.apply(all).evictions(),
            "cache",
            name)
        .bytes(
            "siltstone.cache.size", "Size of a cache", all -> of.apply(all).bytes(), "cache", name);
  }

  private static MeterSet<CompactionService> ofCompaction(MeterSet<CompactionService> meters) {
    return meters
        .gauge("siltstone.compaction.running", "Running jobs", of -> of.running().size())
        .bytes(
            "siltstone.compaction.throughput.limit",
            "Limit of bytes read per second, 0 for none",
            CompactionService::bytesPerSecond);
  }

  private static MeterSet<TableStatistics> ofTable(MeterSet<TableStatistics> meters) {
    return meters
        .timer("siltstone.reads", "Reads of one partition", of -> of.reads().readMicros())
        .timer("siltstone.scans", "Scans of several partitions", of -> of.reads().scanMicros())
        .timer("siltstone.writes", "Writes; a batch counts once", of -> of.writes().micros())
        .counter(
            "siltstone.mutations",
            "Mutations written; each mutation of a batch counts",
            of -> of.writes().mutations())
        .quantiles(
            "siltstone.reads.latency",
            "Latency of reads since the database was opened",
            of -> of.reads().readMicros())
        .quantiles(
            "siltstone.writes.latency",
            "Latency of writes since the database was opened",
            of -> of.writes().micros())
        .counter(
            "siltstone.reads.sstables",
            "SSTables that had the partition of a read",
            sum(of -> of.reads().sstables()))
        .counter(
            "siltstone.reads.chunks",
            "Chunks that reads fetched from files",
            sum(of -> of.reads().chunks()))
        .byteCounter(
            "siltstone.reads.bytes",
            "Bytes of those chunks, as stored",
            sum(of -> of.reads().bytes()))
        .counter(
            "siltstone.bloom.false.positives",
            "False positives of bloom filters",
            of -> of.reads().filterFalsePositives())
        .counter(
            "siltstone.reads.timedout",
            "Queries and iterators that their timeout has ended",
            of -> of.reads().timedOut())
        .counter(
            "siltstone.reads.cancelled",
            "Queries and iterators that were cancelled",
            of -> of.reads().cancelled())
        .gauge("siltstone.sstables", "Live SSTables", of -> of.sstables().count())
        .bytes(
            "siltstone.sstables.size",
            "Size of their data files",
            of -> of.sstables().onDiskBytes())
        .bytes(
            "siltstone.data.size",
            "Uncompressed size of their data",
            of -> of.sstables().dataBytes())
        .gauge("siltstone.memtable.rows", "Rows in the active memtable", of -> of.memtable().rows())
        .bytes(
            "siltstone.memtable.size",
            "Off-heap memory of the active memtable",
            of -> of.memtable().memory().offHeapBytes())
        .gauge(
            "siltstone.flushes.pending",
            "Memtables that wait to be flushed or are being flushed",
            TableStatistics::memtablesFlushing)
        .byteCounter(
            "siltstone.flush.written",
            "Size of data files written by flushes",
            of -> of.traffic().flushedBytes())
        .byteCounter(
            "siltstone.compaction.read",
            "Size of data files read by compactions",
            of -> of.traffic().compactionBytesRead())
        .byteCounter(
            "siltstone.compaction.written",
            "Size of data files written by compactions",
            of -> of.traffic().compactionBytesWritten())
        .gauge(
            "siltstone.compaction.pending",
            "Compactions that wait for a thread",
            of -> of.compaction().pendingJobs())
        .bytes(
            "siltstone.compaction.debt",
            "Size of data files to be read before the strategy has nothing to do",
            of -> of.compaction().debtBytes())
        .gauge(
            "siltstone.retention.floor",
            "Least time that reads show, in seconds since 1970, or a number; NaN for none",
            of -> of.retentionFloor().map(BoundMeters::number).orElse(Double.NaN));
  }

  /** Returns the value of a time column as a number. */
  private static double number(Object time) {
    if (time instanceof Number number) {
      return number.doubleValue();
    }
    if (time instanceof Instant instant) {
      return instant.getEpochSecond() + instant.getNano() / NANOS_PER_SECOND;
    }
    if (time instanceof LocalDate date) {
      return date.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    }
    return time instanceof UUID uuid
        ? TimeUuids.ticks(uuid) / (double) TimeUuids.TICKS_PER_SECOND
        : Double.NaN;
  }

  private static ToDoubleFunction<TableStatistics> sum(Function<TableStatistics, Distribution> of) {
    return all -> of.apply(all).mean() * of.apply(all).count();
  }

  synchronized void close() {
    isClosed = true;
    database.removeListener(this);
    database.removeListener(events);
    tables.values().forEach(MeterSet::remove);
    tables.clear();
    whole.remove();
    if (compaction != null) {
      compaction.remove();
    }
    events.removeAll();
  }
}
