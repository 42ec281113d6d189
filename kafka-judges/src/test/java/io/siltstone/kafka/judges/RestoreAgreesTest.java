package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.streams.StoreContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random changelog, tombstones included, restored by stores of Siltstone and of RocksDB:
 * after each batch, what they show and their position is the same, also when they are opened again.
 */
class RestoreAgreesTest {
  private static final int BATCHES = 20;
  private static final int READS = 6;

  @TempDir private Path directory;

  /** Repeated with another seed by {@code -Dsiltstone.seed}, for longer by the scale. */
  static Stream<Arguments> kindsAndSeeds() {
    long first = Long.getLong("siltstone.seed", 1);
    return Stream.of(StoreKind.values())
        .flatMap(
            kind ->
                LongStream.range(first, first + Integer.getInteger("siltstone.scale", 1))
                    .mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void entriesAndPositionsAreThoseOfRocksDb(StoreKind kind, long seed) {
    List<String> expected = results(StoreEngine.ROCKS_DB, kind, seed);
    List<String> found = results(StoreEngine.SILTSTONE, kind, seed);
    assertThat(StoreCalls.difference(expected, found))
        .as("-Dsiltstone.seed=%d, %s, RocksDB and Siltstone", seed, kind)
        .isNull();
  }

  private List<String> results(StoreEngine engine, StoreKind kind, long seed) {
    Random random = new Random(seed);
    StoreContext context =
        new StoreContext(directory.resolve(engine.toString()), 0)
            .with("__iq.consistency.offset.vector.enabled__", true);
    if ((seed + kind.ordinal()) % 2 == 0) {
      context.transactional();
    }
    List<String> results = new ArrayList<>();
    StateStore store = open(engine, kind, context);
    long now = 1_700_000_000_000L;
    long offset = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      now += random.nextInt(4) == 0 ? random.nextInt(300) * 1000L : 0;
      boolean expires = random.nextInt(3) == 0;
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (int i = random.nextInt(20); i >= 0; i--) {
        now += expires && random.nextInt(6) == 0 ? random.nextInt(200) * 1000L : 0;
        long time = now - random.nextInt(expires ? 300 : 60) * 1000L;
        records.add(record(kind, random, time, random.nextInt(2), offset++));
      }
      // RocksDB's stores know no times of before they were opened again, and do not take over the
      // positions of records that have expired.
      for (int partition = 0; partition < 2; partition++) {
        records.add(record(kind, random, now, partition, offset++));
      }
      if (engine == StoreEngine.ROCKS_DB) {
        // RocksDB's versioned store gets the records one by one: among records that are restored
        // together it takes a late version for the latest if the deletion after it expires.
        records.forEach(each -> context.restore(List.of(each)));
      } else {
        context.restore(records);
      }
      results.add("restored " + store.getPosition());
      for (int i = 0; i < READS; i++) {
        results.add(kind.read(store, random, now));
      }
      // A versioned store of RocksDB that is opened again has lost which segments it has: see
      // RocksDbDiffersTest.
      if (random.nextInt(4) == 0 && kind != StoreKind.VERSIONS) {
        store.commit(Map.of(StoreKind.CHANGELOG, offset));
        store.close();
        store = open(engine, kind, context);
        results.add("opened again " + kind.committed(store));
      }
    }
    store.close();
    return results;
  }

  private static ConsumerRecord<byte[], byte[]> record(
      StoreKind kind, Random random, long time, int partition, long offset) {
    byte[] value = StoreKind.changelogValue(random);
    return StoreContext.changelog(
        kind.changelogKey(random, time),
        value,
        Position.emptyPosition().withComponent("input", partition, offset),
        value == null ? StoreCalls.deletionTime(time) : time);
  }

  private static StateStore open(StoreEngine engine, StoreKind kind, StoreContext context) {
    StateStore store = kind.store(engine);
    store.init(InternalContext.of(context), store);
    return store;
  }
}
