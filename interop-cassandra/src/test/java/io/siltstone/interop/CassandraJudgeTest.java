package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The judge accepts what Cassandra wrote, and detects damage in every component that can show it.
 */
class CassandraJudgeTest {

  private static final long NOW = 1_700_000_000L;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();
  private final CassandraJudge judge = new CassandraJudge(node);

  private CassandraTable table() {
    String name = node.newTableName();
    return CassandraTable.create(
        node,
        name,
        List.of(),
        "CREATE TABLE ks."
            + name
            + " (k text, c int, s text static, v text, m map<text, int>, PRIMARY KEY (k, c))");
  }

  private Path write(CassandraTable table) throws Exception {
    for (int key = 0; key < 20; key++) {
      for (int row = 0; row < 100; row++) {
        table.execute(
            "INSERT INTO ks.%s (k, c, v, m) VALUES ('k%d', %d, 'value %d', {'a': %d}) USING TIMESTAMP %d"
                .formatted(table.name(), key, row, row, row, 1000 + row),
            NOW,
            List.of());
      }
      table.execute(
          "DELETE FROM ks.%s USING TIMESTAMP 2000 WHERE k = 'k%d' AND c > 10 AND c <= 20"
              .formatted(table.name(), key),
          NOW + key,
          List.of());
    }
    table.flush();
    return table.export(directory).get(0);
  }

  @Test
  void acceptsDumpsAndDescribesWhatCassandraWrote() throws Exception {
    try (CassandraTable table = table()) {
      Path data = write(table);
      judge.examine(data, table);
      assertThat(judge.dump(data)).contains("\"key\" : [ \"k7\" ]", "range_tombstone_bound");
      assertThat(judge.metadata(data)).contains("Partitions: 20", "Rows: 1800", "(2000)");
      assertThat(judge.canonical(data))
          .contains("partition 6b37\n", "EXCL_START_BOUND x0000000a 2000 @ 1700000007\n");
      assertThat(judge.uncompressedData(data)).hasSizeGreaterThan(20 * 90 * 10);
    }
  }

  @Test
  void deletionTimesAreThoseAskedFor() throws Exception {
    try (CassandraTable table = table()) {
      table.execute(
          "INSERT INTO ks."
              + table.name()
              + " (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 5 AND TTL 60",
          NOW,
          List.of());
      table.flush();
      assertThat(judge.canonical(table.export(directory).get(0)))
          .isEqualTo(
              """
              partition 61
               row x00000001
                live 5 ttl 60 @ 1700000060
                v 5 ttl 60 @ 1700000060 = 78
              """);
    }
  }

  @Test
  void foreignTablesCompact() throws Exception {
    try (CassandraTable from = table();
        CassandraTable to = table()) {
      Path data = write(from);
      to.adopt(List.of(data, data));
      assertThat(to.liveDataFiles()).hasSize(2);
      to.compact();
      List<Path> merged = to.export(Files.createDirectory(directory.resolve("merged")));
      assertThat(merged).hasSize(1);
      judge.examine(merged.get(0), to);
      assertThat(judge.canonical(merged.get(0))).contains("partition 6b37\n");
    }
  }

  @Test
  void seesAFlippedByteInEveryComponentThatHasAChecksum() throws Exception {
    try (CassandraTable table = table()) {
      Path data = write(table);
      for (Map.Entry<String, Path> component : CassandraJudge.components(data).entrySet()) {
        if (component.getKey().equals("Summary.db") || component.getKey().equals("Filter.db")) {
          continue; // without checksums; a flip can be harmless
        }
        Path file = component.getValue();
        byte[] original = Files.readAllBytes(file);
        byte[] damaged = original.clone();
        damaged[damaged.length / 2] ^= 0x10;
        Files.write(file, damaged);
        assertThatThrownBy(() -> judge.examine(data, table))
            .as(component.getKey())
            .isInstanceOf(Throwable.class);
        Files.write(file, original);
      }
      judge.examine(data, table);
    }
  }
}
