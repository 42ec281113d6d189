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
 * Chooses the header of a task's outputs.
 *
 * <p>Columns are those that the inputs name, with the types that the table gives them now: a column
 * that no input has costs a reader nothing, and a row that has all columns of its inputs need not
 * say which. Dropped ones are among them while some input may have a newer cell than the drop: such
 * cells stay, as in Cassandra, and are there again if the column is added again. Source: Cassandra
 * {@code SerializationHeader.make}, which names dropped columns for good.
 *
 * <p>Delta bases are those of the inputs with the most bytes, so that as many rows as possible are
 * copied as they are, where the bytes of inputs that are older than that base as a whole count
 * against it; if that leaves none with enough, the least of all, as in Cassandra: then numbers are
 * short.
 */
final class OutputHeader {
  /** Copies are worth longer numbers in the other rows from this share of the bytes on. */
  private static final double LEAST_SHARE = 0.25;

  /**
   * What a histogram may hide. Of more times than it has room for, 100, it makes the nearest two
   * one, which lies near the one that has the most: of the 136 years that a time may have, the last
   * two are the nearest while they are less than 1.36 apart. To hide this much it would have to do
   * so 17 times with the last two, each time for something earlier than all the rest. A TTL, of at
   * most 20 years, lies as far again from where times would be too late.
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
        } else if (!isGone(schema, column, newest)) {
          columns.put(column.name(), column);
        }
      }
    }
    return columns.values().stream().sorted(HeaderColumn.CELL_ORDER).toList();
  }

  /** Whether a column that the table does not have was dropped later than any of its cells. */
  private static boolean isGone(TableSchema schema, HeaderColumn column, long newest) {
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
    bytes.replaceAll((stats, copied) -> copied - bytesBehind(stats, inputs));
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
   * Bytes of inputs of which no timestamp is as late as the base, as if they were written before a
   * database was opened whose rows another has: each of their timestamps takes nine bytes then.
   */
  private static long bytesBehind(EncodingStats stats, List<SSTable> inputs) {
    return inputs.stream()
        .filter(input -> input.statistics().stats().maxTimestamp() < stats.minTimestamp())
        .mapToLong(SSTable::dataLength)
        .sum();
  }

  /** Whether the local deletion times of all can be written: they lie less than 2³¹ s above. */
  private static boolean allows(EncodingStats stats, List<SSTable> inputs) {
    return inputs.stream()
        .allMatch(input -> latest(input) - stats.minLocalDeletionTime() <= Integer.MAX_VALUE);
  }

  /** No deletion of the input is later. */
  private static long latest(SSTable input) {
    StatsMetadata stats = input.statistics().stats();
    if (stats.maxLocalDeletionTime() != DeletionTime.NO_DELETION_TIME) {
      return stats.maxLocalDeletionTime();
    }
    // Something lives, and so the greatest time is that of no deletion.
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
