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
 * Binds the meters of a database, all named {@code siltstone.…}, to Micrometer registries.
 *
 * <pre>
 *   new DatabaseMetrics(database, compaction, Tags.of("database", "sessions")).bindTo(registry);
 * </pre>
 *
 * <p>Meters of a table have the tags {@code keyspace} and {@code table}:
 *
 * <pre>
 *   siltstone.reads, .scans, .writes        timers: number and total duration
 *   siltstone.mutations                     counter: each mutation of a batch counts
 *   siltstone.reads.latency                 with the tag quantile: 0.5, 0.99, 0.999; since the
 *   siltstone.writes.latency                database was opened
 *   siltstone.reads.sstables, .chunks       counters: what reads had to search
 *   siltstone.reads.bytes
 *   siltstone.bloom.false.positives
 *   siltstone.reads.timedout, siltstone.reads.cancelled
 *   siltstone.sstables, .sstables.size      live SSTables, size of their data files
 *   siltstone.data.size                     uncompressed size of their data
 *   siltstone.memtable.rows, .size          of the active memtable
 *   siltstone.flushes.pending
 *   siltstone.flush                         timer; written bytes: siltstone.flush.written
 *   siltstone.compaction                    timer, tags operation and outcome (done, failed)
 *   siltstone.compaction.read, .written     size of data files
 *   siltstone.compaction.pending, .debt     jobs, and bytes to be read
 *   siltstone.slow.reads, .write.stalls     timers of events
 * </pre>
 *
 * Meters of the database have only the tags {@code kind}, {@code cache} and {@code result}:
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
 * <p>Meters of tables are added and removed with the tables. A registry does not keep a database
 * alive: after it is closed, its gauges are NaN and its counters keep their values. Safe for use by
 * all threads; closing this, before or after the database, removes the meters.
 */
public final class DatabaseMetrics implements MeterBinder, AutoCloseable {
  private final Database database;
  private final @Nullable CompactionService compaction;
  private final Tags tags;
  private final List<BoundMeters> bound = new ArrayList<>();

  /** Takes a database, without a compaction service and without tags. */
  public DatabaseMetrics(Database database) {
    this(database, null, Tags.empty());
  }

  /**
   * Takes a database.
   *
   * @param compaction service that it was opened with, or null if it is not available
   * @param tags of all its meters; they distinguish it from other databases in the same registry
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
