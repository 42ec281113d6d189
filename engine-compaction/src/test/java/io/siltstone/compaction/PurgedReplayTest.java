package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Backups;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Purged data does not come back from a commit log that still has it, even if no SSTable is left
 * that states that it was flushed.
 */
class PurgedReplayTest {
  private static final String CREATE =
      "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0 AND compaction ="
          + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final SimulatedDisk disk = new SimulatedDisk();

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(
            new CompactionService(
                CompactionOptions.builder()
                    .bytesPerSecond(0)
                    .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                    .build()))
        .memtableBytes(1 << 20)
        .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
        .build();
  }

  private static void insert(Table table, int k, String v) throws IOException {
    table.write(table.mutation(k).insert().set("v", v).build());
  }

  private static void compact(Table table, Operation operation) {
    assertThat(
            table
                .compact(CompactionRequest.of(operation))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join()
                .failed())
        .isEmpty();
  }

  @Test
  void whereOtherSSTablesAreLeft() throws IOException {
    Database db = Database.open(disk, options());
    Table table = db.createTable(CREATE);
    insert(table, 1, "deleted");
    table.flush();
    table.write(table.mutation(1).deletePartition().build());
    insert(table, 2, "live");
    table.flush();
    compact(table, Operation.GARBAGE_COLLECT);
    compact(table, Operation.MAJOR);
    assertThat(table.live().tables()).singleElement().matches(left -> left.partitions() == 1);
    SimulatedDisk left = disk.processDeath();
    assertThatThrownBy(db::close).isInstanceOf(IOException.class);

    requireOnly("2 live", left);
  }

  @Test
  void whereAnImportedDeletionLeftNothing() throws IOException {
    Database db = Database.open(disk, options());
    Table table = db.createTable(CREATE);
    insert(table, 1, "deleted");
    table.flush();
    table.importTables(deletion(1));
    compact(table, Operation.MAJOR);
    assertThat(table.live().tables()).isEmpty();
    insert(table, 2, "live");
    SimulatedDisk left = disk.powerLoss(1);
    assertThatThrownBy(db::close).isInstanceOf(IOException.class);

    requireOnly("2 live", left);
    requireOnly("2 live", left);
  }

  /** The backup's log still has the row; only the flushed position tells that it was purged. */
  @Test
  void inABackupWithTheLog() throws IOException {
    Backups backups = Backups.in(leaks.watch(new MemoryDirectory()));
    try (Database db = Database.open(disk, options())) {
      Table table = db.createTable(CREATE);
      insert(table, 1, "deleted");
      table.flush();
      table.importTables(deletion(1));
      compact(table, Operation.MAJOR);
      insert(table, 2, "live");
      backups.create(db);
    }
    Directory restored = new MemoryDirectory();
    backups.restore(1, restored);
    requireOnly("2 live", restored);
    DatabaseOptions readOnly = options().toBuilder().readOnly(true).build();
    try (Database db = Database.open(backups.directory(1), readOnly)) {
      assertThat(Contents.of(db.table("ks", "t"))).containsExactly("2 live");
    }
  }

  /** Returns the files of an SSTable of another database that deletes a partition. */
  private static Directory deletion(int k) throws IOException {
    MemoryDirectory other = new MemoryDirectory();
    try (Database db = Database.open(other, options())) {
      Table table = db.createTable(CREATE);
      table.write(table.mutation(k).deletePartition().build());
    }
    Directory keyspace = other.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  private static void requireOnly(String row, Directory disk) throws IOException {
    try (Database db = Database.open(disk, options())) {
      Table table = db.table("ks", "t");
      assertThat(Contents.of(table)).containsExactly(row);
      compact(table, Operation.MAJOR);
    }
  }
}
