package io.siltstone.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.siltstone.Database;
import io.siltstone.DatabaseState;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.compaction.CompactionService;
import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.schema.TableId;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.statistics.Distribution;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a database in one registry. The database holds this as its listener, and the
 * registry holds it weakly: it lives as long as the database. Safe for all threads.
 */
final class BoundMeters implements EngineListener {
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
    this.whole = ofDatabase(new MeterSet<>(registry, tags, new Latest<>(database::statistics)));
    this.compaction =
        compaction == null
            ? null
            : ofCompaction(new MeterSet<>(registry, tags, new Latest<>(() -> compaction)));
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
    // What is created or dropped from now on is heard of, and waits for this to end.
    database.addListener(this);
    database.tables().forEach(this::add);
  }

  /** Adds those of a table that was there a moment ago, since this is locked. */
  private void add(Table table) {
    if (!isClosed && !tables.containsKey(table.id())) {
      TableId id = table.id();
      // One that had its name was dropped, which may be told later. Meters go by names.
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
                  new Latest<>(table::statistics))));
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
    // It may have been dropped since.
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
          "Off-heap memory by what it is for",
          of -> of.offHeapBytesByKind().getOrDefault(kind, 0L),
          "kind",
          kind.name().toLowerCase(Locale.ROOT));
    }
    cache(meters, "chunk", DatabaseStatistics::chunkCache);
    cache(meters, "key", DatabaseStatistics::keyCache);
    return meters
        .bytes(
            "siltstone.memory.limit", "Most off-heap memory", DatabaseStatistics::offHeapLimitBytes)
        .bytes(
            "siltstone.memtables.size",
            "What memtables take, on and off the heap",
            DatabaseStatistics::memtableBytes)
        .bytes(
            "siltstone.commitlog.size",
            "Segments on the disk that are still needed",
            DatabaseStatistics::commitLogBytes)
        .gauge(
            "siltstone.handles.open",
            "Rows, cursors, snapshots and iterators that are open",
            DatabaseStatistics::openHandles)
        .gauge(
            "siltstone.writable",
            "1 if the database takes changes, 0 if not: after a failure, or opened for reading only",
            of -> of.state() == DatabaseState.OPEN ? 1 : 0);
  }

  private static void cache(
      MeterSet<DatabaseStatistics> meters,
      String name,
      Function<DatabaseStatistics, CacheStatistics> of) {
    String gets = "siltstone.cache.gets";
    String description = "Look-ups in a cache";
    meters
        .counter(gets, description, all -> of.apply(all).hits(), "cache", name, "result", "hit")
        .counter(gets, description, all -> of.apply(all).misses(), "cache", name, "result", "miss")
        .counter(
            "siltstone.cache.evictions",
            "Entries that gave way to others",
            all -> of.apply(all).evictions(),
            "cache",
            name)
        .bytes(
            "siltstone.cache.size",
            "What a cache takes",
            all -> of.apply(all).bytes(),
            "cache",
            name);
  }

  private static MeterSet<CompactionService> ofCompaction(MeterSet<CompactionService> meters) {
    return meters
        .gauge("siltstone.compaction.running", "Jobs that run", of -> of.running().size())
        .bytes(
            "siltstone.compaction.throughput.limit",
            "Most that is read per second, 0 for no limit",
            CompactionService::bytesPerSecond);
  }

  private static MeterSet<TableStatistics> ofTable(MeterSet<TableStatistics> meters) {
    return meters
        .timer("siltstone.reads", "Reads of a partition", of -> of.reads().readMicros())
        .timer("siltstone.scans", "Scans of several partitions", of -> of.reads().scanMicros())
        .timer("siltstone.writes", "Writes, a batch as one", of -> of.writes().micros())
        .counter(
            "siltstone.mutations",
            "Mutations written, each of a batch by itself",
            of -> of.writes().mutations())
        .quantiles(
            "siltstone.reads.latency",
            "What reads took since the database was opened",
            of -> of.reads().readMicros())
        .quantiles(
            "siltstone.writes.latency",
            "What writes took since the database was opened",
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
            "Keys that a bloom filter let through in vain",
            of -> of.reads().filterFalsePositives())
        .gauge("siltstone.sstables", "Live SSTables", TableStatistics::sstables)
        .bytes("siltstone.sstables.size", "Their data files", TableStatistics::onDiskBytes)
        .bytes("siltstone.data.size", "Their data, uncompressed", TableStatistics::dataBytes)
        .gauge(
            "siltstone.memtable.rows",
            "Rows in the memtable that takes the writes",
            of -> of.memtable().rows())
        .bytes(
            "siltstone.memtable.size",
            "Off-heap memory of that memtable",
            of -> of.memtable().offHeapBytes())
        .gauge(
            "siltstone.flushes.pending",
            "Memtables that wait to be written or are being written",
            TableStatistics::memtablesFlushing)
        .byteCounter(
            "siltstone.flush.written",
            "Data files that flushes have written",
            of -> of.traffic().flushedBytes())
        .byteCounter(
            "siltstone.compaction.read",
            "Data files that compactions have read",
            of -> of.traffic().compactionBytesRead())
        .byteCounter(
            "siltstone.compaction.written",
            "Data files that compactions have written",
            of -> of.traffic().compactionBytesWritten())
        .gauge(
            "siltstone.compaction.pending",
            "Compactions that wait for a thread",
            of -> of.compaction().pendingJobs())
        .bytes(
            "siltstone.compaction.debt",
            "Data files to be read before the strategy has nothing to do",
            of -> of.compaction().debtBytes());
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
