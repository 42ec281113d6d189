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
 * What is known of a table's content without reading it; reads, compaction and the operator ask for
 * it.
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
 *   first, last key          bytes behind a vint of their length from oa
 *   token space coverage     double                              from oa
 *   zeros                    4 bytes per tombstone time          from oa
 * </pre>
 *
 * Immutable, safe for all threads. Source: Cassandra {@code StatsMetadata}, versions na to oa.
 *
 * @param partitionSizes in bytes of {@code Data.db}, uncompressed
 * @param cellsPerPartition tombstones among them
 * @param commitLogIntervals whose data this table has
 * @param minTimestamp of all cells, rows and deletions, in microseconds; the least long if there
 *     are none
 * @param maxTimestamp likewise; the greatest long if there are none
 * @param minLocalDeletionTime of all tombstones and expiring cells, in seconds, or {@link
 *     DeletionTime#NO_DELETION_TIME} if there are none
 * @param maxLocalDeletionTime likewise; {@link DeletionTime#NO_DELETION_TIME} if something neither
 *     is deleted nor expires
 * @param minTtl in seconds; 0 if something does not expire
 * @param maxTtl in seconds; 0 if nothing expires
 * @param compressionRatio compressed by uncompressed size, or {@link #NO_COMPRESSION_RATIO}
 * @param tombstoneTimes local deletion times
 * @param level in leveled compaction, 0 elsewhere
 * @param repairedAt in milliseconds since 1970, or {@link #UNREPAIRED}
 * @param coveredClustering bounds of all rows and range tombstones
 * @param hasLegacyCounterShards whether counters of versions before 2.1 are in it
 * @param totalColumnsSet over all rows, static ones included
 * @param totalRows static ones included
 * @param pendingRepair the repair session it is part of
 * @param isTransient whether it is of a transient replica
 * @param originatingHostId the host whose commit log the intervals are of
 * @param hasPartitionDeletions whether a partition was deleted as a whole; true where it is not
 *     known
 * @param keyRange first and last key, from version {@code oa} on
 * @param tokenSpaceCoverage share of the token space, or NaN where it is not known
 */
public record StatsMetadata(
    EstimatedHistogram partitionSizes,
    EstimatedHistogram cellsPerPartition,
    CommitLogIntervals commitLogIntervals,
    long minTimestamp,
    long maxTimestamp,
    long minLocalDeletionTime,
    long maxLocalDeletionTime,
    int minTtl,
    int maxTtl,
    double compressionRatio,
    TombstoneHistogram tombstoneTimes,
    int level,
    long repairedAt,
    CoveredClustering coveredClustering,
    boolean hasLegacyCounterShards,
    long totalColumnsSet,
    long totalRows,
    Optional<UUID> pendingRepair,
    boolean isTransient,
    Optional<UUID> originatingHostId,
    boolean hasPartitionDeletions,
    Optional<KeyRange> keyRange,
    double tokenSpaceCoverage) {

  /** Compression ratio of what is not compressed. */
  public static final double NO_COMPRESSION_RATIO = -1.0;

  /** Value of {@link #repairedAt} of what is not repaired. */
  public static final long UNREPAIRED = 0;

  private static final int NO_DELETION_TIME_SIGNED = Integer.MAX_VALUE;
  private static final int NO_DELETION_TIME_UNSIGNED = -1;

  /** Its state of repair. */
  public RepairState repair() {
    return new RepairState(repairedAt, pendingRepair, isTransient);
  }

  /** How many cells there are, about. Source: Cassandra {@code EstimatedHistogram#mean}. */
  public long estimatedCells() {
    return (long) Math.ceil(cellsPerPartition.mean()) * cellsPerPartition.count();
  }

  /** The same on another level. */
  public StatsMetadata withLevel(int newLevel) {
    return with(commitLogIntervals, compressionRatio, newLevel, repair(), originatingHostId);
  }

  /** The same in other parts of the commit log. */
  public StatsMetadata withCommitLogIntervals(CommitLogIntervals newIntervals) {
    return with(newIntervals, compressionRatio, level, repair(), originatingHostId);
  }

  /** The same with another state of repair. */
  public StatsMetadata withRepair(RepairState newRepair) {
    return with(commitLogIntervals, compressionRatio, level, newRepair, originatingHostId);
  }

  /** The same data, compressed in another way. */
  public StatsMetadata withCompressionRatio(double newRatio) {
    return with(commitLogIntervals, newRatio, level, repair(), originatingHostId);
  }

  /** The same with the commit log of another host. */
  public StatsMetadata withOriginatingHostId(Optional<UUID> host) {
    return with(commitLogIntervals, compressionRatio, level, repair(), host);
  }

  private StatsMetadata with(
      CommitLogIntervals newIntervals,
      double newRatio,
      int newLevel,
      RepairState newRepair,
      Optional<UUID> newHost) {
    return new StatsMetadata(
        partitionSizes,
        cellsPerPartition,
        newIntervals,
        minTimestamp,
        maxTimestamp,
        minLocalDeletionTime,
        maxLocalDeletionTime,
        minTtl,
        maxTtl,
        newRatio,
        tombstoneTimes,
        newLevel,
        newRepair.repairedAt(),
        coveredClustering,
        hasLegacyCounterShards,
        totalColumnsSet,
        totalRows,
        newRepair.pendingRepair(),
        newRepair.isTransient(),
        newHost,
        hasPartitionDeletions,
        keyRange,
        tokenSpaceCoverage);
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
      throw in.corrupt(levelAt, "level " + level + ", allowed 0 and above");
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
    // Where it is not recorded there are none for certain only if there is no deletion at all.
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
        partitionSizes,
        cellsPerPartition,
        commitLogIntervals,
        minTimestamp,
        maxTimestamp,
        minLocalDeletionTime,
        maxLocalDeletionTime,
        minTtl,
        maxTtl,
        compressionRatio,
        tombstoneTimes,
        level,
        repairedAt,
        covered,
        hasLegacyCounterShards,
        totalColumnsSet,
        totalRows,
        pendingRepair,
        isTransient,
        hostId,
        hasPartitionDeletions,
        keyRange,
        tokenSpaceCoverage);
  }

  void write(MetadataOutput out, FormatVersion version) {
    partitionSizes.write(out);
    cellsPerPartition.write(out);
    commitLogIntervals.upperBound().write(out);
    out.int64(minTimestamp);
    out.int64(maxTimestamp);
    writeDeletionTime(out, minLocalDeletionTime, version);
    writeDeletionTime(out, maxLocalDeletionTime, version);
    out.int32(minTtl);
    out.int32(maxTtl);
    out.float64(compressionRatio);
    tombstoneTimes.write(out, version);
    out.int32(level);
    out.int64(repairedAt);
    if (version.hasCoveredClustering()) {
      coveredClustering.write(out);
    } else {
      coveredClustering.writeValues(out);
    }
    out.bool(hasLegacyCounterShards);
    out.int64(totalColumnsSet);
    out.int64(totalRows);
    commitLogIntervals.lowerBound().write(out);
    commitLogIntervals.write(out);
    writeUuid(out, pendingRepair);
    out.bool(isTransient);
    if (version.hasOriginatingHostId()) {
      writeUuid(out, originatingHostId);
    }
    if (version.hasPartitionDeletionMarker()) {
      out.bool(hasPartitionDeletions);
    }
    if (version.hasKeyRange()) {
      keyRange
          .orElseThrow(
              () -> new IllegalArgumentException("no key range, which " + version.text() + " has"))
          .write(out);
    }
    if (version.hasTokenSpaceCoverage()) {
      out.float64(tokenSpaceCoverage);
    }
    if (version.hasUnsignedDeletionTimes()) {
      // Cassandra reckons with 16 bytes per tombstone time and writes 12: the rest are zeros.
      out.bytes(new byte[4 * tombstoneTimes.size()]);
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
