package io.siltstone.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.kafka.streams.host.OpenDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.JoinWindows;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topology of the DSL whose stores are chosen by the one property, without RocksDB. */
final class TopologyTest {
  @TempDir Path directory;

  private Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    properties.put(
        StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, SiltstoneDslStoreSuppliers.class);
    properties.put(
        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class.getName());
    properties.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class.getName());
    return properties;
  }

  private static StreamsBuilder builder() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> words = builder.stream("words");
    words.groupByKey().count(Materialized.as("counts"));
    words
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofMinutes(1)))
        .count(Materialized.as("windows"));
    words
        .groupByKey()
        .windowedBy(SessionWindows.ofInactivityGapWithNoGrace(Duration.ofMinutes(1)))
        .count(Materialized.as("sessions"));
    words
        .outerJoin(
            builder.<String, String>stream("others"),
            (a, b) -> a + "-" + b,
            JoinWindows.ofTimeDifferenceWithNoGrace(Duration.ofMinutes(1)))
        .to("joined");
    return builder;
  }

  @Test
  void rocksDbIsNotThere() {
    assertThatThrownBy(() -> Class.forName("org.rocksdb.RocksDB"))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "headers"})
  void oneChoosesAllStoresByOneProperty(String format) {
    Properties properties = properties();
    properties.put(StreamsConfig.DSL_STORE_FORMAT_CONFIG, format);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder().build(), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> words =
          driver.createInputTopic(
              "words", Serdes.String().serializer(), Serdes.String().serializer());
      words.pipeInput("a", "1", 1_000);
      words.pipeInput("", "1", 2_000);
      words.pipeInput("a", "2", 3_000);
      words.pipeInput("a", "3", 70_000);
      assertThat(driver.<String, Object>getTimestampedKeyValueStore("counts").get("a").value())
          .isEqualTo(3L);
      assertThat(driver.<String, Object>getTimestampedKeyValueStore("counts").get("").value())
          .isEqualTo(1L);
      try (var windows = driver.<String, Object>getWindowStore("windows").fetch("a", 0, 60_000)) {
        assertThat(windows.next().value).isEqualTo(2L);
        assertThat(windows.next().value).isEqualTo(1L);
        assertThat(windows.hasNext()).isFalse();
      }
      try (var sessions = driver.<String, Object>getSessionStore("sessions").fetch("a")) {
        assertThat(sessions.next().value).isEqualTo(2L);
        assertThat(sessions.next().value).isEqualTo(1L);
      }
    }
    assertThat(OpenDatabases.areNone()).isTrue();
  }

  // A window is as old as the retention period when it closes, and the store knows the next one by
  // then, as the cache has no memory to keep anything.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void windowsAreEmittedWhenTheyCloseWithACacheAndWithout(boolean cached) {
    Properties properties = properties();
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 1);
    Materialized<String, Long, WindowStore<Bytes, byte[]>> counts = Materialized.as("windows");
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("words")
        .groupByKey()
        .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofMinutes(1)))
        .emitStrategy(EmitStrategy.onWindowClose())
        .count(cached ? counts.withCachingEnabled() : counts.withCachingDisabled())
        .toStream((window, count) -> window.key() + "@" + window.window().start())
        .to("closed", Produced.with(Serdes.String(), Serdes.Long()));
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(), properties, Instant.EPOCH)) {
      TestInputTopic<String, String> words =
          driver.createInputTopic(
              "words", Serdes.String().serializer(), Serdes.String().serializer());
      words.pipeInput("a", "1", 1_000);
      words.pipeInput("a", "1", 60_000);
      driver.advanceWallClockTime(Duration.ofSeconds(2)); // Kafka emits once in a second.
      words.pipeInput("a", "1", 60_001);
      assertThat(
              driver
                  .createOutputTopic(
                      "closed", Serdes.String().deserializer(), Serdes.Long().deserializer())
                  .readKeyValuesToList())
          .containsExactly(KeyValue.pair("a@0", 1L));
    }
  }

  // Kafka wraps it, and expects the iterator of a query to be one of its own interfaces.
  @Test
  void rangesOfATableWithAStoreOfPlainValuesCanBeQueried() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("words")
        .groupByKey()
        .count(Materialized.as(SiltstoneStores.persistentKeyValueStore("counts")));
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder.build(), properties(), Instant.EPOCH)) {
      driver
          .createInputTopic("words", Serdes.String().serializer(), Serdes.String().serializer())
          .pipeInput("a", "1", 1_000);
      StateStore counts = driver.getAllStateStores().get("counts");
      for (RangeQuery<String, Long> query :
          List.of(
              RangeQuery.<String, Long>withNoBounds(),
              RangeQuery.<String, Long>withRange("b", "a"))) {
        QueryResult<KeyValueIterator<String, Long>> result =
            counts.query(query, PositionBound.unbounded(), new QueryConfig(false));
        try (KeyValueIterator<String, Long> found = result.getResult()) {
          if (query.getLowerBound().isEmpty()) {
            assertThat(found.next()).isEqualTo(KeyValue.pair("a", 1L));
          }
          assertThat(found.hasNext()).isFalse();
        }
      }
    }
  }

  @Test
  void metricsAreUnderTheNamesThatUsersOfRocksDbKnow() {
    try (TopologyTestDriver driver =
        new TopologyTestDriver(builder().build(), properties(), Instant.EPOCH)) {
      driver
          .createInputTopic("words", Serdes.String().serializer(), Serdes.String().serializer())
          .pipeInput("a", "1", 1_000);
      Map<MetricName, ? extends Metric> metrics = driver.metrics();
      Set<String> names =
          metrics.keySet().stream()
              .filter(name -> "counts".equals(name.tags().get("siltstone-state-id")))
              .map(MetricName::name)
              .collect(Collectors.toSet());
      assertThat(names)
          .contains(
              "put-rate",
              "size-all-mem-tables",
              "estimate-num-keys",
              "live-sst-files-size",
              "block-cache-usage",
              "block-cache-capacity",
              "memory-budget-usage",
              "memory-budget-limit");
      assertThat(value(metrics, "memory-budget-limit")).isEqualTo(StoreHost.DEFAULT_MEMORY_BYTES);
      assertThat(value(metrics, "memory-budget-usage"))
          .isBetween(1L, StoreHost.DEFAULT_MEMORY_BYTES);
      assertThat(value(metrics, "num-entries-active-mem-table")).isPositive();
      assertThat(value(metrics, "estimate-num-keys")).isEqualTo(1L);
    }
  }

  private static long value(Map<MetricName, ? extends Metric> metrics, String name) {
    return metrics.entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .filter(each -> "counts".equals(each.getKey().tags().get("siltstone-state-id")))
        .map(each -> (Long) each.getValue().metricValue())
        .findFirst()
        .orElseThrow();
  }
}
