package io.siltstone.table.read;

import io.siltstone.event.EngineListener;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableId;
import io.siltstone.type.CqlType;
import java.time.Duration;

/**
 * Reports slow reads of a table to a listener. Immutable, safe for all threads.
 *
 * @param nanos from which on a read is slow; {@link Long#MAX_VALUE} for none
 */
public record SlowReads(TableId table, long nanos, EngineListener listener) {
  /**
   * Reports one read.
   *
   * @param type of the key
   */
  void report(
      CqlType type,
      PartitionKey key,
      long took,
      int sstables,
      int falsePositives,
      long chunks,
      long hits,
      long bytes) {
    listener.slowRead(
        new EngineListener.SlowRead(
            table,
            text(type, key),
            Duration.ofNanos(took),
            sstables,
            falsePositives,
            chunks,
            hits,
            bytes));
  }

  private static String text(CqlType type, PartitionKey key) {
    try {
      return type.format(key.bytes(), key.offset(), key.length());
    } catch (IllegalArgumentException e) {
      // The bytes are not a valid key of the table, but a report must not fail because of that.
      return key.toString();
    }
  }
}
