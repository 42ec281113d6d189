package com.example.weather;

import io.siltstone.event.EngineListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the events of the engine that matter to an operator of the service. */
final class EngineLog implements EngineListener {
  private static final Logger log = LoggerFactory.getLogger(EngineLog.class);

  @Override
  public void flushCompleted(FlushCompleted event) {
    log.info("{}: {} bytes flushed", event.table(), event.bytes());
  }

  @Override
  public void compactionCompleted(CompactionCompleted event) {
    log.info(
        "{}: {} files of {} bytes became {} of {}",
        event.table(),
        event.inputs().size(),
        event.totals().bytesRead(),
        event.outputs().size(),
        event.totals().bytesWritten());
  }

  @Override
  public void compactionFailed(CompactionFailed event) {
    log.error("{}: {} failed", event.table(), event.operation(), event.cause());
  }

  @Override
  public void corruptionFound(CorruptionFound event) {
    log.error("damaged: {}", event.path(), event.cause());
  }

  @Override
  public void engineReadOnly(EngineReadOnly event) {
    log.error("no more writes until a restart: {}", event.reason(), event.cause());
  }

  @Override
  public void writesSlowed(WritesSlowed event) {
    log.warn(
        "{}: compaction is {} bytes behind, {} bytes a second are written (0: no limit)",
        event.table(),
        event.debtBytes(),
        event.bytesPerSecond());
  }
}
