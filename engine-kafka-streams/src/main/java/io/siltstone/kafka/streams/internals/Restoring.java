package io.siltstone.kafka.streams.internals;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ChangelogRecordDeserializationHelper;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;

/**
 * Restores of a store from its changelog.
 *
 * <p>Uses {@code RecordBatchingStateRestoreCallback}, since the public callbacks of batches have
 * neither the headers of records, which contain the position, nor their timestamps, which versioned
 * stores need; and {@code ChangelogRecordDeserializationHelper}, the only definition of these
 * headers.
 */
public final class Restoring {
  private static final String CONSISTENCY = "__iq.consistency.offset.vector.enabled__";

  private Restoring() {}

  /** Takes a batch of records of a changelog into a store. */
  @FunctionalInterface
  public interface Batch {
    /** Takes the records into the store, in their order. */
    void restore(Collection<ConsumerRecord<byte[], byte[]>> records);
  }

  /** Registers a store with its context, whose changelog is then restored through the batch. */
  public static void register(StateStoreContext context, StateStore root, Batch batch) {
    context.register(root, (RecordBatchingStateRestoreCallback) batch::restore);
  }

  /** Returns whether changelogs have positions, which {@link #mergePosition} reads. */
  public static boolean hasPositions(Map<String, Object> configs) {
    Object value = configs.get(CONSISTENCY);
    return value instanceof Boolean is ? is : Boolean.parseBoolean(String.valueOf(value));
  }

  /** Merges the position that a record of a changelog has into another. */
  public static void mergePosition(ConsumerRecord<byte[], byte[]> record, Position into) {
    ChangelogRecordDeserializationHelper.applyChecksAndUpdatePosition(record, true, into);
  }
}
