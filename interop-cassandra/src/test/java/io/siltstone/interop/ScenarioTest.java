package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cassandra stores, verifies and reads each scenario consistently. */
class ScenarioTest {

  @TempDir Path directory;

  static Stream<Scenario> scenarios() {
    return Scenario.all(CassandraNode.get().options());
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void cassandraAgreesWithItself(Scenario scenario) throws Exception {
    CassandraNode node = CassandraNode.get();
    CassandraJudge judge = new CassandraJudge(node);
    try (CassandraTable table = scenario.run(node)) {
      List<Path> files = table.export(directory);
      assertThat(files).isNotEmpty();
      for (Path data : files) {
        judge.examine(data, table);
        assertThat(judge.dump(data)).startsWith("[");
      }
    }
  }
}
