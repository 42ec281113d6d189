package io.siltstone.sstable.check;

import io.siltstone.type.CqlType;
import java.util.List;

/** Counts, hashes and bounds that {@link DataFileParser} has found in a data file. */
final class DataFigures {
  private static final byte[] NOTHING = {};

  /** The least unsigned local deletion time that stands for none or for an invalid one. */
  private static final long LEAST_RESERVED_TIME = 0xffff_fffeL;

  long partitions;
  long partitionDeletions;

  /** Number of rows, including static rows that are not empty. */
  long rows;

  long markers;
  long cells;

  /** Running hash of the keys, in their order. */
  long keysHash;

  /** Sum of the hashes of the partitions' deletions. */
  long deletionsHash;

  byte[] firstKey = NOTHING;
  byte[] lastKey = NOTHING;

  long minTimestamp = Long.MAX_VALUE;
  long maxTimestamp = Long.MIN_VALUE;
  long minLocalTime = Long.MAX_VALUE;
  long maxLocalTime = Long.MIN_VALUE;

  /** Whether any cell has neither a deletion time nor an expiration. */
  boolean hasLive;

  /** The first and the last row or marker of all partitions, if there is one. */
  final Prefix least;

  final Prefix greatest;
  boolean hasBounds;

  private final long endOfTimes;

  /**
   * Creates empty figures.
   *
   * @param hasUnsignedTimes whether local deletion times have 32 bits without a sign
   */
  DataFigures(List<CqlType> clusteringTypes, boolean hasUnsignedTimes) {
    endOfTimes = hasUnsignedTimes ? LEAST_RESERVED_TIME : Integer.MAX_VALUE;
    least = new Prefix(clusteringTypes);
    greatest = new Prefix(clusteringTypes);
  }

  /** Adds the timestamp of a write or a deletion. */
  void timestamp(long timestamp) {
    if (timestamp < minTimestamp) {
      minTimestamp = timestamp;
    }
    if (timestamp > maxTimestamp) {
      maxTimestamp = timestamp;
    }
  }

  /** Adds a local deletion or expiration time, unless it has wrapped around or stands for none. */
  void deletionTime(long time) {
    if (time >= 0 && time < endOfTimes) {
      minLocalTime = Math.min(minLocalTime, time);
      maxLocalTime = Math.max(maxLocalTime, time);
    }
  }

  /** Sets the first row or marker as the least and the greatest. */
  void setBounds(Prefix first) {
    least.copyOf(first);
    greatest.copyOf(first);
    hasBounds = true;
  }
}
