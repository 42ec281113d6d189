package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.OfflineTable;
import io.siltstone.spi.LiveTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a cluster whose token ranges are known. */
final class RingTest {
  private static final String RING =
      """
      Schema Version:e84b6a60-24cf-30ca-9b58-452d92911703
      TokenRange:
        TokenRange(start_token:-5000000000000000000, end_token:0, endpoints:[10.0.0.1, 10.0.0.2], \
      rpc_endpoints:[10.0.0.1, 10.0.0.2], endpoint_details:[])
        TokenRange(start_token:0, end_token:5000000000000000000, endpoints:[10.0.0.2, 10.0.0.3], \
      rpc_endpoints:[10.0.0.2, 10.0.0.3], endpoint_details:[])
        TokenRange(start_token:5000000000000000000, end_token:-5000000000000000000, \
      endpoints:[10.0.0.3, 10.0.0.1], rpc_endpoints:[10.0.0.3, 10.0.0.1], endpoint_details:[])
      """;

  @TempDir Path directory;
  private Path ring = Path.of("");

  @BeforeEach
  void writeRing() throws IOException {
    ring = Files.writeString(directory.resolve("ring.txt"), RING);
  }

  private void write(Map<String, String> options) {
    LocalSpark.session()
        .sql("SELECT concat('k', id) sensor, CAST(id AS INT) day FROM range(0, 300, 1, 3)")
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("schema", READINGS.toCql())
        .options(options)
        .save(directory.resolve("target").toString());
  }

  private Path of(String node) {
    return directory.resolve("nodes").resolve(node).resolve("ks").resolve("readings");
  }

  private Map<String, String> options() {
    return Map.of(
        "ring", ring.toString(), "nodeDirectories", directory.resolve("nodes").toString());
  }

  @Test
  void eachNodeGetsTheSSTablesOfItsRanges() throws IOException {
    write(options());
    List<String> all = texts(read(directory.resolve("target")));
    assertThat(all).hasSize(300);

    long rows = 0;
    for (String node : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3")) {
      try (OfflineTable table = OfflineTable.openReadOnly(of(node))) {
        for (LiveTable sstable : table.live().tables()) {
          int range = range(sstable.firstKey().token());
          assertThat(range(sstable.lastKey().token())).isEqualTo(range);
          assertThat(List.of(owners(range))).contains(node);
          rows += sstable.rows();
        }
      }
    }
    assertThat(rows).isEqualTo(2 * 300);
    assertThat(texts(read(Map.of(), of("10.0.0.1"), of("10.0.0.2"), of("10.0.0.3"))))
        .isEqualTo(all);
    // Any two of three nodes have all rows.
    assertThat(texts(read(Map.of(), of("10.0.0.1"), of("10.0.0.2")))).isEqualTo(all);
    assertThat(read(of("10.0.0.1")).count()).isBetween(100L, 290L);
  }

  private static int range(long token) {
    long bound = 5_000_000_000_000_000_000L;
    return token <= -bound || token > bound ? 2 : token <= 0 ? 0 : 1;
  }

  private static String[] owners(int range) {
    return new String[][] {
          {"10.0.0.1", "10.0.0.2"}, {"10.0.0.2", "10.0.0.3"}, {"10.0.0.3", "10.0.0.1"}
        }
        [range];
  }

  @Test
  void rangesThatNoDirectoryCoversAreReported() throws IOException {
    write(options());
    Map<String, String> show = Map.of("ring", ring.toString(), "content", "uncoveredRanges");
    String missing = "[0,5000000000000000000,ArraySeq(10.0.0.2, 10.0.0.3)]";

    assertThat(texts(read(show, of("10.0.0.1")))).containsExactly(missing);
    assertThat(texts(read(show, of("10.0.0.1"), of("10.0.0.3")))).isEmpty();
    Map<String, String> named = new HashMap<>(show);
    named.put("nodes", "10.0.0.1");
    assertThat(texts(read(named, directory.resolve("target")))).containsExactly(missing);
    assertThat(read(named, of("10.0.0.3")).selectExpr("end - start", "nodes[0]").count())
        .isEqualTo(1);
    assertThat(read(Map.of("ring", ring.toString()), of("10.0.0.1")).count())
        .isEqualTo(read(of("10.0.0.1")).count());
  }

