package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random calls of stores with times over Siltstone and over RocksDB: the results are the same. */
class StoresAgreeTest {
  private static final int CALLS = 600;

  @TempDir private Path directory;

  /** Repeated with another seed by {@code -Dsiltstone.seed}, for longer by the scale. */
  static Stream<Arguments> kindsAndSeeds() {
    long first = Long.getLong("siltstone.seed", 1);
    return Stream.of(StoreCalls.values())
        .flatMap(
            kind ->
                LongStream.range(first, first + Integer.getInteger("siltstone.scale", 1))
                    .mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void resultsAreThoseOfRocksDb(StoreCalls kind, long seed) {
    List<String> expected = results(StoreEngine.ROCKS_DB, kind, seed);
    List<String> found = results(StoreEngine.SILTSTONE, kind, seed);
    assertThat(StoreCalls.difference(expected, found))
        .as("-Dsiltstone.seed=%d, %s, RocksDB and Siltstone", seed, kind)
        .isNull();
  }

  private List<String> results(StoreEngine engine, StoreCalls kind, long seed) {
    Random random = new Random(seed);
    boolean isTransactional = (seed + kind.ordinal()) % 2 == 0;
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "calls");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve(engine.toString()).toString());
    properties.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, isTransactional);
    List<String> results = new ArrayList<>();
    try (TopologyTestDriver driver =
        new TopologyTestDriver(topology(kind.builder(engine)), properties, Instant.EPOCH)) {
      StateStore store = driver.getAllStateStores().get(StoreCalls.NAME);
      long now = random.nextBoolean() ? 0 : 1_700_000_000_000L;
      for (int i = 0; i < CALLS; i++) {
        now += random.nextInt(40) == 0 ? random.nextInt(300) * 1000L : random.nextInt(3) * 1000L;
        results.add(kind.call(store, random, now));
        if (random.nextInt(50) == 0) {
          store.commit(Map.of());
        }
      }
    }
    return results;
  }

  private static Topology topology(StoreBuilder<?> store) {
    return new Topology()
        .addSource(
            "source", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), "input")
        .addProcessor("processor", Idle::new, "source")
        .addStateStore(store.withCachingDisabled().withLoggingDisabled(), "processor");
  }

  /** Has a store, so that the topology has it. */
  private static final class Idle implements Processor<byte[], byte[], byte[], byte[]> {
    private @Nullable ProcessorContext<byte[], byte[]> context;

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      this.context = context;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      throw new IllegalStateException("no records are read by " + context);
    }
  }
}
