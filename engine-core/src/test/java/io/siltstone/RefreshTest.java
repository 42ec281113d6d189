package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.model.Contents;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.schema.TableSchema;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is open for reading only follows its writer. */
class RefreshTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 7);
  private static final DatabaseOptions READ_ONLY =
      History.OPTIONS.toBuilder().readOnly(true).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  /** Something that happens while the reader refreshes. */
  private interface Step {
    void run() throws IOException;
  }

  /** Runs a step before a call that a refresh makes; a directory has one such fault at a time. */
  private static final class Meanwhile {
    private final AtomicReference<@Nullable Step> step = new AtomicReference<>();
    private final AtomicBoolean isRunning = new AtomicBoolean();
    private int callsLeft;

    void set(Step next, int call) {
      step.set(next);
      callsLeft = call;
    }

    /** Returns whether the step is still to be run, and forgets it. */
    @Nullable Step takeBack() {
      return step.getAndSet(null);
    }

    private void call() {
      if (step.get() == null || --callsLeft > 0) {
        return;
      }
      Step now = step.getAndSet(null);
      if (now != null && isRunning.compareAndSet(false, true)) {
        try {
          now.run();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } finally {
          isRunning.set(false);
        }
      }
    }

    Fault fault() {
      return Fault.on(Operation.LIST, Operation.OPEN, Operation.READ, Operation.LOOK_UP)
          .runs("a change", this::call);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whatHappensMeanwhileIsSeenWhollyOrNotAtAll(int flushed) throws IOException {
    History history = History.whole();
    for (int round = 0; round < SCALE; round++) {
      Directory disk = new MemoryDirectory();
      history.prepare(disk);
      Directory root = disk.directory(History.DATABASE);
      Meanwhile meanwhile = new Meanwhile();
      Directory watched = leaks.watch(new FaultyDirectory(root, 1, meanwhile.fault()));
      try (Database writer = Database.open(root, History.OPTIONS);
          Database reader = Database.open(watched, READ_ONLY)) {
        for (int done = 0; done < history.steps().size(); done++) {
          Map<String, List<String>> before = Contents.of(reader);
          List<LiveRows> open = open(reader);
          History.Step step = history.steps().get(done);
          int call = 1 + (round * 17 + done * 29) % 61;
          meanwhile.set(
              () -> {
                step.run(disk, writer);
                if (flushed == 2) {
                  writer.engine().writePath().log().startSegment();
                }
                if (flushed > 0) {
                  writer.flush();
                }
              },
              call);
          reader.refresh();
          Step left = meanwhile.takeBack();
          if (left != null) {
            left.run();
          }
          assertThat(Contents.of(reader))
              .as("round %s, step %s at call %s", round, done, call)
              .isIn(history.after(done), history.after(done + 1));
          // Reads that began before the refresh show the content from before it.
          assertThat(rest(open)).isEqualTo(before.values().stream().mapToLong(List::size).sum());
          reader.refresh();
          assertThat(Contents.of(reader)).isEqualTo(history.after(done + 1));
        }
      }
      leaks.requireNothingOpen();
    }
  }

  private static List<LiveRows> open(Database reader) throws IOException {
    List<LiveRows> open = new ArrayList<>();
    for (Table table : reader.tables()) {
      open.add(table.read(table.query().build()));
    }
    return open;
  }

  private static long rest(List<LiveRows> open) throws IOException {
    long count = 0;
    for (LiveRows rows : open) {
      try (rows) {
        count += rows.stream().count();
      }
    }
    return count;
  }

  /** Random changes, of which any number happens during a refresh. */
  @Test
  void randomChangesAreFollowed() throws IOException {
    for (long seed = SEED; seed < SEED + 3L * SCALE; seed++) {
      try {
        follow(new Random(seed));
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
  }

  private void follow(Random random) throws IOException {
    SimulatedDisk root = new SimulatedDisk();
    Meanwhile meanwhile = new Meanwhile();
    Directory watched = leaks.watch(new FaultyDirectory(root, 1, meanwhile.fault()));
    try (RandomWriter writer = new RandomWriter(root, random);
        Database reader = Database.open(watched, READ_ONLY)) {
      for (int i = 0; i < 30; i++) {
        for (int k = random.nextInt(4); k > 0; k--) {
          writer.change();
        }
        int from = writer.states.size() - 1;
        int changes = random.nextInt(4);
        meanwhile.set(
            () -> {
              for (int k = 0; k < changes; k++) {
                writer.change();
              }
            },
            1 + random.nextInt(40));
        reader.refresh();
        meanwhile.takeBack();
        assertThat(Contents.of(reader))
            .as("refresh %s", i)
            .isIn(writer.states.subList(from, writer.states.size()));
      }
      reader.refresh();
      assertThat(Contents.of(reader)).isEqualTo(writer.last());
    }
    leaks.requireNothingOpen();
  }

  /** A database to which random changes are made, and what it showed after each. */
  private static final class RandomWriter implements AutoCloseable {
    private final Directory root;
    private final Random random;
    private final List<Map<String, List<String>>> states = new ArrayList<>();
    private Database database;
    private int count;

    RandomWriter(Directory root, Random random) throws IOException {
      this.root = root;
      this.random = random;
      this.database = Database.open(root, History.OPTIONS);
      states.add(Contents.of(database));
    }

    Map<String, List<String>> last() {
      return states.get(states.size() - 1);
    }

    void change() throws IOException {
      count++;
      String name = "t" + random.nextInt(3);
      Optional<Table> found = database.findTable("w", name);
      if (found.isEmpty()) {
        database.createTable(
            "CREATE TABLE w." + name + " (k int, c int, v text, PRIMARY KEY (k, c))");
      } else {
        change(found.get());
      }
      states.add(Contents.of(database));
    }

    private void change(Table table) throws IOException {
      int k = random.nextInt(4);
      switch (random.nextInt(16)) {
        case 0 -> table.truncate();
        case 1 -> database.dropTable("w", table.id().name());
        case 2 -> alter(table);
        case 3 -> {
          database.close();
          database = Database.open(root, History.OPTIONS);
        }
        case 4, 5, 6 -> table.flush();
        case 7 -> database.flush();
        case 8 -> table.write(table.mutation(k).deletePartition().build());
        default ->
            table.write(
                table.mutation(k).insert(random.nextInt(9)).set("v", "value " + count).build());
      }
    }

    private void alter(Table table) throws IOException {
      String change = table.schema().column("extra").isPresent() ? " DROP extra" : " ADD extra int";
      database.alterTable("w", table.id().name(), "ALTER TABLE " + table.id() + change);
    }

    @Override
    public void close() throws IOException {
      database.close();
    }
  }

  private static void put(Table table, int k, String v) throws IOException {
    table.write(table.mutation(k).insert().set("v", v).build());
  }

  private static @Nullable String get(Table table, int k) throws IOException {
    return table
        .get(table.query().partition(k).build())
        .map(row -> row.getString("v"))
        .orElse(null);
  }

  @Test
  void tablesStayValidUntilTheyAreDropped() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, History.OPTIONS)) {
      Table written = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      put(written, 1, "one");
      try (Database reader = Database.open(root, READ_ONLY)) {
        Table read = reader.table("w", "t");
        assertThat(get(read, 1)).isEqualTo("one");
        put(written, 2, "two");
        assertThat(get(read, 2)).isNull();
        assertThat(reader.refresh()).isTrue();
        assertThat(get(read, 2)).isEqualTo("two");
        assertThat(reader.refresh()).isFalse();

        writer.alterTable("w", "t", "ALTER TABLE w.t ADD extra int");
        written.write(written.mutation(3).insert().set("extra", 5).build());
        reader.refresh();
        Row row = read.get(read.query().partition(3).build()).orElseThrow();
        assertThat(row.getInt("extra")).isEqualTo(5);

        LiveRows open = read.read(read.query().build());
        writer.dropTable("w", "t");
        writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
        reader.refresh();
        assertThat(open.stream().count()).isEqualTo(3);
        open.close();
        assertThatThrownBy(() -> get(read, 1))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("was dropped");
        assertThat(get(reader.table("w", "t"), 1)).isNull();
        assertThatThrownBy(writer::refresh)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("is open for writing");
      }
    }
  }

  @Test
  void openSSTablesAreNotOpenedAgain() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, History.OPTIONS)) {
      Table table = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 5; k++) {
        put(table, k, "first");
        table.flush();
      }
      CountingDirectory counted = new CountingDirectory(root);
      try (Database reader = Database.open(counted, READ_ONLY)) {
        put(table, 5, "second");
        table.flush();
        long opened = counted.count(Operation.OPEN, "*-Data.db");
        assertThat(opened).isEqualTo(5);
        reader.refresh();
        assertThat(counted.count(Operation.OPEN, "*-Data.db")).isEqualTo(opened + 1);
        assertThat(get(reader.table("w", "t"), 5)).isEqualTo("second");
        assertThat(get(reader.table("w", "t"), 0)).isEqualTo("first");
      }
    }
  }

  /** This happens after a restore, or after a truncation and a restart of the writer. */
  @Test
  void aDataFileOfTheSameNameIsOpenedAgain() throws IOException {
    Directory disk = new MemoryDirectory();
    Directory target = disk.directory("target");
    TableSchema schema = linkTable(disk, "one", target);
    try (Database reader = Database.openTable(target, schema, READ_ONLY)) {
      Table table = reader.table("w", "t");
      LiveRows open = table.read(table.query().build());
      for (String name : target.files()) {
        target.delete(name);
      }
      linkTable(disk, "two", target);
      assertThat(reader.refresh()).isTrue();
      assertThat(get(table, 1)).isEqualTo("two");
      assertThat(open.next().getString("v")).isEqualTo("one");
      open.close();
    }
  }

  /** Links an SSTable with one row, always under the same name, from a database of its own. */
  private static TableSchema linkTable(Directory disk, String v, Directory target)
      throws IOException {
    Directory root = disk.directory(v);
    try (Database writer = Database.open(root, History.OPTIONS)) {
      Table table = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      put(table, 1, v);
      table.flush();
      Directory keyspace = root.directory("data").directory("w");
      Directory files = keyspace.directory(keyspace.directories().get(0));
      for (String name : files.files()) {
        if (name.startsWith("oa-1-big-")) {
          files.link(name, target, name);
        }
      }
      return table.schema();
    }
  }

  @Test
  void anotherDatabaseAtThePathIsRefused() throws IOException {
    Directory root = new MemoryDirectory();
    Database.open(root, History.OPTIONS).close();
    try (Database reader = Database.open(root, READ_ONLY)) {
      root.delete("siltstone.properties");
      assertThatThrownBy(reader::refresh)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is not the database any more that was opened: it has no identity");
      for (String name : root.files()) {
        root.delete(name);
      }
      Directory other = new MemoryDirectory();
      Database.open(other, History.OPTIONS).close();
      TextFile.replace(root, "siltstone.properties", TextFile.read(other, "siltstone.properties"));
      assertThatThrownBy(reader::refresh)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it has the host id");
      assertThat(reader.tables()).isEmpty();
    }
  }

  @Test
  void theDirectoryOfATableIsFollowed() throws IOException {
    Directory root = new MemoryDirectory();
    try (Database writer = Database.open(root, History.OPTIONS)) {
      Table table = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      Directory keyspace = root.directory("data").directory("w");
      Directory files = keyspace.directory(keyspace.directories().get(0));
      try (Database reader = Database.open(files, READ_ONLY);
          Database given = Database.openTable(files, table.schema(), READ_ONLY)) {
        put(table, 1, "one");
        table.flush();
        writer.alterTable("w", "t", "ALTER TABLE w.t ADD extra int");
        for (Database each : List.of(reader, given)) {
          assertThat(each.refresh()).isTrue();
          assertThat(get(each.table("w", "t"), 1)).isEqualTo("one");
          assertThat(each.refresh()).isFalse();
        }
        assertThat(reader.table("w", "t").schema().column("extra")).isPresent();
        assertThat(given.table("w", "t").schema().column("extra")).isEmpty();
      }
    }
  }

  @Test
  void aRefreshWithoutMemoryChangesNothing() throws IOException {
    Directory root = new MemoryDirectory();
    DatabaseOptions small =
        DatabaseOptions.builder()
            .readOnly(true)
            .compaction(Compaction.none())
            .chunkCacheBytes(0)
            .memoryBytes(2 << 20)
            .build();
    try (Database writer =
        Database.open(root, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = writer.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      put(table, 0, "x".repeat(900_000));
      try (Database reader = Database.open(root, small)) {
        put(table, 1, "y".repeat(900_000));
        assertThatThrownBy(reader::refresh)
            .isInstanceOf(OutOfBudgetException.class)
            .hasMessageContaining("was not refreshed, and is shown as before");
        assertThat(get(reader.table("w", "t"), 0)).hasSize(900_000);
        assertThat(get(reader.table("w", "t"), 1)).isNull();
        table.flush();
        assertThat(reader.refresh()).isTrue();
        assertThat(get(reader.table("w", "t"), 1)).hasSize(900_000);
      }
    }
  }
}
