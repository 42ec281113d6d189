package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Backups;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code siltstone backup}. */
class BackupCommandTest {
  private static final int ROWS = 50;

  @TempDir private Path directory;

  private Path database;
  private Path backups;
  private Path archive;

  private DatabaseOptions options() throws IOException {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memoryBytes(64 << 20)
        .memtableBytes(4 << 20)
        .chunkCacheBytes(0)
        .commitLog(
            CommitLogOptions.builder()
                .segmentBytes(1024)
                .archive(NioDirectory.open(archive))
                .build())
        .build();
  }

  @BeforeEach
  void makeDatabase() throws IOException {
    database = directory.resolve("db");
    backups = directory.resolve("backups");
    archive = directory.resolve("archive");
    try (Database opened = Database.open(database, options())) {
      opened.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      write(opened, 0);
    }
  }

  private static void write(Database opened, int from) throws IOException {
    Table table = opened.table("w", "t");
    for (int k = from; k < from + ROWS; k++) {
      table.write(table.mutation(k).insert().set("v", "value " + k).build());
    }
  }

  private static int rows(Path root) throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database opened = Database.open(root, options)) {
      Table table = opened.table("w", "t");
      int rows = 0;
      for (int k = 0; k < 10 * ROWS; k++) {
        rows += table.get(table.query().partition(k).build()).isPresent() ? 1 : 0;
      }
      return rows;
    }
  }

  private Run backup(String action, Object... more) {
    return Run.of(
        Stream.concat(Stream.of("backup", action), Stream.of(more).map(Object::toString))
            .toArray(String[]::new));
  }

  @Test
  void createsListsVerifiesPrunesAndRestores() throws IOException {
    Run first = backup("create", database, backups);
    assertThat(first.err()).isEmpty();
    assertThat(first.code()).isZero();
    assertThat(first.out()).startsWith("backup 1 of 2").contains("of which");
    Run second = backup("create", database, backups, "--verify", "--throughput", "1GiB");
    assertThat(second.out()).startsWith("backup 2 of ");
    assertThat(backup("create", database, backups, "--json").out()).contains("\"id\" : 3");

    assertThat(backup("list", backups).out().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("backup "));
    assertThat(backup("list", backups, "--json").out()).contains("\"copied_bytes\"");
    assertThat(backup("verify", backups).out())
        .isEqualTo("backup 1: ok\nbackup 2: ok\nbackup 3: ok\n");
    assertThat(backup("prune", backups, "--keep", 2).out()).isEqualTo("deleted [1]\n");
    assertThat(backup("delete", backups, 2).out()).isEqualTo("deleted backup 2\n");
    assertThat(backup("prune", backups, "--keep", 2).out()).isEqualTo("nothing is deleted\n");

    Path copy = directory.resolve("copy");
    Run restored = backup("restore", backups, copy, "--verify");
    assertThat(restored.out()).isEqualTo("restored backup 3 to " + copy + "\n");
    assertThat(rows(copy)).isEqualTo(ROWS);
    Run again = backup("restore", backups, copy);
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.err()).contains("is not empty");
  }

  @Test
  void restoresTheArchivedLog() throws IOException {
    Instant between;
    try (Database opened = Database.open(database, options())) {
      Backups.in(backups).create(opened);
      write(opened, ROWS);
      between = Instant.now();
      while (!Instant.now().isAfter(between.plusMillis(5))) {
        Thread.onSpinWait();
      }
      write(opened, 2 * ROWS);
      opened.flush();
    }
    Path copy = directory.resolve("copy");
    Run restored = backup("restore", backups, copy, "--archive", archive, "--up-to", between);
    assertThat(restored.err()).isEmpty();
    assertThat(rows(copy)).isEqualTo(2 * ROWS);
    Path all = directory.resolve("all");
    assertThat(backup("restore", backups, all, "--archive", archive).code()).isZero();
    assertThat(rows(all)).isBetween(2 * ROWS, 3 * ROWS);
    Run early =
        backup(
            "restore",
            backups,
            directory.resolve("early"),
            "--archive",
            archive,
            "--up-to",
            "2020-01-01T00:00:00Z");
    assertThat(early.code()).isEqualTo(2);
    assertThat(early.err()).contains("backup 1 is of");
  }

  @Test
  void damageIsNamed() throws IOException {
    assertThat(backup("create", database, backups).code()).isZero();
    Path content;
    try (Stream<Path> files = Files.list(backups.resolve("files"))) {
      content = files.findFirst().orElseThrow();
    }
    Files.write(content, new byte[1]);
    Run verified = backup("verify", backups, 1);
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.out())
        .startsWith("backup 1: 1 damaged or missing\n")
        .contains(content.toString());
    Run restored = backup("restore", backups, directory.resolve("copy"));
    assertThat(restored.code()).isEqualTo(1);
    assertThat(restored.err()).contains(content.toString());
  }

  @Test
  void wrongUseIsExplained() {
    assertThat(backup("list", directory.resolve("none")).err()).contains("there are no backups");
    assertThat(backup("create", directory.resolve("none"), backups).code()).isEqualTo(3);
    assertThat(Files.exists(backups)).isFalse();
    assertThat(backup("restore", directory, directory.resolve("copy")).err())
        .contains("there are no backups");
    Run early = backup("restore", directory, directory, "--up-to", "2026-03-01T12:00:00Z");
    assertThat(early.code()).isEqualTo(2);
    assertThat(early.err()).contains("--up-to needs --archive");
    Run wrong = backup("restore", directory, directory, "--archive", directory, "--up-to", "noon");
    assertThat(wrong.err()).contains("--up-to = noon, allowed such as 2026-03-01T12:00:00Z");
    assertThat(backup("prune", directory, "--keep", 0).err()).contains("allowed 1 or more");
    assertThat(Run.of("backup").out()).contains("create", "list", "verify", "prune", "restore");
  }
}
