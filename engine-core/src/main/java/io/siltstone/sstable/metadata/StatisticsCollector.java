package io.siltstone.sstable.metadata;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.sstable.format.FormatVersion;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects an SSTable's statistics while its rows are written, together with a {@link
 * PartitionCollector}. The result equals that of Cassandra's own writer.
 *
 * <p>Confined to one thread. Nothing is allocated per row or cell. Source: Cassandra {@code
 * MetadataCollector}, {@code Rows.collectStats}, {@code SortedTableWriter}.
 */
public final class StatisticsCollector {
  private final SerializationHeader header;
  private final FormatVersion version;
  private final ClusteringComparator comparator;

  private final TombstoneHistogramBuilder tombstoneTimes = new TombstoneHistogramBuilder();
  private CommitLogIntervals commitLogIntervals = CommitLogIntervals.NONE;
  private double tokenSpaceCoverage = Double.NaN;

  // Each minimum is above its maximum until a value is added.
  private long minTimestamp = Long.MAX_VALUE;
  private long maxTimestamp = Long.MIN_VALUE;
  private long minLocalDeletionTime = Long.MAX_VALUE;
  private long maxLocalDeletionTime = Long.MIN_VALUE;
  private int minTtl = Integer.MAX_VALUE;
  private int maxTtl = Integer.MIN_VALUE;

  // Until a clustering is added, the start is after everything and the end before everything.
  private final Clustering least = new Clustering();
  private final Clustering greatest = new Clustering();
  private boolean hasLeast;
  private boolean hasGreatest;

  private boolean hasPartitionDeletions;
  private boolean hasLegacyCounterShards;
  private long totalColumnsSet;
  private long totalRows;

  /**
   * Creates a collector for one SSTable.
   *
   * @param header of the rows to be written
   * @param version of the table
   */
  public StatisticsCollector(SerializationHeader header, FormatVersion version) {
    this.header = header;
    this.version = version;
    this.comparator = new ClusteringComparator(header.clusteringTypes());
    Clustering nothing = new Clustering();
    least.copyFrom(nothing, ClusteringKind.EXCL_START_BOUND);
    greatest.copyFrom(nothing, ClusteringKind.EXCL_END_BOUND);
  }

  /**
   * Adds the deletion of the partition that begins; {@link DeletionTime#NO_TIMESTAMP} if there is
   * none.
   */
  public void partitionDeletion(long timestamp, long localDeletionTime) {
    hasPartitionDeletions |= !DeletionTime.isLive(timestamp);
    deletion(timestamp, localDeletionTime);
  }

  /**
   * Adds the deletion of a row, a complex column or a range; for a boundary marker, each of its two
   * deletions. {@link DeletionTime#NO_TIMESTAMP} stands for none.
   */
  public void deletion(long timestamp, long localDeletionTime) {
    if (!DeletionTime.isLive(timestamp)) {
      timestamp(timestamp);
      localDeletionTime(localDeletionTime);
    }
  }

  /**
   * Adds the liveness of a row's primary key; {@link DeletionTime#NO_TIMESTAMP} if there is none.
   *
   * @param expirationTime in seconds, or {@link DeletionTime#NO_DELETION_TIME}
   */
  public void liveness(long timestamp, int ttl, long expirationTime) {
    if (timestamp != DeletionTime.NO_TIMESTAMP) {
      cell(timestamp, ttl, expirationTime);
    }
  }

  /**
   * Adds a cell.
   *
   * @param localDeletionTime in seconds, or {@link DeletionTime#NO_DELETION_TIME}
   */
  public void cell(long timestamp, int ttl, long localDeletionTime) {
    timestamp(timestamp);
    minTtl = Math.min(minTtl, ttl);
    maxTtl = Math.max(maxTtl, ttl);
    localDeletionTime(localDeletionTime);
  }

  /** Adds the value of a cell of a counter column, in addition to {@link #cell}. */
  public void counterValue(byte[] value, int offset, int length) {
    hasLegacyCounterShards |= CounterShards.hasLegacy(value, offset, length);
  }

  private void timestamp(long timestamp) {
    minTimestamp = Math.min(minTimestamp, timestamp);
    maxTimestamp = Math.max(maxTimestamp, timestamp);
  }

  private void localDeletionTime(long time) {
    minLocalDeletionTime = Math.min(minLocalDeletionTime, time);
    maxLocalDeletionTime = Math.max(maxLocalDeletionTime, time);
    if (time != DeletionTime.NO_DELETION_TIME) {
      tombstoneTimes.add(time);
    }
  }

