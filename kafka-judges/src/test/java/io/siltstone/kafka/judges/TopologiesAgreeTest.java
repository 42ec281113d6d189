package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random topologies over Siltstone and over RocksDB: what they write and keep is the same. */
class TopologiesAgreeTest {
  private static final int RECORDS = 150;

  @TempDir private Path directory;

  /** Repeated with another seed by {@code -Dsiltstone.seed}, for longer by the scale. */
  static LongStream seeds() {
    long first = Long.getLong("siltstone.seed", 1);
    return LongStream.range(first, first + 8L * Integer.getInteger("siltstone.scale", 1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void outputsAndStoresAreThoseOfRocksDb(long seed) throws IOException {
    RandomTopology topology = new RandomTopology(seed, RECORDS);
    Transcript expected = topology.run(StoreEngine.ROCKS_DB, directory.resolve("rocksdb"));
    Transcript found = topology.run(StoreEngine.SILTSTONE, directory.resolve("siltstone"));
    assertThat(expected.size()).isPositive();
    assertThat(expected.difference(found))
        .as("-Dsiltstone.seed=%d, %s, RocksDB and Siltstone", seed, topology.operators())
        .isNull();
  }
}
