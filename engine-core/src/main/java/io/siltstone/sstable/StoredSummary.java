package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.metadata.CardinalityEstimator;
import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What several SSTables of one table have together, as their {@code Statistics.db} and the lengths
 * of their files tell; no row is read. Immutable.
 *
 * @param sstables how many
 * @param sstablesByLevel how many of them are on level 0, 1 and so on, up to 99; all on level 0
 *     unless they are of leveled compaction
 * @param bytesByLevel of all files of those
 * @param onDiskBytes of all files
 * @param largestBytes of all files of the largest
 * @param dataBytes of the data, uncompressed
 * @param compressionRatio length of compressed data files by that of their data, uncompressed;
 *     {@link StatsMetadata#NO_COMPRESSION_RATIO} if none is compressed
 * @param filterBytes of {@code Filter.db}s
 * @param filterOffHeapBytes of bloom filters in memory
 * @param summaryOffHeapBytes of index summaries in memory
 * @param offsetsOffHeapBytes of chunk offsets in memory
 * @param partitions estimated, those that several have counted once
 * @param rows static ones included; those that several have counted as often
 * @param partitionSizes in bytes of the data, uncompressed
 * @param cellsPerPartition tombstones among them
 * @param droppableTombstoneRatio estimated share of cells, 0 to 1, that are tombstones which may go
 * @param minTimestamp in microseconds; {@link Long#MAX_VALUE} without SSTables
 * @param maxTimestamp in microseconds; {@link Long#MIN_VALUE} without SSTables
 * @param repairedBytes of all files of those that Cassandra has repaired
 */
public record StoredSummary(
    int sstables,
    List<Integer> sstablesByLevel,
    List<Long> bytesByLevel,
    long onDiskBytes,
    long largestBytes,
    long dataBytes,
    double compressionRatio,
    long filterBytes,
    long filterOffHeapBytes,
    long summaryOffHeapBytes,
    long offsetsOffHeapBytes,
    long partitions,
    long rows,
    EstimatedHistogram partitionSizes,
    EstimatedHistogram cellsPerPartition,
    double droppableTombstoneRatio,
    long minTimestamp,
    long maxTimestamp,
    long repairedBytes) {

  /** Copies the lists. */
  public StoredSummary {
    sstablesByLevel = List.copyOf(sstablesByLevel);
    bytesByLevel = List.copyOf(bytesByLevel);
  }

  /**
   * Of SSTables that are open.
   *
   * @param gcBefore in seconds since 1970, now less {@code gc_grace_seconds}: tombstones from
   *     before may go
   */
  public static StoredSummary of(Collection<SSTable> tables, long gcBefore) throws IOException {
    Sum sum = new Sum();
    for (SSTable table : tables) {
      sum.add(table, gcBefore);
    }
    return sum.result();
  }

  private static final class Sum {
    // Cassandra's leveled compaction has levels up to 8. What says more is counted here: a number
    // from a file must not tell how long a list becomes.
    private static final int MAX_LEVEL = 99;

    private final List<Integer> sstables = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();
    private final CardinalityEstimator keys = new CardinalityEstimator();
    private final List<EstimatedHistogram> sizes = new ArrayList<>();
    private final List<EstimatedHistogram> cells = new ArrayList<>();
    private int count;
    private long onDiskBytes;
    private long largestBytes;
    private long dataBytes;
    private long storedBytes;
    private long compressedBytes;
    private long filterBytes;
    private long filterOffHeapBytes;
    private long summaryOffHeapBytes;
    private long offsetsOffHeapBytes;
    private long rows;
    private double allCells;
    private double droppable;
    private long minTimestamp = Long.MAX_VALUE;
    private long maxTimestamp = Long.MIN_VALUE;
    private long repairedBytes;

    void add(SSTable table, long gcBefore) throws IOException {
      StatsMetadata stats = table.statistics().stats();
      long all = 0;
      for (Component component : table.components()) {
        all += length(table, component);
      }
      count++;
      add(stats.level(), all);
      onDiskBytes += all;
      largestBytes = Math.max(largestBytes, all);
      dataBytes += table.dataLength();
      if (table.compression().isEnabled()) {
        storedBytes += table.onDiskLength();
        compressedBytes += table.dataLength();
      }
      filterBytes += length(table, Component.FILTER);
      filterOffHeapBytes += table.filterOffHeapBytes();
      summaryOffHeapBytes += table.summaryOffHeapBytes();
      offsetsOffHeapBytes += table.offsetsOffHeapBytes();
      keys.add(table.statistics().compaction().cardinality());
      rows += stats.totalRows();
      sizes.add(stats.partitionSizes());
      cells.add(stats.cellsPerPartition());
      allCells += stats.estimatedCells();
      droppable += stats.tombstoneTimes().countUpTo(gcBefore);
      minTimestamp = Math.min(minTimestamp, stats.minTimestamp());
      maxTimestamp = Math.max(maxTimestamp, stats.maxTimestamp());
      if (stats.repairedAt() != StatsMetadata.UNREPAIRED) {
        repairedBytes += all;
      }
    }

    private void add(int storedLevel, long more) {
      int level = Math.min(storedLevel, MAX_LEVEL);
      while (sstables.size() <= level) {
        sstables.add(0);
        bytes.add(0L);
      }
      sstables.set(level, sstables.get(level) + 1);
      bytes.set(level, bytes.get(level) + more);
    }

    private static long length(SSTable table, Component component) throws IOException {
      if (component == Component.DATA) {
        // Known also when it is deleted, as that of a database that another process compacts.
        return table.onDiskLength();
      }
      if (!table.components().contains(component)) {
        return 0;
      }
      Directory directory = table.directory();
      try {
        return directory.length(table.descriptor().fileName(component));
      } catch (NoSuchFileException e) {
        // It has become obsolete, and was deleted while it is open.
        return 0;
      }
    }

    StoredSummary result() {
      return new StoredSummary(
          count,
          sstables,
          bytes,
          onDiskBytes,
          largestBytes,
          dataBytes,
          compressedBytes == 0
              ? StatsMetadata.NO_COMPRESSION_RATIO
              : storedBytes / (double) compressedBytes,
          filterBytes,
          filterOffHeapBytes,
          summaryOffHeapBytes,
          offsetsOffHeapBytes,
          keys.estimate(),
          rows,
          EstimatedHistogram.sum(sizes),
          EstimatedHistogram.sum(cells),
          allCells == 0 ? 0 : Math.min(1, droppable / allCells),
          minTimestamp,
          maxTimestamp,
          repairedBytes);
    }
  }
}
