package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.IScrubber;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.OutputHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Cassandra's scrub leaves of a damaged SSTable passes this engine's verification. */
class ScrubbedTableTest {
  private static final int PARTITIONS = 20;
  private static final int ROWS = 5;
  private static final int OVERWRITTEN = 100;

  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();

  /** Cassandra gives up the partition after some of its rows: they are counted, but missing. */
  @Test
  void rowsOfAPartitionThatWasGivenUpAreCounted() throws Exception {
    String name = node.newTableName();
    String qualified = CassandraNode.KEYSPACE + "." + name;
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE "
                + qualified
                + " (k int, c int, v text, PRIMARY KEY (k, c))"
                + " WITH compression = {'enabled': 'false'}")) {
      for (int i = 0; i < PARTITIONS * ROWS; i++) {
        String cql =
            "INSERT INTO %s (k, c, v) VALUES (%d, %d, '%s') USING TIMESTAMP 5"
                .formatted(qualified, i / ROWS, i % ROWS, "v".repeat(100));
        table.execute(cql, 1_700_000_000L, List.of());
      }
      table.flush();
      damageEndOfThePartitionInTheMiddle(table.liveDataFiles().get(0));
      scrub(table);
      Files.writeString(
          directory.resolve("schema.cql"), CassandraTable.schemaText(table.metadata()));
      String data = table.export(directory).get(0).toString();

      assertThat(run("verify", "--extended", data))
          .contains(": ok, 19 partitions, 95 rows", "its statistics count 4 more rows");
      assertThat(run("compact", directory.toString())).contains("19 partitions, 95 rows");
      assertThat(run("verify", "--extended", directory.toString()))
          .contains(": ok, 19 partitions, 95 rows")
          .doesNotContain("more rows");
    }
  }

  private static void damageEndOfThePartitionInTheMiddle(Path data) throws Exception {
    byte[] bytes = Files.readAllBytes(data);
    int end = bytes.length / 2;
    Arrays.fill(bytes, end - OVERWRITTEN, end, (byte) 0xff);
    Files.write(data, bytes);
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
    assertThat(err.toString(StandardCharsets.UTF_8)).as(String.join(" ", arguments)).isEmpty();
    assertThat(code).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }
}
