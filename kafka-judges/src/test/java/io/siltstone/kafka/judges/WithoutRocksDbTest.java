package io.siltstone.kafka.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
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
    int number = 0;
    for (RandomTopology topology : RandomTopology.ofAllOperators(1, RECORDS)) {
      assertThat(topology.run(StoreEngine.SILTSTONE, directory.resolve("" + number++)).size())
          .as("%s", topology)
          .isPositive();
    }
  }
}
