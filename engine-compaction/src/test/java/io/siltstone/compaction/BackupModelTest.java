package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Backups;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random histories of a database and its backups beside a map: each backup is restored, and read in
 * place, as the map was. A run is repeated with {@code -Dsiltstone.seed=N}, and more are made with
 * {@code -Dsiltstone.scale=N}.
 */
class BackupModelTest {
  private static final int RUNS = 6;
  private static final int STEPS = 60;
  private static final String OPTIONS_OF_TABLE =
      " (k int PRIMARY KEY, v text) WITH gc_grace_seconds = 0 AND compaction ="
          + " {'class': 'SizeTieredCompactionStrategy', 'min_threshold': '2'}";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(
            new CompactionService(
                CompactionOptions.builder()
                    .bytesPerSecond(0)
                    .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                    .build()))
        .memoryBytes(64 << 20)
        .memtableBytes(4 << 20)
        .chunkCacheBytes(0)
        .commitLog(CommitLogOptions.builder().segmentBytes(4096).build())
        .build();
  }

  private static List<String> texts(Map<Integer, String> rows) {
    return rows.entrySet().stream().map(row -> row.getKey() + " " + row.getValue()).toList();
  }

  private static List<String> sorted(Table table) throws IOException {
    Map<Integer, String> rows = new TreeMap<>();
    for (String row : Contents.of(table)) {
      int space = row.indexOf(' ');
      rows.put(Integer.parseInt(row.substring(0, space)), row.substring(space + 1));
    }
    return texts(rows);
  }

  @Test
  void everyBackupIsAsTheDatabaseWas() throws Exception {
    Long one = Long.getLong("siltstone.seed");
    long[] seeds =
        one != null
            ? new long[] {one}
            : LongStream.range(0, (long) RUNS * Integer.getInteger("siltstone.scale", 1)).toArray();
    for (long seed : seeds) {
      try {
        new History(seed).run();
      } catch (Exception | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

  private final class History {
    private final Random random;
    private final Backups backups = Backups.in(leaks.watch(new MemoryDirectory()));
    private final Map<Long, List<String>> kept = new TreeMap<>();
    private final Map<Integer, String> model = new TreeMap<>();
    private Database database;

    History(long seed) throws IOException {
      random = new Random(seed);
      database = Database.open(leaks.watch(new MemoryDirectory()), options());
      database.createTable("CREATE TABLE w.t" + OPTIONS_OF_TABLE);
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        step(step);
      }
      database.close();
      for (long id : kept.keySet()) {
        check(id);
      }
    }

    private void step(int step) throws IOException {
      Table table = database.table("w", "t");
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> table.flush();
        case 3, 4, 5, 6 -> kept.put(backups.create(database).id(), texts(model));
        case 7 -> {
          int keep = 1 + random.nextInt(4);
          for (long id : backups.prune(keep)) {
            assertThat(kept.remove(id)).isNotNull();
          }
        }
        case 8 -> {
          table.truncate();
          model.clear();
        }
        case 9, 10 ->
            assertThat(
                    table
                        .compact(CompactionRequest.of(Operation.MAJOR))
                        .toCompletableFuture()
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join()
                        .failed())
                .isEmpty();
        case 11 -> goOnFromABackup();
        default -> {
          for (int i = 0; i < 10; i++) {
            int key = random.nextInt(40);
            if (random.nextInt(3) == 0) {
              table.write(table.mutation(key).deletePartition().build());
              model.remove(key);
            } else {
              String value = "value " + step + "x".repeat(random.nextInt(60));
              table.write(table.mutation(key).insert().set("v", value).build());
              model.put(key, value);
            }
          }
        }
      }
    }

    private Directory restored(long id) throws IOException {
      Directory copy = leaks.watch(new MemoryDirectory());
      backups.verifying(random.nextBoolean()).restore(id, copy);
      return copy;
    }

    /** The database is lost, and a backup takes its place. */
    private void goOnFromABackup() throws IOException {
      if (kept.isEmpty()) {
        return;
      }
      List<Long> ids = new ArrayList<>(kept.keySet());
      long id = ids.get(random.nextInt(ids.size()));
      database.close();
      database = Database.open(restored(id), options());
      model.clear();
      for (String row : Objects.requireNonNull(kept.get(id))) {
        int space = row.indexOf(' ');
        model.put(Integer.parseInt(row.substring(0, space)), row.substring(space + 1));
      }
      assertThat(sorted(database.table("w", "t"))).isEqualTo(texts(model));
    }

    private void check(long id) throws IOException {
      assertThat(backups.verify(id)).isEmpty();
      try (Database copy = Database.open(restored(id), options())) {
        assertThat(sorted(copy.table("w", "t"))).as("backup %s", id).isEqualTo(kept.get(id));
      }
      DatabaseOptions readOnly = options().toBuilder().readOnly(true).build();
      try (Database inPlace = Database.open(backups.directory(id), readOnly)) {
        assertThat(sorted(inPlace.table("w", "t"))).as("in place %s", id).isEqualTo(kept.get(id));
      }
    }
  }

  /** Batches over two tables, flushes and compactions go on while backups are made. */
  @Test
  void backupsBesideWritersHaveABeginningOfWhatWasWritten() throws Exception {
    Backups backups = Backups.in(leaks.watch(new MemoryDirectory()));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Integer> before = new ArrayList<>();
    List<Integer> after = new ArrayList<>();
    try (Database database = Database.open(leaks.watch(new MemoryDirectory()), options())) {
      Table a = database.createTable("CREATE TABLE w.a" + OPTIONS_OF_TABLE);
      Table b = database.createTable("CREATE TABLE w.b" + OPTIONS_OF_TABLE);
      AtomicInteger written = new AtomicInteger();
      AtomicBoolean isEnded = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 1; !isEnded.get(); i++) {
                    database.write(
                        Batch.of(
                            a.mutation(i).insert().set("v", "x").build(),
                            b.mutation(i).insert().set("v", "x").build()));
                    written.set(i);
                    if (i % 50 == 0) {
                      (i % 100 == 0 ? a : b).flush();
                    }
                  }
                } catch (IOException | RuntimeException e) {
                  failure.set(e);
                }
              });
      writer.start();
      for (int i = 0; i < 12; i++) {
        before.add(written.get());
        backups.create(database);
        after.add(written.get());
      }
      isEnded.set(true);
      writer.join();
    }
    assertThat(failure.get()).isNull();
    for (int i = 0; i < 12; i++) {
      Directory copy = leaks.watch(new MemoryDirectory());
      backups.restore(i + 1, copy);
      try (Database restored = Database.open(copy, options())) {
        List<String> a = sorted(restored.table("w", "a"));
        assertThat(sorted(restored.table("w", "b"))).isEqualTo(a);
        assertThat(a.size()).isBetween(before.get(i), after.get(i) + 1);
        assertThat(a.isEmpty() ? "0 x" : a.get(a.size() - 1)).isEqualTo(a.size() + " x");
      }
    }
  }
}
