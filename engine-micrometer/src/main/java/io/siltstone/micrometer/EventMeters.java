package io.siltstone.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.siltstone.event.EngineListener;
import io.siltstone.schema.TableId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Counts and times the events of a database in one registry. Safe for use by all threads. */
final class EventMeters implements EngineListener {
  private final MeterRegistry registry;
  private final Tags tags;
  // Guarded by this.
  private final Set<Meter> meters = new HashSet<>();
  private final Set<TableId> tables = new HashSet<>();
  private final Counter corruptions;
  private final Counter leaks;

  EventMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    this.corruptions = counter("siltstone.corruptions", "Damaged files that were found");
    this.leaks =
        counter(
            "siltstone.handles.leaked", "Handles that were garbage-collected without being closed");
  }

  private synchronized Counter counter(String name, String description) {
    Counter counter = Counter.builder(name).description(description).tags(tags).register(registry);
    meters.add(counter);
    return counter;
  }

  /** Enables the meters of a table. */
  synchronized void add(TableId table) {
    tables.add(table);
  }

  private synchronized void time(
      String name, String description, TableId table, Duration duration, String... more) {
    if (!tables.contains(table)) {
      // Events may come after the table was dropped, e.g. the end of a compaction.
      return;
    }
    Timer timer =
        Timer.builder(name)
            .description(description)
            .tags(tags.and("keyspace", table.keyspace(), "table", table.name()).and(more))
            .register(registry);
    meters.add(timer);
    timer.record(duration);
  }

  @Override
  public void flushCompleted(FlushCompleted event) {
    time("siltstone.flush", "Memtables flushed", event.table(), event.duration());
  }

  @Override
  public void compactionCompleted(CompactionCompleted event) {
    time(
        "siltstone.compaction",
        "Compactions",
        event.table(),
        event.duration(),
        "operation",
        event.operation(),
        "outcome",
        "done");
  }

  @Override
  public void compactionFailed(CompactionFailed event) {
    time(
        "siltstone.compaction",
        "Compactions",
        event.table(),
        Duration.ZERO,
        "operation",
        event.operation(),
        "outcome",
        "failed");
  }

  @Override
  public void slowRead(SlowRead event) {
    time("siltstone.slow.reads", "Reads over the threshold", event.table(), event.duration());
  }

  @Override
  public void writeStalled(WriteStalled event) {
    time("siltstone.write.stalls", "Writes that waited for memory", event.table(), event.waited());
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    corruptions.increment();
  }

  @Override
  public void handleLeaked(HandleLeaked event) {
    leaks.increment();
  }

  /** Removes the meters of a table, or of all tables and the database. */
  synchronized void remove(TableId table) {
    tables.remove(table);
    meters.removeIf(
        meter -> {
          boolean isOfTable =
              table.keyspace().equals(meter.getId().getTag("keyspace"))
                  && table.name().equals(meter.getId().getTag("table"));
          if (isOfTable) {
            registry.remove(meter);
          }
          return isOfTable;
        });
  }

  synchronized void removeAll() {
    tables.clear();
    meters.forEach(registry::remove);
    meters.clear();
  }
}
