package io.siltstone.jmx;

import io.siltstone.Database;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The figures of an open database, which its owner closes. Safe for use by all threads. */
final class DatabaseFigures implements DatabaseMXBean {
  private final Database database;
  private final CachedValue<DatabaseStatistics> statistics;

  /** Takes an open database. */
  DatabaseFigures(Database database) {
    this.database = database;
    this.statistics = new CachedValue<>(database::statistics, System::nanoTime);
  }

  @Override
  public String getPath() {
    return database.path();
  }

  @Override
  public String getPartitioner() {
    return database.partitioner().className();
  }

  @Override
  public boolean isReadOnly() {
    return database.isReadOnly();
  }

  @Override
  public String getState() {
    return database.state().name();
  }

  @Override
  public @Nullable String getFailure() {
    return statistics.get().readOnlyReason();
  }

  @Override
  public List<String> getTables() {
    return database.tables().stream().map(Table::toString).toList();
  }

  @Override
  public long getOffHeapBytes() {
    return statistics.get().offHeap().bytes();
  }

  @Override
  public long getOffHeapLimitBytes() {
    return statistics.get().offHeap().limitBytes();
  }

  @Override
  public Map<String, Long> getOffHeapBytesByKind() {
    Map<String, Long> named = new TreeMap<>();
    statistics
        .get()
        .offHeap()
        .bytesByKind()
        .forEach((kind, bytes) -> named.put(kind.name(), bytes));
    return named;
  }

  @Override
  public long getMemtableBytes() {
    return statistics.get().memtables().bytes();
  }

  @Override
  public long getMemtableLimitBytes() {
    return statistics.get().memtables().limitBytes();
  }

  @Override
  public CacheFigures getChunkCache() {
    return CacheFigures.of(statistics.get().chunkCache());
  }

  @Override
  public CacheFigures getKeyCache() {
    return CacheFigures.of(statistics.get().keyCache());
  }

  @Override
  public long getCommitLogBytes() {
    return statistics.get().commitLogBytes();
  }

  @Override
  public int getOpenHandles() {
    return statistics.get().openHandles();
  }

  @Override
  public List<CompactionEntry> getCompactionHistory() throws IOException {
    return SerializableFailures.of(
        () -> database.compactionHistory().stream().map(CompactionEntry::of).toList());
  }

  @Override
  public void flush() throws IOException {
    SerializableFailures.of(() -> database.flush());
  }

  @Override
  public void sync() throws IOException {
    SerializableFailures.of(() -> database.sync());
  }

  @Override
  public void checkpoint(String path) throws IOException {
    SerializableFailures.of(() -> database.checkpoint(Path.of(path)));
  }
}
