package io.siltstone;

import io.siltstone.event.EngineListener;
import io.siltstone.jfr.CompactionEvent;
import io.siltstone.jfr.CorruptionEvent;
import io.siltstone.jfr.FlushEvent;
import io.siltstone.jfr.SlowReadEvent;
import io.siltstone.schema.TableId;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes engine events to running recordings of Java Flight Recorder. Safe for use by all threads.
 */
final class FlightRecorderListener implements EngineListener {
  // The time of an event starts with its begin(), so events are kept until they end. A table has
  // one flush at a time.
  private final Map<TableId, FlushEvent> flushes = new ConcurrentHashMap<>();
  private final Map<UUID, CompactionEvent> compactions = new ConcurrentHashMap<>();

  /** Creates a listener for an engine. */
  FlightRecorderListener() {}

  @Override
  public void flushStarted(FlushStarted started) {
    FlushEvent event = new FlushEvent();
    event.table = started.table().toString();
    event.memtableBytes = started.bytes();
    event.begin();
    flushes.put(started.table(), event);
  }

  @Override
  public void flushCompleted(FlushCompleted completed) {
    FlushEvent event = flushes.remove(completed.table());
    if (event != null) {
      event.sstables = completed.outputs().size();
      event.bytesWritten = completed.bytes();
      event.commit();
    }
  }

  @Override
  public void flushFailed(FlushFailed failed) {
    FlushEvent event = flushes.remove(failed.table());
    if (event != null) {
      event.failure = failed.cause().toString();
      event.commit();
    }
  }

  @Override
  public void compactionStarted(CompactionStarted started) {
    CompactionEvent event = new CompactionEvent();
    event.table = started.table().toString();
    event.job = started.job().toString();
    event.operation = started.operation();
    event.inputs = started.inputs().size();
    event.bytesRead = started.bytes();
    event.begin();
    compactions.put(started.job(), event);
  }

  @Override
  public void compactionCompleted(CompactionCompleted completed) {
    CompactionEvent event = compactions.remove(completed.job());
    if (event != null) {
      event.outputs = completed.outputs().size();
      event.bytesRead = completed.totals().bytesRead();
      event.bytesWritten = completed.totals().bytesWritten();
      event.partitions = completed.totals().partitions();
      event.rows = completed.totals().rows();
      event.commit();
    }
  }

  @Override
  public void compactionFailed(CompactionFailed failed) {
    CompactionEvent event = compactions.remove(failed.job());
    if (event != null) {
      event.failure = failed.cause().toString();
      event.commit();
    }
  }

  @Override
  public void slowRead(SlowRead read) {
    SlowReadEvent event = new SlowReadEvent();
    event.table = read.table().toString();
    event.key = read.key();
    event.took = read.duration().toNanos();
    event.sstables = read.sstables();
    event.falsePositives = read.falsePositives();
    event.chunksRead = read.chunksRead();
    event.chunksCached = read.chunksCached();
    event.bytesRead = read.bytesRead();
    event.commit();
  }

  @Override
  public void corruptionFound(CorruptionFound found) {
    CorruptionEvent event = new CorruptionEvent();
    TableId table = found.table();
    event.table = table == null ? null : table.toString();
    event.path = found.path();
    event.reason = found.cause().getMessage();
    event.commit();
  }
}
