package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs with a class path that has no rocksdbjni, as an application has it that uses only stores of
 * Siltstone. What Kafka ties to RocksDB whatever the suppliers is not among the operators: joins of
 * a stream with a table that have a grace period.
 */
class WithoutRocksDbTest {
  private static final int RECORDS = 60;

  @TempDir private Path directory;

  @Test
  void everyOperatorRunsWithoutTheClassesOfRocksDb() throws IOException {
    assertThatThrownBy(() -> Class.forName("org.rocksdb.RocksDB"))
        .isInstanceOf(ClassNotFoundException.class);
    Set<Operator> left = EnumSet.allOf(Operator.class);
    for (long seed = 1; !left.isEmpty(); seed++) {
      RandomTopology topology = new RandomTopology(seed, RECORDS);
      if (left.removeAll(topology.operators())) {
        assertThat(topology.run(StoreEngine.SILTSTONE, directory.resolve("seed-" + seed)).size())
            .as("seed %d, %s", seed, topology.operators())
            .isPositive();
      }
    }
  }
}
