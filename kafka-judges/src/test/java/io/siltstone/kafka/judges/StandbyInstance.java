package io.siltstone.kafka.judges;

import io.siltstone.kafka.streams.SiltstoneDslStoreSuppliers;
import io.siltstone.kafka.streams.SiltstoneStores;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KGroupedStream;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.query.WindowKeyQuery;
import org.apache.kafka.streams.query.WindowRangeQuery;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.apache.kafka.streams.state.WindowStore;

/**
 * One of several instances of an exactly-once application with standby replicas, which counts the
 * records of a topic by key, in windows and in sessions, and keeps the versions of each key.
 */
final class StandbyInstance implements AutoCloseable {
  static final String TOPIC = "input";
  private static final String COUNTS = "counts";
  private static final String WINDOWS = "windows";
  private static final String SESSIONS = "sessions";
  private static final String VERSIONS = "versions";

  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant START = Instant.EPOCH;
  private static final Instant END = Instant.ofEpochMilli(Long.MAX_VALUE / 2);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long LOOK_MILLIS = 20;

  private final KafkaStreams streams;
  private final AtomicLong restored = new AtomicLong();

  /** Starts an instance with a name and a state directory of its own. */
  StandbyInstance(String servers, String name, Path directory) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "standby");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, true);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 50);
    properties.put(StreamsConfig.POLL_MS_CONFIG, 10);
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
    properties.put(StreamsConfig.CLIENT_ID_CONFIG, name);
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    // A member learns by a heartbeat that another one has come or left.
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 100);
    // Changelogs have positions, which standbys take over.
    properties.put(StreamsConfig.InternalConfig.IQ_CONSISTENCY_OFFSET_VECTOR_ENABLED, true);
    streams = new KafkaStreams(topology(), properties);
    streams.setGlobalStateRestoreListener(new Restored());
    streams.start();
  }

  private static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> input = builder.stream(TOPIC);
    KGroupedStream<String, String> byKey = input.groupByKey();
    byKey.count(Materialized.as(COUNTS));
    byKey
        .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofSeconds(10), DAY))
        .count(Materialized.<String, Long, WindowStore<Bytes, byte[]>>as(WINDOWS));
    byKey
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(Duration.ofSeconds(5), DAY))
        .count(Materialized.<String, Long, SessionStore<Bytes, byte[]>>as(SESSIONS));
    input.toTable(
        Materialized.<String, String>as(
            SiltstoneStores.persistentVersionedKeyValueStore(VERSIONS, DAY)));
    return builder.build();
  }

  /** Counts what is restored from changelogs before a task becomes active. */
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

  /** Returns how many records were restored for active tasks, beside those of standbys. */
  long restored() {
    return restored.get();
  }

  /** Waits until one of two instances has the active task and the other one the standby. */
  static void awaitTasks(StandbyInstance one, StandbyInstance other) throws InterruptedException {
    await(() -> one.isActive() && other.isStandby() || other.isActive() && one.isStandby());
  }

  /** Waits until the instance has the active task. */
  void awaitActive() throws InterruptedException {
    await(this::isActive);
  }

  boolean isActive() {
    return streams.state() == KafkaStreams.State.RUNNING
        && streams.metadataForLocalThreads().stream()
            .anyMatch(thread -> !thread.activeTasks().isEmpty());
  }

  private boolean isStandby() {
    return streams.state() == KafkaStreams.State.RUNNING
        && streams.metadataForLocalThreads().stream()
            .anyMatch(thread -> !thread.standbyTasks().isEmpty());
  }

  /**
   * Returns what queries of all stores show of some keys, as soon as each store has reached a
   * position; a standby answers, too.
   */
  List<String> content(List<String> keys, PositionBound bound) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    addAll(lines, COUNTS, RangeQuery.<String, Object>withNoBounds(), bound);
    for (String key : keys) {
      addAll(lines, WINDOWS, WindowKeyQuery.withKeyAndWindowStartRange(key, START, END), bound);
      addAll(lines, SESSIONS, WindowRangeQuery.withKey(key), bound);
      try (VersionedRecordIterator<String> versions =
          query(VERSIONS, MultiVersionedKeyQuery.<String, String>withKey(key), bound)) {
        versions.forEachRemaining(version -> lines.add(VERSIONS + " " + key + " " + version));
      }
    }
    return lines;
  }

  private <R extends KeyValueIterator<?, ?>> void addAll(
      List<String> lines, String store, Query<R> query, PositionBound bound)
      throws InterruptedException {
    try (R all = query(store, query, bound)) {
      all.forEachRemaining(entry -> lines.add(store + " " + entry));
    }
  }

  /** Queries a store as soon as its only partition has reached a position. */
  private <R> R query(String store, Query<R> query, PositionBound bound)
      throws InterruptedException {
    StateQueryRequest<R> request =
        StateQueryRequest.inStore(store).withQuery(query).withPositionBound(bound);
    List<R> results = new ArrayList<>();
    await(
        () -> {
          QueryResult<R> result = streams.query(request).getPartitionResults().get(0);
          if (result != null && result.isSuccess()) {
            results.add(result.getResult());
          }
          return !results.isEmpty();
        });
    return results.get(0);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("nothing has happened for a minute");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Stops the instance, which leaves the group at once, so that another one takes over. */
  void stop() {
    streams.close(
        CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
  }

  /** Removes the local state of a stopped instance. */
  void cleanUp() {
    streams.cleanUp();
  }

  @Override
  public void close() {
    stop();
  }
}
