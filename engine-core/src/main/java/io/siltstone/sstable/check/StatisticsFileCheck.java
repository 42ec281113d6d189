package io.siltstone.sstable.check;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.KeyRange;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.util.Arrays;

/**
 * Compares statistics that were read back with the figures that the parser has found in the data:
 * counts must be equal, bounds must enclose the data.
 */
final class StatisticsFileCheck {
  private final String path;
  private final Statistics statistics;
  private final StatsMetadata stats;
  private final FormatVersion version;

  StatisticsFileCheck(String path, Statistics statistics, FormatVersion version) {
    this.path = path;
    this.statistics = statistics;
    this.stats = statistics.stats();
    this.version = version;
  }

  void run(DataFigures data) throws OutputVerificationException {
    expect("partition sizes", stats.partitionSizes().count(), data.partitions);
    expect("counts of cells", stats.cellsPerPartition().count(), data.partitions);
    expect("rows", stats.totalRows(), data.rows);
    if (data.minTimestamp <= data.maxTimestamp
        && (stats.minTimestamp() > data.minTimestamp || stats.maxTimestamp() < data.maxTimestamp)) {
      throw wrong(
          "timestamps from " + stats.minTimestamp() + " to " + stats.maxTimestamp(),
          data.minTimestamp + " to " + data.maxTimestamp);
    }
    if (data.minLocalTime <= data.maxLocalTime
        && ((stats.minLocalDeletionTime() > data.minLocalTime
                && data.minLocalTime < version.maxLocalDeletionTime())
            || stats.maxLocalDeletionTime() < data.maxLocalTime)) {
      throw wrong(
          "local deletion times from "
              + stats.minLocalDeletionTime()
              + " to "
              + stats.maxLocalDeletionTime(),
          data.minLocalTime + " to " + data.maxLocalTime);
    }
    if (data.hasLive && stats.maxLocalDeletionTime() != DeletionTime.NO_DELETION_TIME) {
      throw wrong(
          "local deletion times up to " + stats.maxLocalDeletionTime(), "none, as of what is live");
    }
    if (version.hasPartitionDeletionMarker()
        && stats.hasPartitionDeletions() != (data.partitionDeletions > 0)) {
      throw wrong(
          "deletions of partitions: " + stats.hasPartitionDeletions(),
          data.partitionDeletions + " of them");
    }
    if (version.hasKeyRange()) {
      checkKeys(data);
    }
    if (version.hasCoveredClustering()
        && data.hasBounds
        && !statistics.header().clusteringTypes().isEmpty()) {
      checkCovered(data.least);
      checkCovered(data.greatest);
    }
  }

  private void checkKeys(DataFigures data) throws OutputVerificationException {
    KeyRange range = stats.keyRange().orElse(null);
    if (range == null
        || !Arrays.equals(range.first(), data.firstKey)
        || !Arrays.equals(range.last(), data.lastKey)) {
      throw wrong("other first and last keys", "those of the data");
    }
  }

  private void checkCovered(Prefix prefix) throws OutputVerificationException {
    byte[] bytes = prefix.toByteArray();
    RowEncoding encoding = new RowEncoding(statistics.header(), version.hasUnsignedDeletionTimes());
    Clustering clustering = new Clustering();
    clustering.wrapPrefix(encoding, bytes, 0, bytes.length);
    if (!stats.coveredClustering().mightContain(clustering)) {
      throw wrong("clusterings " + stats.coveredClustering(), "that " + prefix + " is among them");
    }
  }

  private void expect(String what, long found, long expected) throws OutputVerificationException {
    if (found != expected) {
      throw wrong(found + " " + what, String.valueOf(expected));
    }
  }

  private OutputVerificationException wrong(String found, String expected) {
    return new OutputVerificationException(
        path, OutputVerificationException.WHOLE_FILE, found, expected);
  }
}
