package io.siltstone.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.siltstone.Database;
import io.siltstone.compaction.CompactionService;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a database, all named {@code siltstone.…}.
 *
 * <pre>
 *   new DatabaseMetrics(database, compaction, Tags.of("database", "sessions")).bindTo(registry);
 * </pre>
 *
 * <p>Those of a table have the tags {@code keyspace} and {@code table}:
 *
 * <pre>
 *   siltstone.reads, .scans, .writes        timers: how many, and how long all together
 *   siltstone.mutations                     counter: those of batches one by one
 *   siltstone.reads.latency                 with the tag quantile: 0.5, 0.99, 0.999; since the
 *   siltstone.writes.latency                database was opened
 *   siltstone.reads.sstables, .chunks       counters: what reads had to look at
 *   siltstone.reads.bytes
 *   siltstone.bloom.false.positives
 *   siltstone.sstables, .sstables.size      live SSTables, bytes of their data files
 *   siltstone.data.size                     bytes of their data, uncompressed
 *   siltstone.memtable.rows, .size          of the memtable that takes the writes
 *   siltstone.flushes.pending
 *   siltstone.flush                         timer; written bytes: siltstone.flush.written
 *   siltstone.compaction                    timer, tags operation and outcome (done, failed)
 *   siltstone.compaction.read, .written     bytes of data files
 *   siltstone.compaction.pending, .debt     jobs, and bytes to be read
 *   siltstone.slow.reads, .write.stalls     timers of events
 * </pre>
 *
 * Those of the database have none but {@code kind}, {@code cache} and {@code result}:
 *
 * <pre>
 *   siltstone.memory.used (kind), .limit    off-heap
 *   siltstone.memtables.size
 *   siltstone.cache.gets (cache, result), .evictions (cache), .size (cache)
 *   siltstone.commitlog.size, siltstone.handles.open, siltstone.handles.leaked
 *   siltstone.corruptions
 *   siltstone.writable                      0 after a failure that ends all changes
 *   siltstone.compaction.running, .throughput.limit   of the compaction service
 * </pre>
 *
 * <p>Meters of tables come and go with the tables. A registry does not keep a database alive: once
 * that is closed its gauges are NaN, and its counters stay where they were. Safe for all threads;
 * closing it, before or after the database, removes the meters.
 */
public final class DatabaseMetrics implements MeterBinder, AutoCloseable {
  private final Database database;
  private final @Nullable CompactionService compaction;
  private final Tags tags;
  private final List<BoundMeters> bound = new ArrayList<>();

  /** Of a database alone, without tags of one's own. */
  public DatabaseMetrics(Database database) {
    this(database, null, Tags.empty());
  }

  /**
   * Of a database.
   *
   * @param compaction that it was opened with, or null if it is not at hand
   * @param tags of all its meters; what tells it from other databases in the same registry
   */
  public DatabaseMetrics(
      Database database, @Nullable CompactionService compaction, Iterable<Tag> tags) {
    this.database = database;
    this.compaction = compaction;
    this.tags = Tags.of(tags);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    bound.add(BoundMeters.bind(database, compaction, tags, registry));
  }

  /** Removes the meters from all registries. A second call does nothing. */
  @Override
  public synchronized void close() {
    bound.forEach(BoundMeters::close);
    bound.clear();
  }
}
