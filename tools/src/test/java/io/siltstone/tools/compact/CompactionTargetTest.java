package io.siltstone.tools.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionRecord;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CompactionTargetTest {
  private final Terminal terminal =
      Terminal.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

  @TempDir private Path directory;

  @Test
  void filtersMayTakeAllTheMemoryThereIs() throws IOException {
    try (Database made =
        Database.open(directory, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      assertThat(made.createTable("CREATE TABLE ks.rows (k int PRIMARY KEY)")).isNotNull();
    }
    CompactionTarget target =
        CommandLine.populateCommand(new CompactionTarget(terminal), directory.toString());
    try (OpenTable opened = target.open(target.service(), false, UnaryOperator.identity())) {
      assertThat(((Database) opened.opened()).statistics().offHeap().limitBytes())
          .isEqualTo(ToolMemory.UNLIMITED_BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsDoneButWhatIsAskedFor(boolean isInDatabase) throws Exception {
    Path database = directory.resolve("db");
    try (Database made =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      for (String name : List.of("asked", "other")) {
        Table table = made.createTable("CREATE TABLE ks." + name + " (k int PRIMARY KEY)");
        for (int key = 0; key < 4; key++) {
          table.write(table.mutation(key).insert().build());
          table.flush();
        }
      }
    }
    Path table = directory.resolve("copy");
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      Path asked = tables.filter(each -> each.toString().contains("asked-")).findFirst().get();
      Files.createDirectory(table);
      try (Stream<Path> files = Files.list(asked)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.copy(file, table.resolve(file.getFileName()));
        }
      }
    }
    CompactionTarget target =
        CommandLine.populateCommand(
            new CompactionTarget(terminal),
            "--table=asked",
            (isInDatabase ? database : table).toString());
    CompactionService service = target.service();
    try (OpenTable opened = target.open(service, false, UnaryOperator.identity())) {
      var report =
          opened
              .compact()
              .apply(CompactionRequest.of(Operation.GARBAGE_COLLECT))
              .toCompletableFuture()
              .get();
      assertThat(report.orThrow().completed()).hasSize(4);
      // By now the strategy would have merged the four SSTables of either table.
      for (int i = 0; i < 50 && service.history().size() == 4; i++) {
        Thread.sleep(10);
      }
    }
    assertThat(service.history())
        .hasSize(4)
        .extracting(CompactionRecord::operation)
        .containsOnly("garbage-collect");
  }
}
