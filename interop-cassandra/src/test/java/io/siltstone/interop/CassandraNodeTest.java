package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CassandraNodeTest {

  @TempDir Path directory;

  @Test
  void writesFlushesAndExports() throws Exception {
    CassandraNode node = CassandraNode.get();
    String name = node.newTableName();
    try (CassandraTable table =
        CassandraTable.create(
            node,
            name,
            List.of(),
            "CREATE TABLE ks." + name + " (k text, c int, v text, PRIMARY KEY (k, c))")) {
      table.execute(
          "INSERT INTO ks." + name + " (k, c, v) VALUES ('a', 1, 'x') USING TIMESTAMP 10",
          1_700_000_000L,
          List.of());
      table.flush();
      List<Path> files = table.export(directory);
      assertThat(files).hasSize(1);
      assertThat(files.get(0).getFileName().toString()).startsWith(node.options().version() + "-");
    }
  }
}
