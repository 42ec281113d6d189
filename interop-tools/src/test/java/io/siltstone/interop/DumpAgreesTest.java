package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.text.PrintableText;
import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code siltstone dump} and {@code metadata} print what Cassandra's tools print. */
class DumpAgreesTest {

  @AutoClose private static final MemoryBudget MEMORY = PooledMemory.unlimited();

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);

  static LongStream seeds() {
    return RandomCases.seeds(6);
  }

  static Stream<Scenario> scenarios() {
    return Scenario.ofRun(CassandraNode.get().options());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void ofRandomTables(long seed) throws Exception {
    try (RandomCases.Case test = RandomCases.run(node, seed)) {
      test.table().flush();
      compare(
          test.table().export(directory), seed, "seed " + seed + ", table " + test.definition());
      test.table().compact();
      compare(
          test.table().export(directory.resolve("compacted")),
          seed + 1,
          "compacted, seed " + seed + ", table " + test.definition());
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void ofScenarios(Scenario scenario) throws Exception {
    try (CassandraTable table = scenario.run(node)) {
      List<Path> files = table.export(directory);
      assertThat(files).isNotEmpty();
      compare(files, scenario.toString().length(), scenario.toString());
    }
  }

  /** The styles of a dump, by their options. */
  private static final List<Map.Entry<String, CassandraJudge.DumpStyle>> STYLES =
      List.of(
          Map.entry("-t", CassandraJudge.DumpStyle.RAW_TIMESTAMPS),
          Map.entry("-l", CassandraJudge.DumpStyle.LINES),
          Map.entry("-e", CassandraJudge.DumpStyle.KEYS));

  /**
   * Compares the metadata, the dump without options and, by a number, one of the others; with
   * {@code interop.scale} all of them.
   */
  private void compare(List<Path> files, long number, String what) throws Exception {
    for (Path data : files) {
      String path = data.toString();
      assertThat(run("dump", path))
          .as("dump of %s", what)
          .isEqualTo(judge.dump(data, CassandraJudge.DumpStyle.DEFAULT));
      for (int i = 0; i < STYLES.size(); i++) {
        if (Scenario.isLarge() || i == Math.floorMod(number, STYLES.size())) {
          String option = STYLES.get(i).getKey();
          assertThat(run("dump", option, path))
              .as("dump %s of %s", option, what)
              .isEqualTo(judge.dump(data, STYLES.get(i).getValue()));
        }
      }
      List<String> expected = lines(judge.metadata(data));
      List<String> found = lines(run("metadata", path));
      if (expected.stream().noneMatch(DumpAgreesTest::isToken)) {
        // Before oa, Cassandra knows the tokens only from Summary.db, which not every table has.
        assertThat(found.removeIf(DumpAgreesTest::isToken)).isTrue();
      }
      assertThat(found).as("metadata of %s", what).isNotEmpty().isEqualTo(expected);
    }
  }

  private static String run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Siltstone.run(arguments, out, err, () -> MEMORY);
    assertThat(err.toString(StandardCharsets.UTF_8)).as(String.join(" ", arguments)).isEmpty();
    assertThat(code).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static boolean isToken(String line) {
    return line.startsWith("First token: ") || line.startsWith("Last token: ");
  }

  /**
   * Returns the lines without the table's name and without what sstablemetadata finds by reading
   * the data. Control characters of keys are escaped like in the command; sstablemetadata prints
   * them.
   */
  private static List<String> lines(String metadata) {
    List<String> lines = new ArrayList<>();
    boolean found = false;
    for (String line : PrintableText.ofLines(metadata).lines().toList()) {
      found |= line.startsWith("Partitioner:");
      if (found) {
        lines.add(withoutThePresent(line));
      }
    }
    return lines;
  }

  /**
   * Removes further decimals of the estimate, which depends on the second in which it is made; six
   * are compared.
   */
  private static String withoutThePresent(String line) {
    String estimate = "Estimated droppable tombstones: ";
    if (!line.startsWith(estimate)) {
      return line;
    }
    double ratio = Double.parseDouble(line.substring(estimate.length()));
    return estimate + Math.round(ratio * 1e6) / 1e6;
  }
}
