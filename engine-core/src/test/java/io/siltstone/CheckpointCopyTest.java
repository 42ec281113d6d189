package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint on another volume is a copy, whole and durable, or nothing. */
class CheckpointCopyTest {
  private static final String EXDEV = "Invalid cross-device link";
  private static final Path OTHER_VOLUME = Path.of("/dev/shm");
  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(0).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static Database fill(Database database) throws IOException {
    for (String name : List.of("a", "b")) {
      Table table = database.createTable("CREATE TABLE w." + name + " (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 20; k++) {
        write(table, k);
      }
      table.flush();
      write(table, 20);
    }
    return database;
  }

  private static void write(Table table, int key) throws IOException {
    table.write(table.mutation(key).insert().set("v", "value").build());
  }

  private static void requireWhole(Directory copy) throws IOException {
    try (Database again = Database.open(copy, OPTIONS)) {
      for (Table table : again.tables()) {
        assertThat(Contents.count(table)).isEqualTo(21);
      }
      assertThat(again.tables()).hasSize(2);
    }
  }

  @Test
  void filesAreCopiedWhereTheyCannotBeLinked() throws IOException {
    MemoryDirectory elsewhere = new MemoryDirectory();
    try (Database database = fill(Database.open(leaks.watch(new MemoryDirectory()), OPTIONS))) {
      database.checkpoint(elsewhere);
    }
    requireWhole(elsewhere);
  }

  @Test
  void aCopyIsDurableWhenTheCheckpointReturns() throws IOException {
    SimulatedDisk elsewhere = new SimulatedDisk();
    try (Database database = fill(Database.open(new MemoryDirectory(), OPTIONS))) {
      database.checkpoint(elsewhere);
    }
    for (long seed = 0; seed < 10; seed++) {
      requireWhole(elsewhere.powerLoss(seed));
    }
  }

  @Test
  void aRealVolumeIsCopiedToAnother(@TempDir Path temporary) throws IOException {
    Assumptions.assumeTrue(Files.isWritable(OTHER_VOLUME));
    Path parent = Files.createTempDirectory(OTHER_VOLUME, "siltstone");
    try {
      Assumptions.assumeFalse(Files.getFileStore(parent).equals(Files.getFileStore(temporary)));
      Path copy = parent.resolve("copy");
      List<Long> told = new ArrayList<>();
      try (Database database = fill(Database.open(temporary.resolve("db"), OPTIONS))) {
        database.checkpoint(copy, told::add);
      }
      assertThat(told).isSorted().isNotEmpty();
      try (Database again = Database.open(copy, OPTIONS)) {
        assertThat(Contents.count(again.table("w", "a"))).isEqualTo(21);
      }
    } finally {
      delete(parent);
    }
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      List<Path> children;
      try (var all = Files.list(path)) {
        children = all.toList();
      }
      for (Path child : children) {
        delete(child);
      }
    }
    Files.delete(path);
  }

  /** As on a disk that is full; what was copied goes again. */
  @Test
  void aCopyThatFailsLeavesNothing() throws IOException {
    for (int call = 1; ; call++) {
      Fault links = Fault.on(Operation.LINK).fails(EXDEV);
      Fault full =
          Fault.on(Operation.WRITE, Operation.CREATE, Operation.SYNC)
              .files("copy/data/w/*/*")
              .call(call)
              .fails(Fault.NO_SPACE);
      Directory disk = leaks.watch(new FaultyDirectory(new MemoryDirectory(), call, links, full));
      Directory copy = disk.directory("copy");
      try (Database database = fill(Database.open(disk.directory("db"), OPTIONS))) {
        try {
          database.checkpoint(copy);
          assertThat(full.fired()).isZero();
          break;
        } catch (IOException e) {
          assertThat(e).hasStackTraceContaining(Fault.NO_SPACE);
        }
        assertThat(copy.files()).as("call %s", call).isEmpty();
        assertThat(copy.directories()).as("call %s", call).isEmpty();
        assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
        database.checkpoint(copy);
      }
      requireWhole(copy);
    }
  }

  /** A refusal in the midst of links is a failure, and no reason to copy what may be large. */
  @Test
  void aLinkThatFailsLaterIsToldAndNotCopied() throws IOException {
    Fault links = Fault.on(Operation.LINK).call(3).fails(Fault.NO_SPACE);
    Directory disk = leaks.watch(new FaultyDirectory(new MemoryDirectory(), 1, links));
    Directory copy = disk.directory("copy");
    try (Database database = fill(Database.open(disk.directory("db"), OPTIONS))) {
      assertThatThrownBy(() -> database.checkpoint(copy)).hasStackTraceContaining(Fault.NO_SPACE);
      assertThat(copy.directories()).isEmpty();
    }
  }

  @Test
  void writesAndFlushesGoOnDuringACopy() throws IOException {
    AtomicInteger written = new AtomicInteger(100);
    Table[] table = new Table[1];
    Fault links = Fault.on(Operation.LINK).fails(EXDEV);
    Fault beside =
        Fault.on(Operation.CREATE)
            .files("copy/data/w/*/*-Data.db")
            .runs(
                "written and flushed",
                () -> {
                  try {
                    write(table[0], written.incrementAndGet());
                    table[0].flush();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    Directory disk = leaks.watch(new FaultyDirectory(new MemoryDirectory(), 1, links, beside));
    try (Database database = fill(Database.open(disk.directory("db"), OPTIONS))) {
      table[0] = database.table("w", "a");
      database.checkpoint(disk.directory("copy"));
      assertThat(written.get()).isGreaterThan(101);
      assertThat(Contents.count(table[0])).isEqualTo(21 + written.get() - 100);
    }
    requireWhole(disk.directory("copy"));
  }
}
