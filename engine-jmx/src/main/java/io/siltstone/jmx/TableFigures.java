package io.siltstone.jmx;

import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.statistics.Distribution;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a table of an open database, or of SSTables that are not open; the caller keeps
 * and closes both. Safe for use by all threads.
 */
final class TableFigures implements TableMXBean {
  private final TableSource source;
  private final CachedValue<StoredSummary> stored;
  private final CachedValue<Optional<TableStatistics>> statistics;
  private final CachedValue<CompactionState> compaction;
  private final CachedValue<Optional<Object>> retentionFloor;

  private TableFigures(TableSource source) {
    this.source = source;
    this.stored = new CachedValue<>(source::stored, System::nanoTime);
    this.statistics = new CachedValue<>(source::statistics, System::nanoTime);
    this.compaction = new CachedValue<>(source::compaction, System::nanoTime);
    this.retentionFloor = new CachedValue<>(source::retentionFloor, System::nanoTime);
  }

  /** Returns the figures of a table of an open database. */
  static TableFigures of(Table table) {
    return new TableFigures(new OpenTableSource(table));
  }

  /**
   * Returns the figures of SSTables that no database has open. The operations throw {@link
   * UnsupportedOperationException}.
   *
   * @param options of the table, null if its schema is not known
   * @param stored summary of the SSTables
   * @param compaction what the strategy would do with them
   * @param retentionFloor of the table; empty if it has none or it is not known
   */
  static TableFigures ofFiles(
      String keyspace,
      String name,
      @Nullable TableOptions options,
      StoredSummary stored,
      CompactionState compaction,
      Optional<Object> retentionFloor) {
    return new TableFigures(
        new StoredTableSource(
            keyspace, name, Optional.ofNullable(options), stored, compaction, retentionFloor));
  }

  private long count(ToLongFunction<TableStatistics> of) {
    return statistics.get().map(each -> of.applyAsLong(each)).orElse(0L);
  }

  private @Nullable DistributionFigures distribution(Function<TableStatistics, Distribution> of) {
    return statistics.get().map(of).map(DistributionFigures::of).orElse(null);
  }

  @Override
  public String getKeyspace() {
    return source.keyspace();
  }

  @Override
  public String getName() {
    return source.name();
  }

  @Override
  public Map<String, String> getCompactionOptions() {
    return source.options().map(TableOptions::compaction).orElse(Map.of());
  }

  @Override
  public Map<String, String> getCompressionOptions() {
    return source.options().map(options -> options.compression().toMap()).orElse(Map.of());
  }

  @Override
  public boolean isOpen() {
    return statistics.get().isPresent();
  }

  @Override
  public int getSSTableCount() {
    return stored.get().sstables();
  }

