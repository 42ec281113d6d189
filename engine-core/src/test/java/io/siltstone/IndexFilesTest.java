package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of Cassandra's secondary indexes, which lie beside an SSTable. */
class IndexFilesTest {
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).build();

  private final MemoryDirectory root = new MemoryDirectory();

  private static Directory tableOf(Directory root) throws IOException {
    Directory keyspace = root.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  private static List<String> ofIndexes(Directory root) throws IOException {
    return tableOf(root).files().stream().filter(name -> name.contains("SAI+")).sorted().toList();
  }

  private void createWithIndex() throws IOException {
    try (Database database = Database.open(root, OPTIONS)) {
      Table table = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "x").build());
      table.flush();
    }
    Directory table = tableOf(root);
    String data =
        table.files().stream().filter(name -> name.endsWith("-Data.db")).findFirst().orElseThrow();
    for (String component : List.of("SAI+aa+GroupComplete.db", "SAI+aa+v+TermsData.db.tmp")) {
      try (WritableFile file =
          table.create(data.replace("Data.db", component), WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        file.sync();
      }
    }
  }

  @Test
  void aCheckpointHasThoseThatAreComplete() throws IOException {
    createWithIndex();
    MemoryDirectory copy = new MemoryDirectory();
    try (Database database = Database.open(root, OPTIONS)) {
      database.checkpoint(copy);
    }
    assertThat(ofIndexes(copy)).singleElement().asString().endsWith("-SAI+aa+GroupComplete.db");
  }

  @Test
  void theyGoWithTheirSSTable() throws IOException {
    createWithIndex();
    try (Database database = Database.open(root, OPTIONS)) {
      database.tables().get(0).truncate();
    }
    assertThat(ofIndexes(root)).isEmpty();
  }
}
