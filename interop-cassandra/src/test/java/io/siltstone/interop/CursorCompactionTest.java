package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine reads and verifies what Cassandra 6 writes in a compaction by cursors. */
class CursorCompactionTest {
  @TempDir Path directory;

  private final CassandraNode node = CassandraNode.get();

  @Test
  void sizesOfRowsBeforeMayBeMissing() throws Exception {
    assumeThat(CassandraCalls.isSix()).as("Cassandra 5 has no cursors").isTrue();
    SelectedFormat.big();
    String name = node.newTableName();
    try (EngineTables engine = new EngineTables();
        CassandraTable table =
            CassandraTable.create(
                node,
                name,
                List.of(),
                "CREATE TABLE ks." + name + " (k int, c int, v text, PRIMARY KEY (k, c))")) {
      for (int half = 0; half < 2; half++) {
        for (int row = 0; row < 200; row++) {
          String cql =
              row % 10 == 9
                  ? "DELETE FROM ks.%s USING TIMESTAMP %d WHERE k = %d AND c > %d AND c < %<d + 5"
                  : "INSERT INTO ks.%s (k, c, v) VALUES (%3$d, %4$d, 'v') USING TIMESTAMP %2$d";
          table.execute(
              cql.formatted(name, 5 + half, row % 3, row + half), 1_700_000_000L, List.of());
        }
        table.flush();
      }
      CassandraCalls.compactByCursors(true);
      try {
        table.compact();
      } finally {
        CassandraCalls.compactByCursors(false);
      }
      Path merged = table.export(directory).get(0);
      assertThat(engine.read(merged)).isEqualTo(new CassandraJudge(node).canonical(merged));
    }
  }
}
