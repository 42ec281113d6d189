package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands show of a table with deletions of ranges of keys, which no SSTable has. */
final class DeletedRangesTest {
  private static final String SHOWN = "{\"key\": \"0x62\", \"value\": \"0x02\"}\n";

  @TempDir private Path temporary;
  private Path database;
  private Path table;
  private String data = "";

  @BeforeEach
  void aTable() throws IOException {
    database = temporary.resolve("db");
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .partitioner(Partitioner.BYTE_ORDERED)
            .build();
    try (Database opened = Database.open(database, options)) {
      KeyValueStore store =
          KeyValueStore.createIn(opened, "ks", List.of("t"), TableOptions.DEFAULT).get(0);
      store.put(new byte[] {'a'}, new byte[] {1});
      store.put(new byte[] {'b'}, new byte[] {2});
      store.deleteRange(new byte[] {'A'}, new byte[] {'b'});
      store.table().flush();
    }
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      table = tables.findFirst().orElseThrow();
    }
    data = dataFile();
  }

  private String dataFile() throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files
          .map(Path::toString)
          .filter(each -> each.endsWith("-Data.db"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void anExportLeavesOutWhatTheyDelete() throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(table)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(String.valueOf(file.getFileName())));
      }
    }
    for (Path place : List.of(copy, database)) {
      Run run = Run.of("export", place.toString());
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
      assertThat(run.out()).isEqualToIgnoringWhitespace(SHOWN);
    }
    Run single = Run.of("export", data);
    assertThat(single.code()).isEqualTo(ExitCode.USAGE);
    assertThat(single.out()).isEmpty();
    assertThat(single.err()).contains("has deletions of ranges of keys").contains("name the");
  }

  @Test
  void aCompactionLeavesNothingOfThemForOtherPrograms() throws IOException {
    Run dump = Run.of("dump", data);
    assertThat(dump.code()).isEqualTo(ExitCode.OK);
    assertThat(dump.out()).contains("61\" ]").contains("62\" ]");
    assertThat(dump.err()).contains("deletions of ranges of keys");

    Run compact = Run.of("compact", database.toString());
    assertThat(compact.code()).as(compact.err()).isEqualTo(ExitCode.OK);
    assertThat(Run.of("export", database.toString()).out()).isEqualToIgnoringWhitespace(SHOWN);
    assertThat(Run.of("dump", dataFile()).out()).doesNotContain("61\" ]").contains("62\" ]");
  }
}
