package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CoveredClustering;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;

/**
 * Compares the content of an SSTable with the bounds in its statistics, by which reads skip an
 * SSTable and compaction drops it. The bounds may be wider than the content, but not narrower.
 *
 * <p>Confined to one thread. Nothing is allocated per row or cell.
 */
final class StatisticsCheck {
  private final SSTable table;
  private final StatsMetadata stats;
  private final FormatVersion version;
  private final boolean hasCovered;
  private final PartitionKey key = new PartitionKey();

  StatisticsCheck(SSTable table) {
    this.table = table;
    this.stats = table.statistics().stats();
    this.version = table.descriptor().version();
    this.hasCovered = version.hasCoveredClustering() && !table.header().clusteringTypes().isEmpty();
  }

  /** Checks the deletion of the current partition of the cursor. */
  void startPartition(DataCursor data) throws IOException {
    key.copyFrom(data.key());
    long timestamp = data.deletionTimestamp();
    // Where the statistics do not record it, it is not used.
    if (version.hasPartitionDeletionMarker()
        && !DeletionTime.isLive(timestamp)
        && !stats.hasPartitionDeletions()) {
      throw corrupt("no partition deletion", "one at " + timestamp);
    }
    deletion(timestamp, data.deletionLocalTime());
  }

  /** Checks a row or marker whose body has been read; consumes its iteration over the columns. */
  void add(Unfiltered unfiltered) throws IOException {
    Clustering clustering = unfiltered.clustering();
    if (hasCovered
        && !unfiltered.isStatic()
        && !stats.coveredClustering().mightContain(clustering)) {
      throw corrupt(stats.coveredClustering().toString(), CoveredClustering.text(clustering));
    }
    if (unfiltered.isMarker()) {
      deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
      if (clustering.kind().isBoundary()) {
        deletion(unfiltered.openTimestamp(), unfiltered.openLocalTime());
      }
      return;
    }
    if (unfiltered.hasLiveness()) {
      timestamp(unfiltered.livenessTimestamp());
      localDeletionTime(unfiltered.livenessExpirationTime());
    }
    if (unfiltered.hasDeletion()) {
      deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
    }
    unfiltered.rewind();
    while (unfiltered.nextColumn()) {
      if (unfiltered.isComplex()) {
        deletion(unfiltered.complexDeletionTimestamp(), unfiltered.complexDeletionLocalTime());
      }
      while (unfiltered.nextCell()) {
        timestamp(unfiltered.cellTimestamp());
        localDeletionTime(unfiltered.cellLocalDeletionTime());
      }
    }
  }

  private void deletion(long timestamp, long localDeletionTime) throws IOException {
    if (!DeletionTime.isLive(timestamp)) {
      timestamp(timestamp);
      localDeletionTime(localDeletionTime);
    }
  }

  private void timestamp(long timestamp) throws IOException {
    if (timestamp < stats.minTimestamp() || timestamp > stats.maxTimestamp()) {
      throw corrupt(
          "timestamps from " + stats.minTimestamp() + " to " + stats.maxTimestamp(),
          String.valueOf(timestamp));
    }
  }

  private void localDeletionTime(long time) throws IOException {
    if (time == DeletionTime.INVALID_DELETION_TIME) {
      // The statistics have the time that the writer has read from the same bits.
      return;
    }
    // The latest time of a version also stands for later times, which are read as none.
    boolean isTooEarly =
        time < stats.minLocalDeletionTime() && time < version.maxLocalDeletionTime();
    if (isTooEarly || time > stats.maxLocalDeletionTime()) {
      throw corrupt(
          "local deletion times from "
              + time(stats.minLocalDeletionTime())
              + " to "
              + time(stats.maxLocalDeletionTime()),
          time(time));
    }
  }

  private static String time(long localDeletionTime) {
    return localDeletionTime == DeletionTime.NO_DELETION_TIME
        ? "none"
        : Long.toString(localDeletionTime);
  }

  private CorruptSSTableException corrupt(String said, String found) {
    return new CorruptSSTableException(
        table.directory().path() + "/" + table.descriptor().fileName(Component.STATISTICS),
        Component.STATISTICS,
        CorruptFileException.WHOLE_FILE,
        "says " + said + ", " + key + " has " + found);
  }
}