  @Override
  public int[] getSSTableCountPerLevel() {
    return stored.get().levels().sstables().stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public long[] getSSTableBytesPerLevel() {
    return stored.get().levels().bytes().stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public long getMaxSSTableBytes() {
    return stored.get().sizes().largest();
  }

  @Override
  public long getLiveBytes() {
    return stored.get().sizes().onDisk();
  }

  @Override
  public long getDataBytes() {
    return stored.get().sizes().data();
  }

  @Override
  public double getCompressionRatio() {
    return stored.get().sizes().compressionRatio();
  }

  @Override
  public long getPartitionsEstimate() {
    return stored.get().counts().partitions() + count(each -> each.memtable().partitions());
  }

  @Override
  public long getRows() {
    return stored.get().counts().rows();
  }

  @Override
  public DistributionFigures getPartitionBytes() {
    return DistributionFigures.of(stored.get().counts().partitionSizes());
  }

  @Override
  public DistributionFigures getCellsPerPartition() {
    return DistributionFigures.of(stored.get().counts().cellsPerPartition());
  }

  @Override
  public double getDroppableTombstoneRatio() {
    return stored.get().counts().droppableTombstoneRatio();
  }

  @Override
  public long getMinTimestamp() {
    return stored.get().timestamps().min();
  }

  @Override
  public long getMaxTimestamp() {
    return stored.get().timestamps().max();
  }

  @Override
  public @Nullable String getRetentionFloor() {
    return retentionFloor.get().map(Object::toString).orElse(null);
  }

  @Override
  public long getRepairedBytes() {
    return stored.get().sizes().repaired();
  }

  @Override
  public long getBloomFilterBytes() {
    return stored.get().sizes().filters();
  }

  @Override
  public long getBloomFilterOffHeapBytes() {
    return stored.get().offHeap().filters();
  }

  @Override
  public long getIndexSummaryOffHeapBytes() {
    return stored.get().offHeap().summaries();
  }

  @Override
  public long getCompressionMetadataOffHeapBytes() {
    return stored.get().offHeap().offsets();
  }

  @Override
  public long getMemtableRows() {
    return count(each -> each.memtable().rows());
  }

  @Override
  public long getMemtableDataBytes() {
    return count(each -> each.memtable().dataBytes());
  }

  @Override
  public long getMemtableOffHeapBytes() {
    return count(each -> each.memtable().memory().offHeapBytes());
  }

  @Override
  public int getPendingFlushes() {
    return (int) count(TableStatistics::memtablesFlushing);
  }

  @Override
  public long getReadCount() {
    return count(each -> each.reads().readMicros().count());
  }

  @Override
  public @Nullable DistributionFigures getReadLatencyMicros() {
    return distribution(each -> each.reads().readMicros());
  }

  @Override
  public long getScanCount() {
    return count(each -> each.reads().scanMicros().count());
  }

  @Override
  public @Nullable DistributionFigures getScanLatencyMicros() {
    return distribution(each -> each.reads().scanMicros());
  }

  @Override
  public long getWriteCount() {
    return count(each -> each.writes().mutations());
  }

  @Override
  public @Nullable DistributionFigures getWriteLatencyMicros() {
    return distribution(each -> each.writes().micros());
  }

  @Override
  public @Nullable DistributionFigures getSSTablesPerRead() {
    return distribution(each -> each.reads().sstables());
  }

  @Override
  public @Nullable DistributionFigures getChunksPerRead() {
    return distribution(each -> each.reads().chunks());
  }

  @Override
  public @Nullable DistributionFigures getDiskBytesPerRead() {
    return distribution(each -> each.reads().bytes());
  }

  @Override
  public long getBloomFilterFalsePositives() {
    return count(each -> each.reads().filterFalsePositives());
  }

  @Override
  public long getTimedOutReads() {
    return count(each -> each.reads().timedOut());
  }

  @Override
  public long getCancelledReads() {
    return count(each -> each.reads().cancelled());
  }

  @Override
  public long getFlushes() {
    return count(each -> each.traffic().flushes());
  }

  @Override
  public long getFlushedBytes() {
    return count(each -> each.traffic().flushedBytes());
  }

  @Override
  public long getCompactions() {
    return count(each -> each.traffic().compactions());
  }

  @Override
  public long getCompactionBytesRead() {
    return count(each -> each.traffic().compactionBytesRead());
  }

  @Override
  public long getCompactionBytesWritten() {
    return count(each -> each.traffic().compactionBytesWritten());
  }

  @Override
  public double getWriteAmplification() {
    return statistics.get().map(each -> each.traffic().writeAmplification()).orElse(0.0);
  }

  @Override
  public int getPendingCompactions() {
    return compaction.get().pendingJobs();
  }

  @Override
  public int getRunningCompactions() {
    return compaction.get().runningJobs();
  }

  @Override
  public long getCompactionDebtBytes() {
    return compaction.get().debtBytes();
  }

  @Override
  public boolean raiseRetentionFloor(String value) throws IOException {
    return SerializableFailures.of(() -> source.raiseRetentionFloor(value));
  }

  @Override
  public void flush() throws IOException {
    SerializableFailures.of(source::flush);
  }

  @Override
  public String compact() throws IOException {
    return SerializableFailures.of(source::compact);
  }
}
