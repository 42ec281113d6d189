package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.spi.LiveTable;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** SSTables split at the bounds of token ranges, and the directories of the nodes of a ring. */
class SplitCommandTest {
  private static final int ROWS = 600;
  private static final long THIRD = 3_074_457_345_618_258_602L;

  /** Three nodes, each with the ranges of two: replication factor 2. */
  private static final String DESCRIBED =
      """
      Schema Version:53b4ab1a-0e1f-3b4a-9d2b-7f0ff6f6a0f0
      TokenRange:
      \tTokenRange(start_token:-%1$d, end_token:0, endpoints:[10.0.0.1, 10.0.0.2], \
      rpc_endpoints:[10.0.0.1, 10.0.0.2], endpoint_details:[EndpointDetails(host:10.0.0.1, \
      datacenter:dc1, rack:r1), EndpointDetails(host:10.0.0.2, datacenter:dc1, rack:r1)])
      \tTokenRange(start_token:0, end_token:%1$d, endpoints:[10.0.0.2, 10.0.0.3], rpc_endpoints:[])
      \tTokenRange(start_token:%1$d, end_token:-%1$d, endpoints:[10.0.0.3, 10.0.0.1], \
      rpc_endpoints:[])
      """
          .formatted(THIRD);

  private static final String LISTED =
      """

      Datacenter: datacenter1
      ==========
      Address         Rack        Status State   Load            Owns (effective)  Token
                                                                                   %1$d
      10.0.0.1        rack1       Up     Normal  70.01 KiB       33.33%%            -%1$d
      10.0.0.4        rack1       Up     Joining 1.01 KiB        0.00%%             -7
      10.0.0.2        rack1       Down   Normal  ?               33.33%%            0
      10.0.0.3        rack1       Up     Leaving 70.01 KiB       33.33%%            %1$d

      Datacenter: datacenter2
      ==========
      Address         Rack        Status State   Load            Owns (effective)  Token
                                                                                   5
      10.1.0.1        rack1       Up     Normal  70.01 KiB       100.00%%           5
      """
          .formatted(THIRD);

  @TempDir private Path temporary;
  private Path table;

  @BeforeEach
  void load() throws IOException {
    table = temporary.resolve("table");
    Path schema =
        Files.writeString(
            temporary.resolve("schema.cql"), "CREATE TABLE ks.rows (k int PRIMARY KEY, v text)");
    List<String> rows =
        IntStream.range(0, ROWS)
            .mapToObj(i -> "{\"k\": " + i + ", \"v\": \"v" + i + "\"}")
            .toList();
    Path input = Files.write(temporary.resolve("rows.jsonl"), rows);
    succeeds(
        "load",
        "--schema",
        schema.toString(),
        "--input",
        input.toString(),
        "--output",
        table.toString());
  }

  private static Run succeeds(String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as("%s: %s", Arrays.asList(args), run.err()).isZero();
    return run;
  }

  private static List<LiveTable> sstables(Path directory) throws IOException {
    try (OfflineTable opened =
        OfflineTable.open(
            directory, null, null, DatabaseOptions.builder().readOnly(true).build())) {
      return opened.live().tables();
    }
  }

  private static List<String> rows(Path directory) {
    return succeeds("export", directory.toString()).out().lines().sorted().toList();
  }

  private Path ring(String text) throws IOException {
    return Files.writeString(temporary.resolve("ring.txt"), text);
  }

  /** Requires that no SSTable has partitions on both sides of a token. */
  private static void requireDivided(Path directory, long... tokens) throws IOException {
    for (LiveTable sstable : sstables(directory)) {
      for (long token : tokens) {
        assertThat(sstable.firstKey().token() > token || sstable.lastKey().token() <= token)
            .as("%s at %s", sstable, token)
            .isTrue();
      }
    }
  }

  @Test
  void eachSSTableIsWithinOneOfTheRanges() throws IOException {
    List<String> before = rows(table);
    String[] command = {
      "split", "--ranges", -THIRD + ":0, 0:" + THIRD, table.toString(),
    };
    succeeds(command);
    assertThat(sstables(table)).hasSize(4);
    requireDivided(table, -THIRD, 0, THIRD);
    assertThat(rows(table)).isEqualTo(before).hasSize(ROWS);
    assertThat(succeeds(command).out()).contains("4 SSTables are within one range already");
  }

  @Test
  void aRangeThatEndsWithTheTokenOfAPartitionContainsIt() throws IOException {
    long token = sstables(table).get(0).firstKey().token();
    succeeds("split", "--ranges", "-100:" + token, table.toString());
    requireDivided(table, token);
    assertThat(sstables(table).get(0).lastKey().token()).isEqualTo(token);
  }

