package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.table.StateTable;
import java.io.IOException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/** The base of window and session stores, which have a table of segments. */
abstract class TimedStore extends BaseStore {
  private TimedLayout layout;
  private final TimeSegments segments;
  private volatile @Nullable SegmentedTable table;

  TimedStore(
      String name,
      String format,
      String scope,
      StoreTables tables,
      TimedLayout layout,
      TimeSegments segments) {
    super(name, format, scope, tables);
    this.layout = layout;
    this.segments = segments;
  }

  /** Returns for how many milliseconds of stream time entries are kept. */
  public final long retentionPeriod() {
    return segments.retentionMillis();
  }

  /** Sets another layout before the store is opened. */
  final void use(TimedLayout other) {
    layout = other;
  }

  @Override
  void opened(OpenStore store) {
    table = new SegmentedTable(store, layout, segments);
  }

  final SegmentedTable table() {
    // Throws if the store is not open, and has thus no table.
    OpenStore store = present();
    SegmentedTable present = table;
    if (present == null || present.store() != store) {
      throw new InvalidStateStoreException("Store " + name() + " is being opened");
    }
    return present;
  }

  @Override
  void beforeRestore(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    table().observe(records);
  }

  @Override
  void restore(ConsumerRecord<byte[], byte[]> record, StateTable.Restore into) throws IOException {
    table().restore(record, into);
  }
}
