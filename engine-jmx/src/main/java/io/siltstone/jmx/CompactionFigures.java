package io.siltstone.jmx;

import io.siltstone.Database;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionService;
import io.siltstone.schema.TableId;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The compaction of an open database; the owners close database and service. Safe for use by all
 * threads.
 */
final class CompactionFigures implements CompactionMXBean {
  private final Database database;
  private final CompactionService service;

  /**
   * @param service that compacts the database
   */
  CompactionFigures(Database database, CompactionService service) {
    this.database = database;
    this.service = service;
  }

  @Override
  public int getConcurrentCompactors() {
    return service.options().compactors();
  }

  @Override
  public long getBytesPerSecond() {
    return service.bytesPerSecond();
  }

  @Override
  public void setBytesPerSecond(long value) {
    service.bytesPerSecond(value);
  }

  @Override
  public boolean isPaused() {
    return service.isPaused();
  }

  @Override
  public List<CompactionJob> getRunning() {
    Set<TableId> own = database.tables().stream().map(Table::id).collect(Collectors.toSet());
    return service.running().stream()
        .filter(job -> own.contains(job.table()))
        .map(CompactionJob::of)
        .toList();
  }

  @Override
  public void pause() {
    service.pause();
  }

  @Override
  public void resume() {
    service.resume();
  }

  @Override
  public boolean cancel(String job) {
    return service.cancel(UUID.fromString(job));
  }
}