  /**
   * Ends a row that is not empty, static or not.
   *
   * @param columnsSet number of columns that have a cell
   */
  public void endRow(int columnsSet) {
    totalColumnsSet += columnsSet;
    totalRows++;
  }

  /** Adds the clustering of a row that is not static. */
  public void clustering(Clustering row) {
    // Rows mostly ascend, so that one comparison suffices: a new greatest one is not the least.
    if (comparator.compare(row, greatest) > 0) {
      setGreatest(row);
      if (!hasLeast) {
        setLeast(row);
      }
    } else if (comparator.compare(row, least) < 0) {
      setLeast(row);
    }
  }

  /** Adds the bound or boundary of a range-tombstone marker. */
  public void bound(Clustering bound) {
    // Each range that begins ends, so a boundary is never the first or last of all.
    if (bound.kind().isBoundary()) {
      return;
    }
    if (comparator.compare(bound, greatest) > 0) {
      if (bound.kind().closes()) {
        setGreatest(bound);
      } else if (!hasLeast) {
        setLeast(bound);
      }
    } else if (comparator.compare(bound, least) < 0) {
      if (bound.kind().opens()) {
        setLeast(bound);
      } else if (!hasGreatest) {
        setGreatest(bound);
      }
    }
  }

  private void setLeast(Clustering prefix) {
    least.copyFrom(prefix);
    hasLeast = true;
  }

  private void setGreatest(Clustering prefix) {
    greatest.copyFrom(prefix);
    hasGreatest = true;
  }

  /** Sets the intervals of the commit log whose data the SSTable contains; none by default. */
  public void commitLogIntervals(CommitLogIntervals intervals) {
    commitLogIntervals = intervals;
  }

  /** Sets the share of the token space that the SSTable may cover; unknown by default. */
  public void tokenSpaceCoverage(double share) {
    tokenSpaceCoverage = share;
  }

  /**
   * Returns the statistics that were collected.
   *
   * @param partitions statistics of the partitions
   * @param partitioner Cassandra's name of the class
   * @param bloomFilterFpChance false-positive chance for which the bloom filter was created, 1 if
   *     there is none
   * @param compressionRatio compressed by uncompressed size, or {@link
   *     StatsMetadata#NO_COMPRESSION_RATIO}
   * @param level in leveled compaction
   * @param repair state of repair
   * @param originatingHostId the host whose commit log the intervals refer to
   * @throws IllegalStateException if there were no partitions
   */
  public Statistics finish(
      PartitionCollector partitions,
      String partitioner,
      double bloomFilterFpChance,
      double compressionRatio,
      int level,
      RepairState repair,
      @Nullable UUID originatingHostId) {
    StatsMetadata stats =
        new StatsMetadata(
            new StatsMetadata.Counts(
                partitions.sizes(), partitions.cells(), totalColumnsSet, totalRows),
            times(),
            CoveredClustering.of(header.clusteringTypes(), least, greatest),
            new StatsMetadata.Markers(hasPartitionDeletions, hasLegacyCounterShards),
            new StatsMetadata.KeySpan(
                version.hasKeyRange() ? Optional.of(partitions.keyRange()) : Optional.empty(),
                version.hasTokenSpaceCoverage() ? tokenSpaceCoverage : Double.NaN),
            compressionRatio,
            level,
            repair,
            new StatsMetadata.CommitLogOrigin(
                commitLogIntervals,
                version.hasOriginatingHostId()
                    ? Optional.ofNullable(originatingHostId)
                    : Optional.empty()));
    return new Statistics(
        new ValidationMetadata(partitioner, bloomFilterFpChance),
        new CompactionMetadata(partitions.cardinality()),
        stats,
        header);
  }

  private StatsMetadata.Times times() {
    boolean hasTimestamp = minTimestamp <= maxTimestamp;
    boolean hasDeletionTime = minLocalDeletionTime <= maxLocalDeletionTime;
    boolean hasTtl = minTtl <= maxTtl;
    return new StatsMetadata.Times(
        hasTimestamp ? minTimestamp : Long.MIN_VALUE,
        hasTimestamp ? maxTimestamp : Long.MAX_VALUE,
        hasDeletionTime ? minLocalDeletionTime : DeletionTime.NO_DELETION_TIME,
        hasDeletionTime ? maxLocalDeletionTime : DeletionTime.NO_DELETION_TIME,
        hasTtl ? minTtl : DeletionTime.NO_TTL,
        hasTtl ? maxTtl : DeletionTime.NO_TTL,
        tombstoneTimes.build());
  }
}
