package io.siltstone.table.read;

import io.siltstone.event.EngineListener;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableId;
import io.siltstone.type.CqlType;
import java.time.Duration;

/**
 * Tells a listener of reads of a table that took long. Immutable, safe for all threads.
 *
 * @param nanos from which on a read is slow; {@link Long#MAX_VALUE} for none
 */
public record SlowReads(TableId table, long nanos, EngineListener listener) {
  /**
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
      // Nobody can have asked for what is no key of the table, but it is no reason to fail.
      return key.toString();
    }
  }
}