  /** The nodes of one datacenter cover the whole ring, also where those of another one begin. */
  @Test
  void rangesOfOneDatacenterCoverThoseOfAnother() throws IOException {
    Files.writeString(
        ring,
        """
        Datacenter: east
        10.0.0.1  rack1  Up  Normal  70.01 KiB  50.00%  -100
        10.0.0.2  rack1  Up  Normal  70.01 KiB  50.00%  100
        Datacenter: west
        10.0.1.1  rack1  Up  Normal  70.01 KiB  50.00%  -50
        10.0.1.2  rack1  Up  Normal  70.01 KiB  50.00%  50
        """);
    Path target = Tables.define(directory.resolve("target"), READINGS);
    Map<String, String> show =
        new HashMap<>(Map.of("ring", ring.toString(), "content", "uncoveredRanges"));
    show.put("nodes", "10.0.0.1, 10.0.0.2");
    assertThat(texts(read(show, target, target))).isEmpty();
    // From 100 on to -100 is of the first node of east, from 50 on to -50 of the first of west.
    show.put("nodes", "10.0.0.1, 10.0.1.1");
    assertThat(texts(read(show, target, target)))
        .containsExactly("[-50,50,ArraySeq(10.0.0.2, 10.0.1.2)]");
    show.put("nodes", "10.0.0.2");
    assertThat(texts(read(show, target)))
        .containsExactly("[100,-100,ArraySeq(10.0.0.1, 10.0.1.1)]");
  }

  @Test
  void optionsThatAreWrongAreNamed() throws IOException {
    Path target = Tables.define(directory.resolve("target"), READINGS);
    String path = ring.toString();
    assertThatThrownBy(() -> read(Map.of("nodes", "10.0.0.1"), target))
        .hasMessageContaining("option nodes needs option ring");
    assertThatThrownBy(() -> read(Map.of("content", "uncoveredRanges"), target))
        .hasMessageContaining("option content needs option ring");
    assertThatThrownBy(() -> read(Map.of("content", "columns"), target))
        .hasMessageContaining("option content is 'columns', allowed rows or uncoveredRanges");
    assertThatThrownBy(() -> read(Map.of("ring", path), target).collect())
        .hasStackTraceContaining("option nodes is missing, and " + target + " names none");
    assertThatThrownBy(() -> read(Map.of("ring", path, "nodes", "a, b"), target).collect())
        .hasStackTraceContaining("option nodes has 2 nodes for 1 paths");
    assertThatThrownBy(() -> read(Map.of("ring", path, "nodes", "a,,b"), target).collect())
        .hasStackTraceContaining("option nodes is 'a,,b', allowed addresses of nodes");
    assertThatThrownBy(() -> read(Map.of("ring", path, "nodes", "10.0.0.9"), target).collect())
        .hasStackTraceContaining("option nodes has '10.0.0.9', which is no node of option ring");
    assertThatThrownBy(() -> read(Map.of("ring", target + "/schema.cql"), target).collect())
        .hasStackTraceContaining("option ring: " + target + "/schema.cql has no token range");
    Files.createDirectories(of("10.0.0.1"));
    assertThatThrownBy(() -> write(options()))
        .hasStackTraceContaining("option nodeDirectories is")
        .hasStackTraceContaining("is not empty");
    assertThat(read(target).count()).isZero();
  }

  @Test
  void failureLeavesNoNodeDirectories() throws IOException {
    Path target = Files.createDirectories(directory.resolve("target"));
    // The table cannot be opened when the job has ended.
    Files.createDirectory(target.resolve("siltstone.lock"));
    assertThatThrownBy(() -> write(options())).hasStackTraceContaining("siltstone.lock");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ring.txt", "target");
    }
    assertThat(target.toFile().list()).containsExactly("siltstone.lock");
  }
}
