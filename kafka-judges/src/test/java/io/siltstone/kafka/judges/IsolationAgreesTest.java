package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.streams.StoreContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.streams.processor.StateStore;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transactional stores of Siltstone and of RocksDB under the same random changes, commits and
 * closes without a commit: what the store, the view of what is committed and that of everything
 * show is the same, and so are offsets and positions.
 */
class IsolationAgreesTest {
  private static final int CALLS = 250;

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
  void viewsAndCommitsAreThoseOfRocksDb(StoreKind kind, long seed) {
    List<String> expected = results(StoreEngine.ROCKS_DB, kind, seed);
    List<String> found = results(StoreEngine.SILTSTONE, kind, seed);
    assertThat(StoreCalls.difference(expected, found))
        .as("-Dsiltstone.seed=%d, %s, RocksDB and Siltstone", seed, kind)
        .isNull();
  }

  private List<String> results(StoreEngine engine, StoreKind kind, long seed) {
    Random random = new Random(seed);
    StoreContext context =
        new StoreContext(directory.resolve(engine.toString()), 0).transactional().exactlyOnce();
    List<String> results = new ArrayList<>();
    StateStore store = open(engine, kind, context);
    long now = 1_700_000_000_000L;
    for (int i = 0; i < CALLS; i++) {
      now += random.nextInt(40) == 0 ? random.nextInt(300) * 1000L : random.nextInt(3) * 1000L;
      context.processing("input", random.nextInt(2), i);
      int call = random.nextInt(40);
      if (call == 0) {
        commit(store, random, i);
      } else if (call == 1 && random.nextInt(3) == 0 && kind != StoreKind.VERSIONS) {
        // RocksDB's versioned store loses histories (RocksDbDiffersTest).
        store.close();
        store = open(engine, kind, context);
        results.add("opened again " + kind.committed(store));
        // Later than all times before.
        kind.put(store, now + 30_000);
      } else if (call == 2) {
        results.add(kind.committed(store));
      } else if (call < 20) {
        results.add(kind.change(store, random, now));
      } else {
        results.addAll(reads(kind, store, random.nextLong(), now));
      }
    }
    store.close();
    return results;
  }

  /** Makes the same read of the store and of both views. */
  private static List<String> reads(StoreKind kind, StateStore store, long seed, long now) {
    return Stream.of(
            store,
            kind.view(store, IsolationLevel.READ_COMMITTED),
            kind.view(store, IsolationLevel.READ_UNCOMMITTED))
        .map(view -> kind.read(view, new Random(seed), now))
        .toList();
  }

  private static void commit(StateStore store, Random random, long offset) {
    store.commit(
        switch (random.nextInt(6)) {
          case 0 -> Map.of();
          case 1 -> Collections.singletonMap(StoreKind.CHANGELOG, null);
          default -> Map.of(StoreKind.CHANGELOG, offset);
        });
  }

  private static StateStore open(StoreEngine engine, StoreKind kind, StoreContext context) {
    StateStore store = kind.store(engine);
    store.init(InternalContext.of(context), store);
    return store;
  }
}
