package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.schema.DroppedColumn;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the serialization header of a compaction's outputs.
 *
 * <p><b>Columns</b> are those of the inputs, with the types that the table has now. A column that
 * no input has costs a reader nothing, and a row that has all columns of the header need not list
 * them. A dropped column is included while an input may have a cell newer than the drop: such cells
 * stay, as in Cassandra, and become visible if the column is added again. Source: Cassandra {@code
 * SerializationHeader.make}, which keeps dropped columns forever.
 *
 * <p><b>Delta bases</b> are those of the inputs with the most bytes, so that as many rows as
 * possible are copied as bytes. The bytes of inputs that are older than a base as a whole count
 * against it. If no base is left with enough bytes, it is the least of all, as in Cassandra, by
 * which numbers are short.
 */
final class OutputHeader {
  /** From this share of the bytes on, copying rows outweighs longer numbers in the other rows. */
  private static final double LEAST_SHARE = 0.25;

  /**
   * The greatest distance of the last time of a histogram from the greatest time added. With more
   * than 100 distinct times it merges the two nearest into one, which lies nearer to the more
   * frequent one. Of the 136 years that times may span, the last two are the nearest while they are
   * less than 1.36 years apart. To hide this many seconds, 17 merges would have to be with the last
   * two, each after the addition of an earlier time. A TTL is at most 20 years, and is as far again
   * from the times that cannot be written.
   */
  private static final long SLACK_SECONDS = 20 * 366L * 24 * 3600;

  private OutputHeader() {}

  /**
   * @param inputs not empty, the newest last
   */
  static SerializationHeader of(TableSchema schema, List<SSTable> inputs) {
    SerializationHeader today = RowEncoding.of(schema, EncodingStats.NONE, true).header();
    SerializationHeader columns =
        new SerializationHeader(
            today.keyType(),
            today.clusteringTypes(),
            columns(schema, today, inputs, true),
            columns(schema, today, inputs, false),
            EncodingStats.NONE);
    return columns.withStats(stats(columns, inputs));
  }

  private static List<HeaderColumn> columns(
      TableSchema schema, SerializationHeader today, List<SSTable> inputs, boolean isStatic) {
    Map<String, HeaderColumn> present = new HashMap<>();
    today.columns(isStatic).forEach(column -> present.put(column.name(), column));
    Map<String, HeaderColumn> columns = new HashMap<>();
    for (SSTable input : inputs) {
      long newest = input.statistics().stats().maxTimestamp();
      for (HeaderColumn column : input.header().columns(isStatic)) {
        HeaderColumn known = present.get(column.name());
        if (known != null) {
          columns.put(column.name(), known);
        } else if (!isFullyDropped(schema, column, newest)) {
          columns.put(column.name(), column);
        }
      }
    }
    return columns.values().stream().sorted(HeaderColumn.CELL_ORDER).toList();
  }

  /**
   * Returns whether a column that the table does not have was dropped later than any of its cells
   * was written.
   */
  private static boolean isFullyDropped(TableSchema schema, HeaderColumn column, long newest) {
    return schema
        .droppedColumn(column.name())
        .map(DroppedColumn::droppedAtMicros)
        .filter(at -> newest <= at)
        .isPresent();
  }

  private static EncodingStats stats(SerializationHeader columns, List<SSTable> inputs) {
    Map<EncodingStats, Long> bytes = new HashMap<>();
    long total = 0;
    for (SSTable input : inputs) {
      total += input.dataLength();
      EncodingStats stats = input.header().stats();
      if (input.header().equals(columns.withStats(stats)) && allows(stats, inputs)) {
        bytes.merge(stats, input.dataLength(), Long::sum);
      }
    }
    bytes.replaceAll((stats, copied) -> copied - bytesBeforeBase(stats, inputs));
    long enough = (long) (total * LEAST_SHARE);
    return bytes.entrySet().stream()
        .filter(entry -> entry.getValue() >= enough)
        .max(
            Map.Entry.<EncodingStats, Long>comparingByValue()
                .thenComparing(
                    entry -> entry.getKey().minTimestamp(), Comparator.<Long>reverseOrder()))
        .map(Map.Entry::getKey)
        .orElseGet(() -> least(inputs));
  }

  /**
   * Returns the bytes of inputs whose timestamps are all before the base; this is so for data
   * written before the database was opened for which another input was flushed. Each of their
   * timestamps would take nine bytes.
   */
  private static long bytesBeforeBase(EncodingStats stats, List<SSTable> inputs) {
    return inputs.stream()
        .filter(input -> input.statistics().stats().maxTimestamp() < stats.minTimestamp())
        .mapToLong(SSTable::dataLength)
        .sum();
  }

  /**
   * Returns whether the base can encode the local deletion times of all inputs: they lie less than
   * 2³¹ s above it.
   */
  private static boolean allows(EncodingStats stats, List<SSTable> inputs) {
    return inputs.stream()
        .allMatch(input -> latest(input) - stats.minLocalDeletionTime() <= Integer.MAX_VALUE);
  }

  /** Returns a time that no deletion of the input exceeds, in seconds since 1970. */
  private static long latest(SSTable input) {
    StatsMetadata stats = input.statistics().stats();
    if (stats.maxLocalDeletionTime() != DeletionTime.NO_DELETION_TIME) {
      return stats.maxLocalDeletionTime();
    }
    // There is live data, whose deletion time is the greatest, so the histogram has to tell.
    TombstoneHistogram times = stats.tombstoneTimes();
    if (times.size() == 0) {
      return Long.MIN_VALUE / 2;
    }
    long written = input.header().stats().minLocalDeletionTime() + Integer.MAX_VALUE;
    return Math.min(written, times.time(times.size() - 1) + SLACK_SECONDS);
  }

  private static EncodingStats least(List<SSTable> inputs) {
    long timestamp = Long.MAX_VALUE;
    long deletionTime = Long.MAX_VALUE;
    int ttl = Integer.MAX_VALUE;
    for (SSTable input : inputs) {
      StatsMetadata stats = input.statistics().stats();
      if (stats.minTimestamp() != Long.MIN_VALUE) {
        timestamp = Math.min(timestamp, stats.minTimestamp());
      }
      deletionTime = Math.min(deletionTime, stats.minLocalDeletionTime());
      ttl = Math.min(ttl, stats.minTtl());
    }
    EncodingStats least =
        new EncodingStats(
            timestamp == Long.MAX_VALUE ? EncodingStats.TIMESTAMP_EPOCH : timestamp,
            deletionTime >= Integer.MAX_VALUE || deletionTime < 0
                ? EncodingStats.DELETION_TIME_EPOCH
                : deletionTime,
            ttl);
    return allows(least, inputs)
        ? least
        : new EncodingStats(
            least.minTimestamp(), EncodingStats.ANY.minLocalDeletionTime(), least.minTtl());
  }
}
