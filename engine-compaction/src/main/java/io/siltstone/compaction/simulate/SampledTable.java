package io.siltstone.compaction.simulate;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An invented SSTable: a sample of its rows, and its description for a strategy. Confined to one
 * thread.
 */
final class SampledTable {
  private static final byte[] NO_BYTES = {};
  private static final long ROUND_SECONDS = 3600;

  private final SampledRows rows;
  private LiveTable live;
  private boolean isGone;

  private SampledTable(SampledRows rows, LiveTable live) {
    this.rows = rows;
    this.live = live;
  }

  /** Returns at least one row. */
  SampledRows rows() {
    return rows;
  }

  /** Returns the description for a strategy. */
  LiveTable live() {
    return live;
  }

  /** Returns whether it was merged into another. */
  boolean isGone() {
    return isGone;
  }

  void markGone() {
    isGone = true;
  }

  /**
   * The scale of the sample: the data that one sampled row stands for.
   *
   * @param rows the number of rows of the SSTable for each sampled row
   * @param liveBytes the bytes of these rows
   * @param tombstoneBytes the bytes of as many tombstones
   * @param times when rows expire, and how late they are written
   */
  record Scale(double rows, double liveBytes, double tombstoneBytes, Workload.Times times) {
    double bytes(SampledRows of, int index) {
      return of.kind(index) == SampledRows.LIVE ? liveBytes : tombstoneBytes;
    }

    /** Returns when a row was or will be deleted, in seconds since 1970. */
    long deletionTime(SampledRows of, int index) {
      long seconds = of.time(index) / 1_000_000;
      if (of.kind(index) == SampledRows.DELETED) {
        return seconds;
      }
      return times.ttlSeconds() == 0 ? DeletionTime.NO_DELETION_TIME : seconds + times.ttlSeconds();
    }

    /**
     * Returns when the event of a row happened, in milliseconds since 1970: a time before its write
     * that only depends on the row and its write.
     */
    long eventMillis(SampledRows of, int index) {
      long millis = of.time(index) / 1000;
      if (times.lateSeconds() == 0) {
        return millis;
      }
      long hash = (of.token(index) ^ of.time(index)) * 0x9e37_79b9_7f4a_7c15L;
      return millis - Math.floorMod(hash ^ hash >>> 32, 1000 * times.lateSeconds() + 1);
    }
  }

  static SampledTable of(
      SampledRows rows, Scale scale, long generation, int level, long nowMillis) {
    double bytes = 0;
    long minTime = Long.MAX_VALUE;
    long maxTime = Long.MIN_VALUE;
    long maxEvent = Long.MIN_VALUE;
    long minDeletion = DeletionTime.NO_DELETION_TIME;
    long maxDeletion = Long.MIN_VALUE;
    NavigableMap<Long, Integer> tombstones = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      bytes += scale.bytes(rows, i);
      minTime = Math.min(minTime, rows.time(i));
      maxTime = Math.max(maxTime, rows.time(i));
      maxEvent = Math.max(maxEvent, scale.eventMillis(rows, i));
      long deletion = scale.deletionTime(rows, i);
      minDeletion = Math.min(minDeletion, deletion);
      maxDeletion = Math.max(maxDeletion, deletion);
      if (deletion != DeletionTime.NO_DELETION_TIME) {
        long rounded = (deletion / ROUND_SECONDS + 1) * ROUND_SECONDS;
        tombstones.merge(rounded, 1, Integer::sum);
      }
    }
    LiveTable live =
        new LiveTable(
            Descriptor.of(FormatVersion.of("oa"), generation),
            new LiveTable.Size(
                Math.max(1, (long) bytes),
                Math.max(1, (long) bytes),
                Math.max(1, (long) (rows.size() * scale.rows())),
                Math.max(1, (long) (rows.size() * scale.rows())),
                rows.size()),
            new LiveTable.KeySpan(
                PartitionKey.of(NO_BYTES, rows.token(0)),
                PartitionKey.of(NO_BYTES, rows.token(rows.size() - 1))),
            new LiveTable.Times(
                minTime,
                maxTime,
                minDeletion,
                maxDeletion,
                TombstoneHistogram.of(tombstones),
                Optional.of(new LiveTable.EventTime(maxEvent, true))),
            level,
            RepairState.UNREPAIRED,
            nowMillis,
            CompressionOptions.DEFAULT,
            LiveTable.Use.FREE);
    return new SampledTable(rows, live);
  }

  /** Marks it as part of a job. */
  void claim() {
    live = live.claimed();
  }
}
