package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.catalog.TableLock;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.model.Contents;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database whose lock file is taken away changes nothing any more, and says why. */
class LostLockTest {
  private static final String TABLE = "CREATE TABLE w.t (k int PRIMARY KEY, v text)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final Queue<EngineListener.EngineReadOnly> told = new ConcurrentLinkedQueue<>();
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .chunkCacheBytes(0)
          .commitLog(CommitLogOptions.builder().syncMode(SyncMode.BATCH).build())
          .listener(
              new EngineListener() {
                @Override
                public void engineReadOnly(EngineReadOnly event) {
                  told.add(event);
                }
              })
          .build();

  private static void write(Table table, int key, String value) throws IOException {
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  /** An operation that must not happen once the lock is lost. */
  @FunctionalInterface
  private interface Change {
    void run(Database database, Table table) throws IOException;
  }

  private static final Map<String, Change> CHANGES =
      new TreeMap<>(
          Map.of(
              "write", (database, table) -> write(table, 3, "late"),
              "flush", (database, table) -> table.flush(),
              "truncate", (database, table) -> table.truncate(),
              "create",
                  (database, table) ->
                      database.createTable("CREATE TABLE w.u (k int PRIMARY KEY, v text)"),
              "alter",
                  (database, table) -> database.alterTable("w", "t", "ALTER TABLE w.t ADD w int"),
              "drop", (database, table) -> database.dropTable("w", "t"),
              "import", (database, table) -> table.importTables(new MemoryDirectory()),
              "sync", (database, table) -> database.sync()));

  private static Directory directoryOf(Directory root, String file) throws IOException {
    return file.startsWith("data/") ? root.directory("data") : root;
  }

  private static String nameOf(String file) {
    return file.substring(file.lastIndexOf('/') + 1);
  }

  @ParameterizedTest
  @CsvSource({"lock, false", "lock, true", "data/writer.lock, false", "data/writer.lock, true"})
  void nothingIsChangedAfterALockFileIsGone(String file, boolean isReplaced) throws IOException {
    for (Map.Entry<String, Change> change : CHANGES.entrySet()) {
      told.clear();
      MemoryDirectory root = new MemoryDirectory();
      Database database = Database.open(root, options);
      Table table = database.createTable(TABLE);
      write(table, 1, "flushed");
      table.flush();
      write(table, 2, "logged");
      directoryOf(root, file).delete(nameOf(file));
      if (isReplaced) {
        directoryOf(root, file).create(nameOf(file), WriteIntent.OTHER).close();
      }
      Map<String, String> before = tree(root);
      String what = change.getKey();
      if (what.equals("sync")) {
        // There may be nothing left to be synced.
        write(change.getValue(), database, table);
      } else {
        assertThatThrownBy(() -> change.getValue().run(database, table))
            .as(what)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(file);
      }
      awaitReadOnly(database);
      assertThat(database.statistics().readOnlyReason())
          .as(what)
          .contains(file, isReplaced ? "was replaced" : "was removed");
      assertThatThrownBy(() -> write(table, 4, "later"))
          .as(what)
          .isInstanceOf(ReadOnlyException.class)
          .hasMessageContaining(file);
      // Reads go on.
      assertThat(Contents.count(table)).as(what).isGreaterThanOrEqualTo(2);
      assertThat(told).as(what).hasSize(1);
      Map<String, String> after = tree(root);
      after.keySet().removeIf(name -> name.contains("commitlog/"));
      before.keySet().removeIf(name -> name.contains("commitlog/"));
      assertThat(after).as(what).isEqualTo(before);
      assertThatThrownBy(database::close).as(what).isInstanceOf(IOException.class);
      try (Database again = Database.open(root, options)) {
        assertThat(Contents.of(again.table("w", "t")))
            .as(what)
            .contains("1 flushed", "2 logged")
            .doesNotContain("4 later");
      }
    }
  }

  private static void write(Change change, Database database, Table table) {
    try {
      change.run(database, table);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("lock");
    }
  }

  /** The timer looks after it five times a second. */
  private void awaitReadOnly(Database database) throws IOException {
    while (database.statistics().readOnlyReason() == null || told.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static Map<String, String> tree(Directory directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String name : directory.files()) {
      try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
        file.readFully(0, bytes);
        files.put(
            directory.path() + "/" + name, new String(bytes.array(), StandardCharsets.ISO_8859_1));
      }
    }
    for (String name : directory.directories()) {
      files.putAll(tree(directory.directory(name)));
    }
    return files;
  }

  /** A table's directory that is open by itself is guarded by its own lock in the same way. */
  @Test
  void aLockFileOfATableThatWasReplacedIsNotDeleted(@TempDir Path temporary) throws IOException {
    Directory table = NioDirectory.open(temporary);
    TableLock lock = TableLock.take(table);
    lock.requireOwned();
    Path file = temporary.resolve("siltstone.lock");
    Files.delete(file);
    assertThatThrownBy(lock::requireOwned).hasMessageContaining("siltstone.lock was removed");
    Files.createFile(file);
    assertThatThrownBy(lock::requireOwned).hasMessageContaining("siltstone.lock was replaced");
    lock.close();
    assertThat(file).exists();
  }

  /** Opens the database at the path that it is given, and says what came of it. */
  static final class OtherProcess {
    public static void main(String[] args) {
      DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
      try (Database database = Database.open(Path.of(args[0]), options)) {
        System.out.print("opened " + Contents.count(database.table("w", "t")));
      } catch (IOException e) {
        System.out.print(e.getMessage());
      }
    }

    private OtherProcess() {}

    static String open(Path path) throws IOException {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      Process process =
          new ProcessBuilder(
                  List.of(
                      java,
                      "-XX:+UseSerialGC",
                      "-XX:TieredStopAtLevel=1",
                      "-XX:+UnlockDiagnosticVMOptions",
                      "-XX:-BytecodeVerificationRemote",
                      "-cp",
                      System.getProperty("java.class.path"),
                      OtherProcess.class.getName(),
                      path.toString()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "data/writer.lock"})
  void anotherProcessIsKeptOutThoughOneLockFileIsRemoved(String file, @TempDir Path temporary)
      throws IOException {
    Path path = temporary.resolve("db");
    Database database = Database.open(path, options);
    Table table = database.createTable(TABLE);
    write(table, 1, "acknowledged");
    Files.delete(path.resolve(file));
    assertThat(OtherProcess.open(path)).contains("is open already", "is locked by another process");
    awaitReadOnly(database);
    assertThatThrownBy(database::close).hasMessageContaining(file);
    assertThat(OtherProcess.open(path)).isEqualTo("opened 1");
  }

  /** What was acknowledged until then is there for a process that opens it after both are gone. */
  @Test
  void noSyncedWriteIsAcknowledgedOnceAnotherProcessMayHaveOpenedIt(@TempDir Path temporary)
      throws IOException {
    Path path = temporary.resolve("db");
    Database database = Database.open(path, options);
    Table table = database.createTable(TABLE);
    for (int k = 0; k < 40; k++) {
      write(table, k, "acknowledged");
    }
    Files.delete(path.resolve("lock"));
    Files.delete(path.resolve("data/writer.lock"));
    assertThat(OtherProcess.open(path)).isEqualTo("opened 40");
    assertThatThrownBy(() -> write(table, 100, "late")).isInstanceOf(IOException.class);
    assertThatThrownBy(database::close).isInstanceOf(IOException.class);
    assertThat(OtherProcess.open(path)).isEqualTo("opened 40");
  }
}
