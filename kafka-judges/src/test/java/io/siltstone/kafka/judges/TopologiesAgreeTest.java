package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random topologies over Siltstone and over RocksDB: what they write and keep is the same. */
class TopologiesAgreeTest {
  private static final int RECORDS = 150;

  @TempDir private Path directory;

  /**
   * Returns topologies of each operator, and some of random ones. Repeated with another seed by
   * {@code -Dsiltstone.seed}, for longer by the scale.
   */
  static Stream<RandomTopology> topologies() {
    long first = Long.getLong("siltstone.seed", 1);
    return Stream.concat(
        RandomTopology.ofAllOperators(first, RECORDS).stream(),
        LongStream.range(first, first + 4L * Integer.getInteger("siltstone.scale", 1))
            .mapToObj(seed -> RandomTopology.drawn(seed, RECORDS)));
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void outputsAndStoresAreThoseOfRocksDb(RandomTopology topology) throws IOException {
    Transcript expected = topology.run(StoreEngine.ROCKS_DB, directory.resolve("rocksdb"));
    Transcript found = topology.run(StoreEngine.SILTSTONE, directory.resolve("siltstone"));
    assertThat(expected.size()).isPositive();
    assertThat(expected.difference(found))
        .as("-Dsiltstone.seed=%d, %s, RocksDB and Siltstone", topology.seed(), topology)
        .isNull();
  }
}