  @ParameterizedTest
  @CsvSource({
    "described, '10.0.0.1,10.0.0.2,10.0.0.3', 2",
    "listed, '10.0.0.1,10.0.0.2,10.0.0.3,10.1.0.1', 2"
  })
  void eachNodeGetsTheSSTablesOfItsRanges(String kind, String nodes, int copies)
      throws IOException {
    Path ring = ring(kind.equals("listed") ? LISTED : DESCRIBED);
    Path output = temporary.resolve("new").resolve("nodes");
    List<String> all = rows(table);
    Run run =
        succeeds(
            "split", "--ring", ring.toString(), "--output", output.toString(), table.toString());
    List<String> found = new ArrayList<>();
    for (String node : nodes.split(",")) {
      Path own = output.resolve(node).resolve("ks").resolve("rows");
      assertThat(run.out()).containsPattern(node + ": [1-5] SSTables? in " + own);
      requireDivided(own, -THIRD, 0, THIRD);
      succeeds("verify", "--extended", own.toString());
      found.addAll(rows(own));
    }
    assertThat(files(output)).hasSize(nodes.split(",").length);
    assertThat(found).hasSize(copies * ROWS);
    assertThat(found.stream().distinct().sorted().toList()).isEqualTo(all);
    assertThat(rows(table)).isEqualTo(all);
    if (kind.equals("described")) {
      Path second = output.resolve("10.0.0.2").resolve("ks").resolve("rows");
      for (LiveTable sstable : sstables(second)) {
        assertThat(sstable.firstKey().token()).isGreaterThan(-THIRD);
        assertThat(sstable.lastKey().token()).isLessThanOrEqualTo(THIRD);
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void whatNoNodeOwnsIsNamed() throws IOException {
    Path ring = ring("TokenRange(start_token:0, end_token:" + THIRD + ", endpoints:[::1], rpc:[])");
    Path output = temporary.resolve("nodes");
    Run run =
        succeeds(
            "split", "--ring", ring.toString(), "--output", output.toString(), table.toString());
    assertThat(run.out()).contains("no node of the ring owns [", "/__1/ks/rows");
  }

  @Test
  void addressesOfVersion6WithPortsAreAllNodes() throws IOException {
    Path ring =
        ring(
            "TokenRange(start_token:0, end_token:0, endpoints:[[::1]:7000, [::2]:7000],"
                + " rpc_endpoints:[[::1]:7000, [::2]:7000])");
    Path output = temporary.resolve("nodes");
    succeeds("split", "--ring", ring.toString(), "--output", output.toString(), table.toString());
    List<String> all = rows(table);
    assertThat(files(output)).hasSize(2);
    for (Path node : files(output)) {
      assertThat(rows(node.resolve("ks").resolve("rows"))).isEqualTo(all);
    }
  }

  @Test
  void aDryRunWritesNothing() throws IOException {
    Path output = temporary.resolve("nodes");
    succeeds(
        "split",
        "--dry-run",
        "--ring",
        ring(LISTED).toString(),
        "--output",
        output.toString(),
        table.toString());
    assertThat(output).doesNotExist();
    assertThat(sstables(table)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--ranges 1:x          | '1:x' is not a range, allowed is START:END",
        "--ranges 1            | '1' is not a range",
        "--ranges 1:2,         | '' is not a range",
        "--ranges 1:2 --size 3 | allowed is one of --size, --ranges and --ring",
        "--output DIR          | --output needs --ring",
        "--ring EMPTY          | has no token range",
        "--ring RING --output FULL | is not empty",
        "--ring RING --output EMPTY | is a file, allowed is a new directory",
        "--ring RANDOM         | random.txt has a token that is too large",
        "--ring DESCRIBED      | random2.txt has a token that is too large",
      })
  void whatIsWrongIsNamedAndNothingIsSplit(String options, String message) throws IOException {
    Path full = Files.createDirectory(temporary.resolve("full"));
    Files.createFile(full.resolve("file"));
    Path empty = Files.createFile(temporary.resolve("empty"));
    String large = "170141183460469231731687303715884105727";
    Path random =
        Files.writeString(
            temporary.resolve("random.txt"), "10.0.0.1 r1 Up Normal 1 KiB 100% " + large);
    Path described =
        Files.writeString(
            temporary.resolve("random2.txt"),
            "TokenRange(start_token:" + large + ", end_token:0, endpoints:[10.0.0.1])");
    String text =
        options
            .strip()
            .replace("RANDOM", random.toString())
            .replace("DESCRIBED", described.toString())
            .replace("FULL", full.toString())
            .replace("DIR", temporary.resolve("new").toString())
            .replace("EMPTY", empty.toString())
            .replace("RING", ring(LISTED).toString());
    Run run = Run.of(("split " + text + " " + table).split(" "));
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(message);
    assertThat(sstables(table)).hasSize(1);
  }

  @Test
  void whatOnlySiltstoneWouldApplyIsNotGivenToCassandra() throws IOException {
    Files.writeString(table.resolve("retention_floor"), "");
    Run run =
        Run.of(
            "split",
            "--ring",
            ring(LISTED).toString(),
            "--output",
            temporary.resolve("nodes").toString(),
            table.toString());
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("retention_floor");
    assertThat(temporary.resolve("nodes")).doesNotExist();
  }
}
