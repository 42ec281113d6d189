package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.IScrubber;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.OutputHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cassandra accepts what this engine rebuilds and scrubs, which keeps no less than Cassandra's own
 * scrub.
 */
class RebuildAgreesTest {
  private static final long NOW = 1_700_000_000L;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();

  private CassandraTable create(String columns, String options) {
    String name = node.newTableName();
    return CassandraTable.create(
        node,
        name,
        List.of(),
        "CREATE TABLE " + CassandraNode.KEYSPACE + "." + name + " " + columns + options);
  }

  @Test
  void cassandraAcceptsRebuiltComponents() throws Exception {
    List<String> compressions =
        List.of("{'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}", "{'enabled': 'false'}");
    for (String compression : compressions) {
      SelectedFormat.bySeed(node, compressions.indexOf(compression));
      try (CassandraTable table =
          create(
              "(k int, c int, s text static, v text, m map<int, int>, PRIMARY KEY (k, c))",
              " WITH compression = " + compression)) {
        fill(table);
        Path original = Files.createTempDirectory(directory, "original");
        Path data = table.export(original).get(0);
        for (Path component : CassandraJudge.components(data).values()) {
          if (component.equals(data)) {
            continue;
          }
          String name = String.valueOf(component.getFileName());
          Path copy = Files.createTempDirectory(directory, "copy");
          try (Stream<Path> files = Files.list(original)) {
            for (Path file : files.toList()) {
              Files.copy(file, copy.resolve(String.valueOf(file.getFileName())));
            }
          }
          Files.writeString(
              copy.resolve("schema.cql"), CassandraTable.schemaText(table.metadata()));
          Path damaged = copy.resolve(name);
          byte[] bytes = Files.readAllBytes(damaged);
          if (name.endsWith("Statistics.db")) {
            // The header, whose bases are found from the statistics.
            bytes[bytes.length - 6] ^= 1;
            Files.write(damaged, bytes);
          } else {
            Files.delete(damaged);
          }
          Path copied = copy.resolve(String.valueOf(data.getFileName()));
          String said = run("rebuild", copied.toString());
          assertThat(said).contains(" was rebuilt: ");
          assertThat(run("verify", "-e", copied.toString())).contains(": ok, ");
          if (name.matches(".*(Statistics.db|CRC.db|CompressionInfo.db|Digest.crc32)")) {
            assertThat(Files.readAllBytes(damaged))
                .as(name)
                .isEqualTo(Files.readAllBytes(component));
          }
          new CassandraJudge(node).examine(copied, table);
        }
      }
    }
  }

  private static void fill(CassandraTable table) {
    String name = CassandraNode.KEYSPACE + "." + table.name();
    for (int k = 0; k < 4; k++) {
      for (int c = 0; c < 300; c++) {
        String cql =
            "INSERT INTO %s (k, c, v, m) VALUES (%d, %d, '%s', {1: %d}) USING TIMESTAMP %d"
                .formatted(name, k, c, "v".repeat(100), c, 1_000 + c);
        table.execute(cql, NOW, List.of());
      }
      table.execute(
          "UPDATE %s USING TIMESTAMP 5000 AND TTL 100000 SET s = 'static' WHERE k = %d"
              .formatted(name, k),
          NOW,
          List.of());
      table.execute(
          "DELETE FROM %s USING TIMESTAMP 6000 WHERE k = %d AND c > 10 AND c < 250"
              .formatted(name, k),
          NOW,
          List.of());
    }
    table.flush();
  }

  /**
   * The clustering of one of seven rows is changed, with valid checksums: of the first, the last
   * and some between; of each with {@code interop.scale}.
   */
  @Test
  void scrubKeepsWhatCassandrasScrubKeepsOfRowsOutOfOrder() throws Exception {
    for (int misplaced = 1; misplaced <= 7; misplaced += Scenario.isLarge() ? 1 : 3) {
      for (int as : new int[] {0, 100, misplaced == 1 ? 2 : 1}) {
        try (CassandraTable table =
            create(
                "(k int, c int, v text, PRIMARY KEY (k, c))",
                " WITH compression = {'enabled': 'false'}")) {
          String name = CassandraNode.KEYSPACE + "." + table.name();
          for (int c = 1; c <= 7; c++) {
            table.execute(
                "INSERT INTO %s (k, c, v) VALUES (1, %d, 'row%d') USING TIMESTAMP %d"
                    .formatted(name, c, c, 100 + c),
                NOW,
                List.of());
          }
          table.flush();
          Path live = table.liveDataFiles().get(0);
          renumber(live, misplaced, as);
          Path ours = Files.createTempDirectory(directory, "ours");
          table.export(ours);
          Files.writeString(
              ours.resolve("schema.cql"), CassandraTable.schemaText(table.metadata()));
          run("scrub", ours.toString());
          List<String> kept = rows(ours);

          scrub(table);
          Path theirs = Files.createTempDirectory(directory, "theirs");
          table.export(theirs);
          Files.writeString(
              theirs.resolve("schema.cql"), CassandraTable.schemaText(table.metadata()));
          assertThat(kept).as("%s as %s", misplaced, as).isEqualTo(rows(theirs));
          assertThat(kept).hasSize(as == 0 || as == 100 ? 7 : 6);
        }
      }
    }
  }

  private static List<String> rows(Path table) {
    return run("export", table.toString()).lines().sorted().toList();
  }

  /** Changes the clustering of a row, and the checksums of the file. */
  private static void renumber(Path data, int row, int as) throws IOException {
    byte[] bytes = Files.readAllBytes(data);
    byte[] value = ("row" + row).getBytes(StandardCharsets.US_ASCII);
    int at = indexOf(bytes, value, 0);
    while (ByteBuffer.wrap(bytes).getInt(at) != row) {
      at--;
    }
    ByteBuffer.wrap(bytes).putInt(at, as);
    Files.write(data, bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    Path checksums =
        data.resolveSibling(String.valueOf(data.getFileName()).replace("Data.db", "CRC.db"));
    ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(checksums));
    content.putInt(4, (int) crc.getValue());
    Files.write(checksums, content.array());
    Files.writeString(
        data.resolveSibling(String.valueOf(data.getFileName()).replace("Data.db", "Digest.crc32")),
        Long.toString(crc.getValue()));
  }

  private static int indexOf(byte[] bytes, byte[] wanted, int from) {
    for (int at = from; at + wanted.length <= bytes.length; at++) {
      if (ByteBuffer.wrap(bytes, at, wanted.length).equals(ByteBuffer.wrap(wanted))) {
        return at;
      }
    }
    throw new IllegalArgumentException("not there");
  }

  private static void scrub(CassandraTable table) {
    SSTableReader damaged = table.store().getLiveSSTables().iterator().next();
    try (LifecycleTransaction transaction =
            table.store().getTracker().tryModify(damaged, OperationType.SCRUB);
        IScrubber scrubber =
            damaged
                .descriptor
                .getFormat()
                .getScrubber(
                    table.store(),
                    transaction,
                    new OutputHandler.LogOutput(),
                    IScrubber.options().checkData().build())) {
      scrubber.scrub();
    }
  }

  private static String run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Siltstone.run(arguments, out, err);
    assertThat(code)
        .as(String.join(" ", arguments) + "\n" + out + err.toString(StandardCharsets.UTF_8))
        .isZero();
    return out.toString(StandardCharsets.UTF_8);
  }
}
