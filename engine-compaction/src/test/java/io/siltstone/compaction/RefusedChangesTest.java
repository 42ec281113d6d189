package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.Table;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request for a table that takes no changes fails, and is not ignored. */
class RefusedChangesTest {
  private static final CompactionRequest MAJOR =
      CompactionRequest.of(CompactionRequest.Operation.MAJOR);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .compaction(
            new CompactionService(
                CompactionOptions.builder().bytesPerSecond(0).compactors(1).build()));
  }

  private static CompactionReport await(CompletionStage<CompactionReport> asked) {
    return asked.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** It is not known whether the first compaction took place. */
  private Directory inDoubt(Directory directory) {
    Fault written = Fault.on(Operation.SYNC).files("*_txn_*.log").failsAfterwards("bad sector");
    Fault full = Fault.on(Operation.CREATE).files("*_txn_*.log.tmp").call(2).fails("disk full");
    return new FaultyDirectory(directory, 1, written, full);
  }

  @BeforeEach
  void fill() throws IOException {
    try (Database db = Database.open(disk, options().build())) {
      Table table =
          db.createTable(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH compaction = {'class':"
                  + " 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      for (int i = 0; i < 3; i++) {
        table.write(table.mutation(i).insert().set("v", "x").build());
        table.flush();
      }
    }
  }

  private Directory home() throws IOException {
    Directory keyspace = disk.directory("data").directory("ks");
    return keyspace.directory(keyspace.directories().get(0));
  }

  @Test
  void aDatabaseThatHasTurnedReadOnlySaysWhy() throws IOException {
    try (Database db = Database.open(inDoubt(disk), options().build())) {
      Table table = db.table("ks", "t");
      assertThat(await(table.compact(MAJOR)).failed()).hasSize(1);
      String reason = db.statistics().readOnlyReason();
      assertThat(reason).isNotNull();
      assertThatThrownBy(() -> await(table.compact(MAJOR)))
          .hasCauseInstanceOf(ReadOnlyException.class)
          .hasMessageContaining("is read-only until it is opened again: " + reason);
      assertThat(await(table.compact(MAJOR.dryRun())).planned()).hasSize(1);
      assertThatThrownBy(db::close).isInstanceOf(ReadOnlyException.class);
    }
  }

  @Test
  void aTableWhoseLastChangeIsInDoubtSaysSo() throws IOException {
    try (OfflineTable table = OfflineTable.open(inDoubt(home()), null, null, options().build())) {
      assertThat(await(table.compact(MAJOR)).failed()).hasSize(1);
      assertThatThrownBy(() -> await(table.compact(MAJOR)))
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("refuses changes until it is opened again")
          .hasMessageContaining("bad sector");
    }
  }

  @Test
  void aTableThatIsOnlyReadSaysSo() throws IOException {
    try (OfflineTable table =
        OfflineTable.open(home(), null, null, options().readOnly(true).build())) {
      assertThatThrownBy(() -> await(table.compact(MAJOR)))
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("open for reading only");
      assertThat(await(table.compact(MAJOR.dryRun())).planned()).hasSize(1);
    }
  }
}
