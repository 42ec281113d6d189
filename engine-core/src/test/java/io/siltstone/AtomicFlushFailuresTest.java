package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flushes of tables without a log that fail: all tables stay as they were, and can be read. */
class AtomicFlushFailuresTest {
  private static final long SEED = Long.getLong("siltstone.seed", 43);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  // All but the commit log.
  private static final List<String> FILES =
      List.of("db/data/w/*/*", "db/data/w/*", "db/atomic_flush*", "db");

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"OPEN", "CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "DELETE"})
  void aFlushThatFailsAtAnyCallFailsForAllTables(Operation operation) throws IOException {
    int failures = 0;
    for (String files : FILES) {
      for (boolean afterwards : new boolean[] {false, true}) {
        boolean hasFired = true;
        for (int nth = 1; hasFired; nth += SCALE > 1 || nth < 2 ? 1 : 8) {
          try {
            Fault.Rule call = Fault.on(operation).files(files).disarmed().call(nth);
            hasFired =
                failsAt(afterwards ? call.failsAfterwards("bad sector") : call.fails("bad sector"));
            failures += hasFired ? 1 : 0;
          } catch (IOException | AssertionError e) {
            throw new AssertionError(
                operation + " " + nth + " of " + files + (afterwards ? ", afterwards" : ""), e);
          }
        }
      }
    }
    assertThat(failures).isGreaterThanOrEqualTo(2);
  }

  /** Returns whether the flush has the call that is to fail. */
  private boolean failsAt(Fault fault) throws IOException {
    MemoryDirectory files = new MemoryDirectory();
    AtomicFlushTest.create(files.directory("db"));
    Directory disk = leaks.watch(new FaultyDirectory(files, SEED, fault));
    Database database = Database.open(disk.directory("db"), AtomicFlushTest.OPTIONS);
    AtomicFlushTest.writeTwice(database);
    fault.arm();
    boolean hasFailed = false;
    try {
      database.table("w", "b").flush();
    } catch (IOException e) {
      hasFailed = true;
    }
    // What is in memory stays readable, whatever has become of the files.
    assertThat(AtomicFlushTest.stepOf(database)).isEqualTo(2);
    DatabaseState state = database.state();
    if (fault.fired() == 0) {
      // It would hit what comes after the flush.
      try {
        database.close();
      } catch (IOException e) {
        assertThat(fault.fired()).as("%s", e).isPositive();
      }
      return false;
    }
    if (state == DatabaseState.OPEN) {
      AtomicFlushTest.write(database, 3);
      database.table("w", "a").flush();
      assertThat(AtomicFlushTest.stepOf(database)).isEqualTo(3);
      database.close();
    } else {
      assertThat(hasFailed).isTrue();
      assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    }
    for (int i = 0; i < 2; i++) {
      try (Database again = Database.open(files.directory("db"), AtomicFlushTest.OPTIONS)) {
        assertThat(AtomicFlushTest.stepOf(again)).isBetween(state == DatabaseState.OPEN ? 3 : 1, 3);
      }
    }
    return true;
  }
}
