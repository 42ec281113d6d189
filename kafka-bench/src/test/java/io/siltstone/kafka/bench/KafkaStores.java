package io.siltstone.kafka.bench;

import io.siltstone.bench.state.MeasuredStore;
import io.siltstone.bench.state.StateStores;
import io.siltstone.kafka.streams.StoreContext;
import io.siltstone.kafka.streams.StoreHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The stores of an instance of an application, without the application. */
final class KafkaStores implements StateStores {
  static final String NAME = "store";

  /** Sums up the memory that the metrics of stores report. */
  @FunctionalInterface
  interface Reported {
    long bytes(List<StoreContext> contexts);
  }

  private final Path directory;
  private final KeyValueBytesStoreSupplier supplier;
  private final Reported reported;
  private final List<StoreContext> open = new ArrayList<>();

  /**
   * @param directory of the state
   * @param supplier of a store with the {@link #NAME}
   */
  KafkaStores(Path directory, KeyValueBytesStoreSupplier supplier, Reported reported) {
    this.directory = directory;
    this.supplier = supplier;
    this.reported = reported;
  }

  @Override
  public MeasuredStore open(int partition) {
    StoreContext context =
        new StoreContext(directory, partition)
            .with(StoreHost.MEMORY_BYTES_CONFIG, StoreHost.DEFAULT_MEMORY_BYTES);
    // A record that is being processed, whose offset each put keeps as the position.
    context.processing("input", partition, 1);
    KeyValueStore<Bytes, byte[]> store = supplier.get();
    store.init(context, store);
    open.add(context);
    return new Store(store, context, new TopicPartition("changelog", partition));
  }

  @Override
  public long reportedBytes() {
    return reported.bytes(open);
  }

  /** Returns the value of a metric of a store, 0 if there is none. */
  static long metric(StoreContext context, String name) {
    return context.registry().metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name))
        .mapToLong(metric -> ((Number) metric.getValue().metricValue()).longValue())
        .findFirst()
        .orElse(0);
  }

  /** A store of a partition. */
  private final class Store implements MeasuredStore {
    private final KeyValueStore<Bytes, byte[]> store;
    private final StoreContext context;
    private final TopicPartition changelog;

    Store(KeyValueStore<Bytes, byte[]> store, StoreContext context, TopicPartition changelog) {
      this.store = store;
      this.context = context;
      this.changelog = changelog;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      store.put(Bytes.wrap(key), value);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      return store.get(Bytes.wrap(key));
    }

    @Override
    public long scan(byte @Nullable [] from, byte @Nullable [] to) {
      long entries = 0;
      try (KeyValueIterator<Bytes, byte[]> all =
          from == null ? store.all() : store.range(Bytes.wrap(from), Bytes.wrap(to))) {
        while (all.hasNext()) {
          KeyValue<Bytes, byte[]> entry = all.next();
          if (entry.key == null || entry.value == null) {
            throw new IllegalStateException("an entry without key or value");
          }
          entries++;
        }
      }
      return entries;
    }

    @Override
    public void restore(List<byte[]> keys, List<byte[]> values) {
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        records.add(StoreContext.changelog(keys.get(i), values.get(i), null));
      }
      context.restore(records);
    }

    @Override
    public void commit(long offset) {
      store.commit(Map.of(changelog, offset));
    }

    @Override
    public void close() {
      open.remove(context);
      store.close();
    }
  }
}
