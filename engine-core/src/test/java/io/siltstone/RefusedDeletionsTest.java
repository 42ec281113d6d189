package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.RefusingDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Where open files cannot be deleted, as on Windows, what a reader beside the writer holds is
 * deleted later, and nothing fails because of it.
 */
class RefusedDeletionsTest {
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v text)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static DatabaseOptions options(boolean isReadOnly) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .readOnly(isReadOnly)
        .memtableBytes(1 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(SyncMode.BATCH)
                .segmentBytes(4096)
                .bufferBytes(64 << 10)
                .build())
        .build();
  }

  private static void write(Table table, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      table.write(table.mutation(i).insert().set("v", "x".repeat(200)).build());
    }
  }

  @Test
  void whatAReaderBesideTheWriterHoldsIsDeletedLater() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    RefusingDirectory refusing = new RefusingDirectory(disk);
    Directory watched = leaks.watch(refusing);
    try (Database writer = Database.open(watched, options(false))) {
      Table table = writer.createTable(TABLE);
      write(table, 0, 50);
      table.flush();
      write(table, 50, 100);
      List<String> before = Contents.of(table);
      try (Database reader = Database.open(watched, options(true))) {
        table.flush();
        table.truncate();
        write(table, 0, 100);
        writer.flush();
        assertThat(Contents.of(reader.table("w", "t"))).isEqualTo(before);
        writer.dropTable("w", "t");
        assertThat(writer.isReadOnly()).isFalse();
        assertThat(writer.statistics().readOnlyReason()).isNull();
        assertThat(refusing.refused()).isPositive();
      }
      // The next occasions.
      Table again = writer.createTable(TABLE);
      write(again, 0, 100);
      writer.flush();
    }
    try (Database writer = Database.open(watched, options(false))) {
      assertThat(Contents.of(writer.table("w", "t"))).hasSize(100);
    }
    Directory keyspace = disk.directory("data").directory("w");
    List<String> data = new ArrayList<>();
    for (String name : keyspace.directories()) {
      keyspace.directory(name).files().stream()
          .filter(file -> file.endsWith("-Data.db"))
          .forEach(file -> data.add(name + "/" + file));
    }
    assertThat(data).as("of the dropped and the truncated table nothing is left").hasSize(1);
    assertThat(disk.directory("commitlog").files()).hasSizeLessThanOrEqualTo(2);
  }
}
