package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is opened for reading only while it is written: it is shown as it is or was. */
class ReadOnlyBesideWriterTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final DatabaseOptions READ_ONLY =
      History.OPTIONS.toBuilder().readOnly(true).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** Something that happens while the reader opens. */
  private interface Step {
    void run() throws IOException;
  }

  /** What a reader sees that opens the database while something happens at that call of its. */
  private Map<String, List<String>> seenWhile(Step step, Directory root, int call)
      throws IOException {
    Fault meanwhile =
        Fault.on(Operation.LIST, Operation.OPEN, Operation.READ, Operation.LOOK_UP)
            .call(call)
            .runs(
                "a change",
                () -> {
                  try {
                    step.run();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    Directory watched = leaks.watch(new FaultyDirectory(root, 1, meanwhile));
    Map<String, List<String>> seen;
    try (Database reader = Database.open(watched, READ_ONLY)) {
      seen = Contents.of(reader);
    }
    if (meanwhile.fired() == 0) {
      step.run();
    }
    leaks.requireNothingOpen();
    return seen;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whateverIsDoneMeanwhileIsSeenWhollyOrNotAtAll(boolean flushed) throws IOException {
    History history = History.whole();
    for (int round = 0; round < 2 * SCALE; round++) {
      Directory disk = new MemoryDirectory();
      history.prepare(disk);
      Directory root = disk.directory(History.DATABASE);
      try (Database database = Database.open(root, History.OPTIONS)) {
        for (int done = 0; done < history.steps().size(); done++) {
          History.Step step = history.steps().get(done);
          // Another call for each step of each round; 61 is prime, and about as many as there are.
          int call = 1 + (round * 17 + done * 29) % 61;
          Map<String, List<String>> seen =
              seenWhile(
                  () -> {
                    step.run(disk, database);
                    if (flushed) {
                      flushAll(database);
                    }
                  },
                  root,
                  call);
          assertThat(seen)
              .as("round %s, step %s at call %s", round, done, call)
              .isIn(history.after(done), history.after(done + 1));
        }
      }
    }
  }

  /** So that no segment is needed but the last. */
  private static void flushAll(Database database) throws IOException {
    database.engine().writePath().log().startSegment();
    database.flush();
  }

  @Test
  @Timeout(60)
  void whatIsFlushedMeanwhileIsSeenThoughTheLogHasItNoMore() throws IOException {
    for (int call = 1; call < 60; call += SCALE > 1 ? 1 : 6) {
      Directory root = new MemoryDirectory();
      try (Database database = Database.open(root, History.OPTIONS)) {
        Table table = database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v text)");
        for (int k = 0; k < 20; k++) {
          table.write(table.mutation(k).insert().set("v", "x".repeat(300)).build());
        }
        Directory log = root.directory("commitlog");
        String first = log.files().get(0);
        Step flush =
            () -> {
              flushAll(database);
              while (log.exists(first)) {
                Thread.onSpinWait();
              }
            };
        assertThat(seenWhile(flush, root, call).values())
            .as("call %s", call)
            .singleElement(InstanceOfAssertFactories.list(String.class))
            .hasSize(20);
      }
    }
  }

  /** The reader finds the directory without a definition, and then files in it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tableWhoseCreationOrDropEndsMeanwhileIsNoDamage(boolean dropped) throws IOException {
    Directory root = new MemoryDirectory();
    try (Database database = Database.open(root, History.OPTIONS)) {
      Table table = database.createTable("CREATE TABLE w.a (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "x").build());
      database.flush();
      Directory keyspace = root.directory("data").directory("w");
      Directory directory = keyspace.directory(keyspace.directories().get(0));
      directory.rename("schema.cql", "hidden");
      Fault meanwhile =
          Fault.on(Operation.LIST)
              .files("data/w/a-*")
              .runs("the end of it", () -> end(directory, dropped));
      try (Database reader =
          Database.open(leaks.watch(new FaultyDirectory(root, 1, meanwhile)), READ_ONLY)) {
        assertThat(meanwhile.fired()).isPositive();
        assertThat(Contents.of(reader)).hasSize(dropped ? 0 : 1);
      }
      if (dropped) {
        directory.delete("dropped");
        directory.rename("hidden", "schema.cql");
      }
    }
  }

  private static void end(Directory directory, boolean dropped) {
    try {
      if (dropped && !directory.exists("dropped")) {
        directory.create("dropped", WriteIntent.OTHER).close();
      } else if (!dropped && directory.exists("hidden")) {
        directory.rename("hidden", "schema.cql");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
