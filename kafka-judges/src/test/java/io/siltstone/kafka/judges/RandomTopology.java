package io.siltstone.kafka.judges;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;

/**
 * A random topology with random records, which runs over any engine by {@link TopologyTestDriver}.
 * The same seed and operators repeat both. Records come out of order and late, tables get
 * deletions, and wall clock time goes by.
 *
 * @param records number of records that are read
 */
record RandomTopology(long seed, int records, List<Operator> operators) {
  private static final int KEYS = 12;
  private static final int VALUES = 6;
  private static final int MOST_OPERATORS = 6;

  // Soon after the epoch: Kafka's caches look into each minute since then where windows close.
  private static final Instant START = Instant.ofEpochSecond(100_000);

  /** Returns a topology of random operators. */
  static RandomTopology drawn(long seed, int records) {
    Random random = new Random(seed);
    List<Operator> drawn = new ArrayList<>();
    for (int i = 1 + random.nextInt(MOST_OPERATORS); i > 0; i--) {
      drawn.add(Operator.values()[random.nextInt(Operator.values().length)]);
    }
    return new RandomTopology(seed, records, drawn);
  }

  /** Returns topologies that together have each operator once. */
  static List<RandomTopology> ofAllOperators(long seed, int records) {
    List<Operator> all = new ArrayList<>(List.of(Operator.values()));
    Collections.shuffle(all, new Random(seed));
    List<RandomTopology> topologies = new ArrayList<>();
    for (int i = 0; i < all.size(); i += MOST_OPERATORS) {
      topologies.add(
          new RandomTopology(
              seed, records, all.subList(i, Math.min(all.size(), i + MOST_OPERATORS))));
    }
    return topologies;
  }

  /**
   * Runs the topology.
   *
   * @return what it has written to all topics, changelogs included, and what its stores contain in
   *     the end
   */
  Transcript run(StoreEngine engine, Path directory) throws IOException {
    Random random = new Random(~seed);
    Files.createDirectories(directory);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            topology(engine, random), properties(engine, directory, random), START)) {
      pipe(driver, random);
      return Transcript.of(driver, START);
    }
  }

  private Topology topology(StoreEngine engine, Random random) {
    Sources sources = new Sources(engine);
    for (int i = 0; i < operators.size(); i++) {
      operators.get(i).add("s" + i, sources, new Random(random.nextLong()));
    }
    Properties optimization = new Properties();
    optimization.put(
        StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG,
        random.nextBoolean() ? StreamsConfig.OPTIMIZE : StreamsConfig.NO_OPTIMIZATION);
    return sources.builder().build(optimization);
  }

  private Properties properties(StoreEngine engine, Path directory, Random random) {
    Map<String, Object> all = new HashMap<>();
    all.put(StreamsConfig.APPLICATION_ID_CONFIG, "topology");
    all.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    all.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
    all.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    all.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    all.put(StreamsConfig.DSL_STORE_SUPPLIERS_CLASS_CONFIG, engine.dslStoreSuppliers());
    all.put(
        StreamsConfig.DSL_STORE_FORMAT_CONFIG,
        random.nextBoolean()
            ? StreamsConfig.DSL_STORE_FORMAT_DEFAULT
            : StreamsConfig.DSL_STORE_FORMAT_HEADERS);
    all.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, random.nextBoolean());
    all.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        random.nextBoolean() ? StreamsConfig.AT_LEAST_ONCE : StreamsConfig.EXACTLY_ONCE_V2);
    all.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, random.nextBoolean() ? 1 << 20 : 0);
    Properties properties = new Properties();
    properties.putAll(all);
    return properties;
  }

  private void pipe(TopologyTestDriver driver, Random random) {
    Map<String, TestInputTopic<String, String>> topics = new HashMap<>();
    List<String> names = new ArrayList<>(Sources.STREAMS);
    names.addAll(Sources.TABLES);
    names.add(Sources.GLOBAL);
    names.forEach(
        name ->
            topics.put(
                name,
                driver.createInputTopic(name, new StringSerializer(), new StringSerializer())));
    long now = START.toEpochMilli();
    for (int i = 0; i < records; i++) {
      String name = names.get(random.nextInt(names.size()));
      now += random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(1_500);
      long time = random.nextInt(4) == 0 ? now - random.nextInt(60_000) : now;
      boolean isDeletion = !Sources.STREAMS.contains(name) && random.nextInt(4) == 0;
      // RocksDB's versioned store forgets a deletion at the time of the latest version.
      time = isDeletion ? time | 1 : time & ~1L;
      String key = "k" + Integer.toString(random.nextInt(KEYS), 4);
      String value = isDeletion ? null : "k" + Integer.toString(random.nextInt(VALUES), 4);
      topics.get(name).pipeInput(key, value, time);
      if (random.nextInt(30) == 0) {
        driver.advanceWallClockTime(Duration.ofSeconds(random.nextInt(40)));
      }
    }
  }
}
