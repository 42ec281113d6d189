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
 * The combined statistics of several SSTables of one table: sizes, counts and timestamps, as their
 * {@code Statistics.db} and the lengths of their files have them. No row is read. Immutable.
 *
 * @param sstables number of SSTables
 * @param levels the SSTables by level
 * @param sizes bytes of their files and data
 * @param offHeap off-heap memory that they use
 * @param counts partitions, rows and cells
 * @param timestamps the range of timestamps
 */
public record StoredSummary(
    int sstables,
    Levels levels,
    Sizes sizes,
    OffHeap offHeap,
    Counts counts,
    TimestampRange timestamps) {

  /**
   * The SSTables by level; all are on level 0 unless leveled compaction wrote them.
   *
   * @param sstables number of SSTables on level 0, 1 and so on, up to 99
   * @param bytes of all their files, by level
   */
  public record Levels(List<Integer> sstables, List<Long> bytes) {
    /** Copies the lists. */
    public Levels {
      sstables = List.copyOf(sstables);
      bytes = List.copyOf(bytes);
    }
  }

  /**
   * The bytes of SSTables.
   *
   * @param onDisk of all files
   * @param largest of all files of the largest SSTable
   * @param repaired of all files of the SSTables that Cassandra has repaired
   * @param filters of all {@code Filter.db} files
   * @param data of the data, uncompressed
   * @param compressionRatio length of the compressed data files by the uncompressed length of their
   *     data; {@link StatsMetadata#NO_COMPRESSION_RATIO} if none is compressed
   */
  public record Sizes(
      long onDisk, long largest, long repaired, long filters, long data, double compressionRatio) {}

  /**
   * The off-heap memory of open SSTables, in bytes.
   *
   * @param filters of bloom filters
   * @param summaries of index summaries
   * @param offsets of chunk offsets
   */
  public record OffHeap(long filters, long summaries, long offsets) {}

  /**
   * The numbers of partitions, rows and cells.
   *
   * @param partitions estimate that counts a partition once, even if several SSTables contain it
   * @param rows number, including static rows; counts a row once for each SSTable that contains it
   * @param partitionSizes number of partitions by their uncompressed bytes
   * @param cellsPerPartition number of partitions by their cells, including tombstones
   * @param droppableTombstoneRatio estimated share of cells, from 0 to 1, that are tombstones which
   *     may be purged
   */
  public record Counts(
      long partitions,
      long rows,
      EstimatedHistogram partitionSizes,
      EstimatedHistogram cellsPerPartition,
      double droppableTombstoneRatio) {}

  /**
   * The range of timestamps, in microseconds.
   *
   * @param min least timestamp; {@link Long#MAX_VALUE} without SSTables
   * @param max greatest timestamp; {@link Long#MIN_VALUE} without SSTables
   */
  public record TimestampRange(long min, long max) {}

  /**
   * Returns the summary of open SSTables.
   *
   * @param gcBefore in seconds since 1970, now less {@code gc_grace_seconds}: older tombstones may
   *     be purged
   */
  public static StoredSummary of(Collection<SSTable> tables, long gcBefore) throws IOException {
    Sum sum = new Sum();
    for (SSTable table : tables) {
      sum.add(table, gcBefore);
    }
    return sum.result();
  }

  private static final class Sum {
    // Cassandra's leveled compaction has levels up to 8. SSTables of higher levels are counted on
    // this one, because a number from a file must not determine how long a list becomes.
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
        // Known even if another process has compacted the database and deleted the file.
        return table.onDiskLength();
      }
      if (!table.components().contains(component)) {
        return 0;
      }
      Directory directory = table.directory();
      try {
        return directory.length(table.descriptor().fileName(component));
      } catch (NoSuchFileException e) {
        // The SSTable has become obsolete, and its file was deleted while it is open.
        return 0;
      }
    }

    StoredSummary result() {
      double ratio =
          compressedBytes == 0
              ? StatsMetadata.NO_COMPRESSION_RATIO
              : storedBytes / (double) compressedBytes;
      return new StoredSummary(
          count,
          new Levels(sstables, bytes),
          new Sizes(onDiskBytes, largestBytes, repairedBytes, filterBytes, dataBytes, ratio),
          new OffHeap(filterOffHeapBytes, summaryOffHeapBytes, offsetsOffHeapBytes),
          new Counts(
              keys.estimate(),
              rows,
              EstimatedHistogram.sum(sizes),
              EstimatedHistogram.sum(cells),
              allCells == 0 ? 0 : Math.min(1, droppable / allCells)),
          new TimestampRange(minTimestamp, maxTimestamp));
    }
  }
}
