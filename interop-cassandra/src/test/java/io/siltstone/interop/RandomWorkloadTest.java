package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cassandra itself stores, verifies and reads the random histories consistently. */
class RandomWorkloadTest {

  @TempDir Path directory;

  static LongStream seeds() {
    return RandomCases.seeds(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void cassandraAgreesWithItself(long seed) throws Exception {
    CassandraNode node = CassandraNode.get();
    CassandraJudge judge = new CassandraJudge(node);
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      test.table().flush();
      for (Path data : test.table().export(Files.createDirectories(directory))) {
        judge.examine(data, test.table());
        assertThat(judge.dump(data)).startsWith("[");
      }
    }
  }
}
