package io.siltstone.campaigns.streams;

import io.siltstone.kafka.streams.SiltstoneDslStoreSuppliers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.WindowStore;

/**
 * An exactly-once application that counts the records of a topic by key, in a key-value store and
 * in a window store of Siltstone.
 */
final class CountingApplication {
  private static final String COUNTS = "counts";
  private static final String WINDOWS = "windows";
  // Several commit intervals. The next process waits for the end of the halted one's transaction.
  private static final int TRANSACTION_MILLIS = 3_000;

  private final KafkaStreams streams;
  private final AtomicLong restored = new AtomicLong();

  /**
   * @param topic of the records, and a part of the id of the application
   * @param seen counts the records that the application has begun to process
   */
  CountingApplication(
      String servers, String topic, boolean isTransactional, Path directory, AtomicLong seen) {
    StreamsBuilder builder = new StreamsBuilder();
    KGroupedStream<String, String> byKey =
        builder.<String, String>stream(topic)
            .peek((key, value) -> seen.incrementAndGet())
            .groupByKey();
    byKey.count(Materialized.as(COUNTS));
    byKey
        .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofSeconds(1), Duration.ofDays(1)))
        .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as(WINDOWS));
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, id(topic, isTransactional));
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    properties.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, isTransactional);
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
    // The next process takes the place of the halted one at once, instead of after a timeout.
    properties.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), "instance");
    properties.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        TRANSACTION_MILLIS);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    streams = new KafkaStreams(builder.build(), properties);
    streams.setUncaughtExceptionHandler(
        failure -> {
          failure.printStackTrace();
          Runtime.getRuntime().halt(CountingProcess.FAILED);
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    streams.setGlobalStateRestoreListener(new Restored());
  }

  /** Returns the id of an application, which is that of its consumer group. */
  static String id(String topic, boolean isTransactional) {
    return topic + (isTransactional ? "-transactional" : "-plain");
  }

  /** Counts what is restored from changelogs. */
  private final class Restored implements StateRestoreListener {
    @Override
    public void onRestoreStart(TopicPartition partition, String store, long first, long end) {}

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long end, long records) {
      restored.addAndGet(records);
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long total) {}
  }

  /** Starts the application. It runs until its process ends, or until {@link #close}. */
  void start() {
    streams.start();
  }

  /** Returns how many records were restored from the changelogs of the stores. */
  long restored() {
    return restored.get();
  }

  /** Returns whether the stores can be read. */
  boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** Returns the counts by key in the key-value store. */
  SortedMap<String, Long> counts() {
    SortedMap<String, Long> counts = new TreeMap<>();
    try (KeyValueIterator<String, Long> all =
        streams
            .store(
                StoreQueryParameters.fromNameAndType(
                    COUNTS, QueryableStoreTypes.<String, Long>keyValueStore()))
            .all()) {
      all.forEachRemaining(entry -> counts.merge(entry.key, entry.value, Long::sum));
    }
    return counts;
  }

  /** Returns the sums of the counts of all windows, by key. */
  SortedMap<String, Long> sumsOfWindows() {
    SortedMap<String, Long> sums = new TreeMap<>();
    try (var all =
        streams
            .store(
                StoreQueryParameters.fromNameAndType(
                    WINDOWS, QueryableStoreTypes.<String, Long>windowStore()))
            .all()) {
      all.forEachRemaining(entry -> sums.merge(entry.key.key(), entry.value, Long::sum));
    }
    return sums;
  }

  /** Closes the application in order. */
  void close() {
    streams.close();
  }
}
