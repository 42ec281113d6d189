package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.mutation.Batch;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/**
 * What the process does that {@link ProcessKillTest} kills: several threads write, one partition
 * each, numbered rows one after the other, and say each number that was acknowledged before they
 * write the next. Every fifth row is written in a batch with one of another table.
 *
 * <p>What it says, in lines: {@code opening}, then {@code open}, then {@code THREAD NUMBER}.
 */
final class KilledProcess {
  static final int THREADS = 3;
  static final int BATCH_EVERY = 5;

  private final Database database;
  private final Table rows;
  private final Table others;

  private KilledProcess(Database database) throws IOException {
    this.database = database;
    this.rows =
        table(
            "rows",
            "CREATE TABLE w.rows (thread int, n int, v text, PRIMARY KEY (thread, n)) WITH"
                + " CLUSTERING ORDER BY (n DESC)");
    this.others =
        table("others", "CREATE TABLE w.others (thread int, n int, PRIMARY KEY (thread, n))");
  }

  private Table table(String name, String cql) throws IOException {
    Optional<Table> found = database.findTable("w", name);
    return found.isPresent() ? found.get() : database.createTable(cql);
  }

  static DatabaseOptions options(SyncMode mode) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(mode)
                .segmentBytes(64 << 10)
                .bufferBytes(64 << 10)
                .build())
        .build();
  }

  /** {@code directory sync-mode seed}. */
  public static void main(String[] args) throws Exception {
    say("opening\n");
    Database database = Database.open(Path.of(args[0]), options(SyncMode.valueOf(args[1])));
    KilledProcess process = new KilledProcess(database);
    say("open\n");
    Random random = new Random(Long.parseLong(args[2]));
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      long seed = random.nextLong();
      new Thread(() -> process.run(thread, new Random(seed))).start();
    }
  }

  private static synchronized void say(String line) throws IOException {
    // System.out would buffer, and swallow failures.
    OutputStream out = System.out;
    out.write(line.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private void run(int thread, Random random) {
    try {
      Optional<Row> last = rows.get(rows.query().partition(thread).build());
      int n = last.map(row -> row.getInt("n")).orElse(0);
      while (true) {
        n++;
        write(thread, n, "x".repeat(valueLength(thread, n)));
        say(thread + " " + n + "\n");
        if (random.nextInt(100) == 0) {
          (random.nextBoolean() ? rows : others).flush();
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Of a row's value, up to 2,000 and without a pattern. */
  static int valueLength(int thread, int n) {
    return new Random(31L * n + thread).nextInt(2000);
  }

  private void write(int thread, int n, String value) throws IOException {
    var row = rows.mutation(thread).insert(n).set("v", value).build();
    if (n % BATCH_EVERY == 0) {
      database.write(Batch.of(others.mutation(thread).insert(n).build(), row));
    } else {
      rows.write(row);
    }
  }
}
