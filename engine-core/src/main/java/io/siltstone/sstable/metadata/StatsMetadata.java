package io.siltstone.sstable.metadata;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The statistics of an SSTable's content, which {@code Statistics.db} has: reads and compaction
 * choose SSTables by them, and tools print them.
 *
 * <pre>
 *   partition sizes          histogram
 *   cells per partition      histogram
 *   commit log upper bound   position
 *   min, max timestamp       long, long
 *   min, max deletion time   int, int      na, nb: signed; oa: unsigned; greatest: none
 *   min, max TTL             int, int
 *   compression ratio        double
 *   tombstone times          histogram
 *   level                    int
 *   repaired at              long
 *   covered clustering       see {@link CoveredClustering}
 *   legacy counter shards    boolean
 *   columns set, rows        long, long
 *   commit log lower bound   position
 *   commit log intervals     int count, then pairs of positions
 *   pending repair           boolean, then a UUID if true
 *   transient                boolean
 *   originating host         boolean, then a UUID if true        from nb
 *   partition deletions      boolean                             from oa
 *   first, last key          vint length, then bytes             from oa
 *   token space coverage     double                              from oa
 *   zeros                    4 bytes per tombstone time          from oa
 * </pre>
 *
 * All integers are big-endian. Immutable, safe for use by all threads. Source: Cassandra {@code
 * StatsMetadata}, versions na to oa.
 *
 * @param counts partitions, cells and rows
 * @param times timestamps, deletion times and TTLs
 * @param coveredClustering bounds of all rows and range tombstones
 * @param markers whether there are deletions of partitions and legacy counters
 * @param keys first and last key, share of the token space
 * @param compressionRatio compressed by uncompressed size, or {@link #NO_COMPRESSION_RATIO}
 * @param level in leveled compaction, 0 elsewhere
 * @param repair state of repair
 * @param commitLog the part of the commit log whose data the SSTable contains
 */
public record StatsMetadata(
    Counts counts,
    Times times,
    CoveredClustering coveredClustering,
    Markers markers,
    KeySpan keys,
    double compressionRatio,
    int level,
    RepairState repair,
    CommitLogOrigin commitLog) {

  /** Compression ratio of data that is not compressed. */
  public static final double NO_COMPRESSION_RATIO = -1.0;

  /** Value of {@link #repairedAt} of an SSTable that is not repaired. */
  public static final long UNREPAIRED = 0;

  private static final int NO_DELETION_TIME_SIGNED = Integer.MAX_VALUE;
  private static final int NO_DELETION_TIME_UNSIGNED = -1;

  /**
   * The number of partitions, cells and rows of an SSTable.
   *
   * @param partitionSizes number of partitions by their bytes in {@code Data.db}, uncompressed
   * @param cellsPerPartition number of partitions by their cells, including tombstones
   * @param columnsSet number of columns with a cell, summed over all rows, including static rows
   * @param rows number, including static rows
   */
  public record Counts(
      EstimatedHistogram partitionSizes,
      EstimatedHistogram cellsPerPartition,
      long columnsSet,
      long rows) {}

  /**
   * The ranges of an SSTable's times.
   *
   * @param minTimestamp of all cells, rows and deletions, in microseconds; {@link Long#MIN_VALUE}
   *     if there are none
   * @param maxTimestamp of the same; {@link Long#MAX_VALUE} if there are none
   * @param minLocalDeletionTime of all tombstones and expiring cells, in seconds, or {@link
   *     DeletionTime#NO_DELETION_TIME} if there are none
   * @param maxLocalDeletionTime of the same; {@link DeletionTime#NO_DELETION_TIME} if any cell is
   *     neither deleted nor expires
   * @param minTtl in seconds; 0 if any cell does not expire
   * @param maxTtl in seconds; 0 if no cell expires
   * @param tombstoneTimes number of cells that are deleted or expire, by local deletion time
   */
  public record Times(
      long minTimestamp,
      long maxTimestamp,
      long minLocalDeletionTime,
      long maxLocalDeletionTime,
      int minTtl,
      int maxTtl,
      TombstoneHistogram tombstoneTimes) {}

  /**
   * The kinds of content that an SSTable may contain.
   *
   * @param hasPartitionDeletions whether a partition was deleted as a whole; true if that is not
   *     known
   * @param hasLegacyCounterShards whether it contains counters of versions before 2.1
   */
  public record Markers(boolean hasPartitionDeletions, boolean hasLegacyCounterShards) {}

  /**
   * The span of an SSTable's keys.
   *
   * @param range first and last key, from version {@code oa} on
   * @param tokenSpaceCoverage share of the token space, from 0 to 1; NaN if it is not known
   */
  public record KeySpan(Optional<KeyRange> range, double tokenSpaceCoverage) {}

  /**
   * The part of a commit log whose data an SSTable contains.
   *
   * @param intervals of positions in the commit log
   * @param hostId the host whose commit log it is, from version {@code nb} on
   */
  public record CommitLogOrigin(CommitLogIntervals intervals, Optional<UUID> hostId) {}

  /** Returns the number of partitions by their uncompressed bytes in {@code Data.db}. */
  public EstimatedHistogram partitionSizes() {
    return counts.partitionSizes();
  }

  /** Returns the number of partitions by their cells, including tombstones. */
  public EstimatedHistogram cellsPerPartition() {
    return counts.cellsPerPartition();
  }

  /** Returns the number of columns with a cell, summed over all rows, including static rows. */
  public long totalColumnsSet() {
    return counts.columnsSet();
  }

  /** Returns the number of rows, including static rows. */
  public long totalRows() {
    return counts.rows();
  }

  /** Returns the least timestamp in microseconds. */
  public long minTimestamp() {
    return times.minTimestamp();
  }

  /** Returns the greatest timestamp in microseconds. */
  public long maxTimestamp() {
    return times.maxTimestamp();
  }

  /** Returns the least local deletion time in seconds. */
  public long minLocalDeletionTime() {
    return times.minLocalDeletionTime();
  }

  /** Returns the greatest local deletion time in seconds. */
  public long maxLocalDeletionTime() {
    return times.maxLocalDeletionTime();
  }

  /** Returns the least TTL in seconds, 0 if any cell does not expire. */
  public int minTtl() {
    return times.minTtl();
  }

  /** Returns the greatest TTL in seconds, 0 if no cell expires. */
  public int maxTtl() {
    return times.maxTtl();
  }

  /** Returns the number of cells that are deleted or expire, by local deletion time. */
  public TombstoneHistogram tombstoneTimes() {
    return times.tombstoneTimes();
  }

  /** Returns whether a partition was deleted as a whole, true if that is not known. */
  public boolean hasPartitionDeletions() {
    return markers.hasPartitionDeletions();
  }

  /** Returns whether it contains counters of versions before 2.1. */
  public boolean hasLegacyCounterShards() {
    return markers.hasLegacyCounterShards();
  }

  /** Returns the first and last key, which versions from {@code oa} on have. */
  public Optional<KeyRange> keyRange() {
    return keys.range();
  }

  /** Returns the share of the token space, NaN if it is not known. */
  public double tokenSpaceCoverage() {
    return keys.tokenSpaceCoverage();
  }

  /** Returns the time of repair in milliseconds since 1970, or {@link #UNREPAIRED}. */
  public long repairedAt() {
    return repair.repairedAt();
  }

  /** Returns the repair session it is part of, if that has not ended. */
  public Optional<UUID> pendingRepair() {
    return repair.pendingRepair();
  }

  /** Returns whether it belongs to a transient replica. */
  public boolean isTransient() {
    return repair.isTransient();
  }

  /** Returns the intervals of the commit log whose data it contains. */
  public CommitLogIntervals commitLogIntervals() {
    return commitLog.intervals();
  }

  /** Returns the host whose commit log the intervals refer to. */
  public Optional<UUID> originatingHostId() {
    return commitLog.hostId();
  }

  /** Returns the approximate number of cells. Source: Cassandra {@code EstimatedHistogram#mean}. */
  public long estimatedCells() {
    return (long) Math.ceil(cellsPerPartition().mean()) * cellsPerPartition().count();
  }

  /** Returns a copy on another level. */
  public StatsMetadata withLevel(int newLevel) {
    return with(compressionRatio, newLevel, repair, commitLog);
  }

  /** Returns a copy that contains the data of other parts of the commit log. */
  public StatsMetadata withCommitLogIntervals(CommitLogIntervals newIntervals) {
    CommitLogOrigin origin = new CommitLogOrigin(newIntervals, originatingHostId());
    return with(compressionRatio, level, repair, origin);
  }

  /** Returns a copy with another state of repair. */
  public StatsMetadata withRepair(RepairState newRepair) {
    return with(compressionRatio, level, newRepair, commitLog);
  }

  /** Returns a copy with another compression ratio, for the same data. */
  public StatsMetadata withCompressionRatio(double newRatio) {
    return with(newRatio, level, repair, commitLog);
  }

  /** Returns a copy that refers to the commit log of another host. */
  public StatsMetadata withOriginatingHostId(Optional<UUID> host) {
    return with(compressionRatio, level, repair, new CommitLogOrigin(commitLogIntervals(), host));
  }

  private StatsMetadata with(
      double newRatio, int newLevel, RepairState newRepair, CommitLogOrigin newOrigin) {
    return new StatsMetadata(
        counts, times, coveredClustering, markers, keys, newRatio, newLevel, newRepair, newOrigin);
  }

  /**
   * Reads the component.
   *
   * @param clusteringTypes by the serialization header; only versions without covered clustering
   *     need them
   */
  static StatsMetadata read(MetadataInput in, FormatVersion version, List<CqlType> clusteringTypes)
      throws IOException {
    EstimatedHistogram partitionSizes = EstimatedHistogram.read(in);
    EstimatedHistogram cellsPerPartition = EstimatedHistogram.read(in);
    CommitLogPosition.read(in);
    long minTimestamp = in.int64();
    long maxTimestamp = in.int64();
    long minLocalDeletionTime = readDeletionTime(in, version);
    long maxLocalDeletionTime = readDeletionTime(in, version);
    int minTtl = in.int32();
    int maxTtl = in.int32();
    double compressionRatio = in.float64();
    TombstoneHistogram tombstoneTimes = TombstoneHistogram.read(in, version);
    int levelAt = in.offset();
    int level = in.int32();
    if (level < 0) {
      throw in.corrupt(levelAt, "level " + level + ", allowed 0 or more");
    }
    long repairedAt = in.int64();
    CoveredClustering covered =
        version.hasCoveredClustering()
            ? CoveredClustering.read(in)
            : CoveredClustering.readValues(in, clusteringTypes);
    boolean hasLegacyCounterShards = in.bool();
    long totalColumnsSet = in.int64();
    long totalRows = in.int64();
    CommitLogPosition.read(in);
    CommitLogIntervals commitLogIntervals = CommitLogIntervals.read(in);
    Optional<UUID> pendingRepair = readUuid(in);
    boolean isTransient = in.bool();
    Optional<UUID> hostId = version.hasOriginatingHostId() ? readUuid(in) : Optional.empty();
    // Older versions do not record it: there are certainly none only if there is no deletion.
    boolean hasPartitionDeletions =
        version.hasPartitionDeletionMarker()
            ? in.bool()
            : minLocalDeletionTime != DeletionTime.NO_DELETION_TIME;
    Optional<KeyRange> keyRange =
        version.hasKeyRange()
            ? Optional.of(new KeyRange(in.bytesWithVintLength(), in.bytesWithVintLength()))
            : Optional.empty();
    double tokenSpaceCoverage = version.hasTokenSpaceCoverage() ? in.float64() : Double.NaN;
    return new StatsMetadata(
        new Counts(partitionSizes, cellsPerPartition, totalColumnsSet, totalRows),
        new Times(
            minTimestamp,
            maxTimestamp,
            minLocalDeletionTime,
            maxLocalDeletionTime,
            minTtl,
            maxTtl,
            tombstoneTimes),
        covered,
        new Markers(hasPartitionDeletions, hasLegacyCounterShards),
        new KeySpan(keyRange, tokenSpaceCoverage),
        compressionRatio,
        level,
        new RepairState(repairedAt, pendingRepair, isTransient),
        new CommitLogOrigin(commitLogIntervals, hostId));
  }

  void write(MetadataOutput out, FormatVersion version) {
    partitionSizes().write(out);
    cellsPerPartition().write(out);
    commitLogIntervals().upperBound().write(out);
    out.int64(minTimestamp());
    out.int64(maxTimestamp());
    writeDeletionTime(out, minLocalDeletionTime(), version);
    writeDeletionTime(out, maxLocalDeletionTime(), version);
    out.int32(minTtl());
    out.int32(maxTtl());
    out.float64(compressionRatio);
    tombstoneTimes().write(out, version);
    out.int32(level);
    out.int64(repairedAt());
    if (version.hasCoveredClustering()) {
      coveredClustering.write(out);
    } else {
      coveredClustering.writeValues(out);
    }
    out.bool(hasLegacyCounterShards());
    out.int64(totalColumnsSet());
    out.int64(totalRows());
    commitLogIntervals().lowerBound().write(out);
    commitLogIntervals().write(out);
    writeUuid(out, pendingRepair());
    out.bool(isTransient());
    if (version.hasOriginatingHostId()) {
      writeUuid(out, originatingHostId());
    }
    if (version.hasPartitionDeletionMarker()) {
      out.bool(hasPartitionDeletions());
    }
    if (version.hasKeyRange()) {
      keyRange()
          .orElseThrow(
              () -> new IllegalArgumentException("no key range, which " + version.text() + " has"))
          .write(out);
    }
    if (version.hasTokenSpaceCoverage()) {
      out.float64(tokenSpaceCoverage());
    }
    if (version.hasUnsignedDeletionTimes()) {
      // Cassandra reserves 16 bytes per tombstone time and writes 12, so the rest are zeros.
      out.bytes(new byte[4 * tombstoneTimes().size()]);
    }
  }

  private static long readDeletionTime(MetadataInput in, FormatVersion version)
      throws CorruptSSTableException {
    int bits = in.int32();
    if (version.hasUnsignedDeletionTimes()) {
      return bits == NO_DELETION_TIME_UNSIGNED
          ? DeletionTime.NO_DELETION_TIME
          : Integer.toUnsignedLong(bits);
    }
    return bits == NO_DELETION_TIME_SIGNED ? DeletionTime.NO_DELETION_TIME : bits;
  }

  private static void writeDeletionTime(MetadataOutput out, long time, FormatVersion version) {
    boolean isWide = version.hasUnsignedDeletionTimes();
    if (time == DeletionTime.NO_DELETION_TIME) {
      out.int32(isWide ? NO_DELETION_TIME_UNSIGNED : NO_DELETION_TIME_SIGNED);
    } else {
      long max = isWide ? DeletionTime.INVALID_DELETION_TIME : version.maxLocalDeletionTime();
      out.int32((int) Math.min(time, max));
    }
  }

  private static Optional<UUID> readUuid(MetadataInput in) throws CorruptSSTableException {
    return in.bool() ? Optional.of(in.uuid()) : Optional.empty();
  }

  private static void writeUuid(MetadataOutput out, Optional<UUID> uuid) {
    out.bool(uuid.isPresent());
    uuid.ifPresent(out::uuid);
  }
}
