package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process dies and leaves a commit log that nobody has synced; then the power goes while the
 * database is opened again, and what has memtables for half of that log flushes them.
 */
class InterruptedRecoveryTest {
  private static final int BATCHES = 1500;
  private static final String VALUE = "x".repeat(900);
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .memtableBytes(64 << 20)
          .commitLog(CommitLogOptions.builder().period(Duration.ofHours(1)).build())
          .build();

  private static SimulatedDisk dead;
  private static long left;

  @BeforeAll
  static void die() throws IOException {
    dead = disk();
    left = count(dead.processDeath());
    assertThat(left).isGreaterThan(BATCHES / 2);
  }

  @Timeout(300)
  @ParameterizedTest
  @ValueSource(ints = {10, 20, 30, 40, 47, 54, 61, 70, 80, 100})
  void batchesThatWereReplayedStayWhole(int operations) throws IOException {
    SimulatedDisk disk = dead.processDeath();
    disk.crashAfter(operations);
    assertThatThrownBy(() -> open(disk).close()).isInstanceOf(Exception.class);
    assertThat(count(disk.powerLoss(operations))).isEqualTo(left);
  }

  private static Database open(Directory disk) throws IOException {
    return Database.open(disk, OPTIONS.toBuilder().memtableBytes(1 << 20).build());
  }

  /** How many batches there are, each whole. */
  private static long count(Directory disk) throws IOException {
    try (Database database = open(disk)) {
      long count = Contents.count(database.table("w", "a"));
      assertThat(Contents.count(database.table("w", "b"))).isEqualTo(count);
      return count;
    }
  }

  /** That of the process that died. */
  private static SimulatedDisk disk() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table a = database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v text)");
    Table b = database.createTable("CREATE TABLE w.b (k int PRIMARY KEY, v text)");
    for (int i = 0; i < BATCHES; i++) {
      database.write(
          Batch.of(
              a.mutation(i).insert().set("v", VALUE).build(),
              b.mutation(i).insert().set("v", VALUE).build()));
    }
    // Most of it is with the operating system, and nothing was synced.
    Directory log = disk.directory("commitlog");
    while (log.length(log.files().get(0)) < 2L * BATCHES * VALUE.length()) {
      LockSupport.parkNanos(1_000_000);
    }
    var unused = disk.processDeath();
    assertThatThrownBy(database::close).isInstanceOf(Exception.class);
    return disk;
  }
}
