package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Backups and restored databases are whole or absent after a loss of power at any operation.
 * Enlarged with {@code -Dsiltstone.scale=N}.
 */
class BackupPowerLossTest {
  private static final long SEED = Long.getLong("siltstone.seed", 34);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .memoryBytes(32 << 20)
          .memtableBytes(4 << 20)
          .chunkCacheBytes(0)
          .compaction(Compaction.none())
          .build();
  private static final DatabaseOptions READ_ONLY = OPTIONS.toBuilder().readOnly(true).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static void write(Database database, int key) throws IOException {
    Table table = database.table("w", "t");
    table.write(table.mutation(key).insert().set("v", "value").build());
  }

  private static Database database() throws IOException {
    Database database = Database.open(new MemoryDirectory(), OPTIONS);
    database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
    return database;
  }

  private static List<String> rows(Directory root, DatabaseOptions options) throws IOException {
    try (Database database = Database.open(root, options)) {
      return Contents.of(database.table("w", "t"));
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aBackupIsWholeOrAbsent(FileSystemModel model) {
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 30 : Integer.MAX_VALUE)
            .atEachOperation(BackupsAndPrunes::new);
    assertThat(points).isGreaterThanOrEqualTo(30);
  }

  /** Three backups and a prune. */
  private static final class BackupsAndPrunes implements PowerCuts.Case {
    private final Map<Long, Integer> made = new TreeMap<>();
    private final List<Long> pruned = new ArrayList<>();
    private boolean isPruning;

    @Override
    public void run(Directory disk) throws IOException {
      try (Database database = database()) {
        Backups backups = Backups.in(disk);
        for (int i = 1; i <= 3; i++) {
          write(database, i);
          if (i == 2) {
            database.flush();
          }
          backups.create(database);
          made.put((long) i, i);
        }
        isPruning = true;
        pruned.addAll(backups.prune(1));
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      Backups backups = Backups.in(rebooted);
      List<Long> listed = backups.list().stream().map(Backups.Backup::id).toList();
      for (long id : made.keySet()) {
        boolean mayBeGone = isPruning && id < 3;
        assertThat(listed.contains(id) || mayBeGone).as("backup %s of %s", id, listed).isTrue();
      }
      pruned.forEach(id -> assertThat(listed).doesNotContain(id));
      for (long id : listed) {
        assertThat(backups.verify(id)).isEmpty();
        assertThat(rows(backups.directory(id), READ_ONLY)).hasSize((int) id);
      }
      // The remains do not stay, nor do they disturb.
      try (Database database = database()) {
        long next = backups.create(database).id();
        assertThat(backups.prune(1)).hasSameSizeAs(listed);
        assertThat(backups.verify(next)).isEmpty();
        assertThat(rebooted.directory("files").files())
            .hasSizeLessThanOrEqualTo(backups.list().get(0).files());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aPruneDeletesBackupsBeforeTheirContents(FileSystemModel model) throws IOException {
    try (Database database = database()) {
      for (long operations = 0, lost = 1; lost > 0; operations++) {
        lost = 0;
        for (long seed = 0; seed < 2L * SCALE; seed++) {
          SimulatedDisk disk = new SimulatedDisk(model);
          for (int i = 0; i < 2; i++) {
            write(database, i);
            Backups.in(disk).create(database);
          }
          disk.crashAfter(operations);
          try {
            Backups.in(disk).prune(1);
          } catch (IOException e) {
            assertThat(disk.isLost()).isTrue();
            lost++;
          }
          Backups rebooted = Backups.in(disk.powerLoss(seed));
          assertThat(rebooted.list()).extracting(Backups.Backup::id).contains(2L);
          for (Backups.Backup backup : rebooted.list()) {
            assertThat(rebooted.verify(backup.id()))
                .as("backup %s, operation %s, seed %s", backup.id(), operations, seed)
                .isEmpty();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aRestoredDatabaseIsWholeOrAbsent(FileSystemModel model) throws IOException {
    Backups backups = Backups.in(new MemoryDirectory());
    try (Database database = database()) {
      write(database, 1);
      database.flush();
      write(database, 2);
      backups.create(database);
    }
    int points =
        PowerCuts.on(model, SEED)
            .lossesPerPoint(SCALE)
            .atMost(SCALE == 1 ? 30 : Integer.MAX_VALUE)
            .atEachOperation(() -> new Restore(backups));
    assertThat(points).isGreaterThanOrEqualTo(30);
  }

  /** One restore, and another one if it is not there. */
  private static final class Restore implements PowerCuts.Case {
    private final Backups backups;
    private boolean isRestored;

    Restore(Backups backups) {
      this.backups = backups;
    }

    @Override
    public void run(Directory disk) throws IOException {
      backups.restore(1, disk);
      isRestored = true;
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      boolean isThere = rebooted.exists("siltstone.properties");
      assertThat(isThere || !isRestored).isTrue();
      if (!isThere) {
        backups.restore(1, rebooted);
      }
      assertThat(rows(rebooted, OPTIONS)).hasSize(2);
    }
  }

  /** The database loses power, and goes on from its backup. */
  @Test
  void aBackupIsDurableWhateverTheDatabaseLoses() throws IOException {
    for (long seed = 0; seed < 5L * SCALE; seed++) {
      SimulatedDisk disk = new SimulatedDisk();
      try (Database database = database()) {
        write(database, 1);
        Backups.in(disk).create(database);
      }
      Backups after = Backups.in(disk.powerLoss(seed));
      Directory copy = leaks.watch(new MemoryDirectory());
      after.restore(1, copy);
      assertThat(rows(copy, OPTIONS)).hasSize(1);
    }
  }
}
