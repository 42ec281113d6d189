package io.siltstone.compaction;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.event.EngineListener;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

/**
 * The process that {@link CompactionKillTest} kills. Several threads write numbered rows, each
 * once, delete some of them, and flush; another requests compactions in addition to those of the
 * strategy.
 *
 * <p>It prints lines: {@code open}; {@code THREAD NUMBER} for each acknowledged write; and {@code
 * job} when a compaction begins.
 */
final class CompactingProcess {
  static final int THREADS = 2;
  static final String JOB = "job";

  private static final int ROWS_OF_A_PARTITION = 20;
  private static final int DELETION_EVERY = 7;
  private static final int DELETED_BEFORE = 3;
  private static final int ROWS_OF_A_FLUSH = 40;
  private static final List<Operation> OPERATIONS =
      List.of(Operation.MAJOR, Operation.SPLIT, Operation.GARBAGE_COLLECT, Operation.SCRUB);

  private final Table table;

  private CompactingProcess(Table table) {
    this.table = table;
  }

  static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memtableBytes(1 << 20)
        .chunkCacheBytes(1 << 20)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(SyncMode.BATCH)
                .segmentBytes(64 << 10)
                .bufferBytes(64 << 10)
                .build());
  }

  /**
   * Runs with {@code directory compaction seed}; the second is the option of {@code CREATE TABLE}.
   */
  public static void main(String[] args) throws Exception {
    CompactionService service =
        new CompactionService(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .compactors(2)
                // Deleted rows may be purged an hour later.
                .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                .build());
    DatabaseOptions options = options().compaction(service).listener(new Announcer()).build();
    Database database = Database.open(Path.of(args[0]), options);
    say("open\n");
    Table table =
        database.createTable(
            "CREATE TABLE IF NOT EXISTS ks.t (thread int, part int, n int, v text,"
                + " PRIMARY KEY ((thread, part), n)) WITH gc_grace_seconds = 0 AND "
                + args[1]);
    CompactingProcess process = new CompactingProcess(table);
    Random random = new Random(Long.parseLong(args[2]));
    List<List<Integer>> found = numbers(table);
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      long seed = random.nextLong();
      start(() -> process.write(thread, last(found.get(thread)), new Random(seed)));
    }
    start(() -> process.ask(random));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void start(Work work) {
    new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                fail(e);
              }
            })
        .start();
  }

  private static void fail(Throwable e) {
    e.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private static synchronized void say(String line) throws IOException {
    // System.out would buffer, and swallow failures.
    OutputStream out = System.out;
    out.write(line.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static final class Announcer implements EngineListener {
    @Override
    public void compactionStarted(CompactionStarted event) {
      try {
        say(JOB + "\n");
      } catch (IOException e) {
        fail(e);
      }
    }

    @Override
    public void compactionFailed(CompactionFailed event) {
      // A request cancels what the strategy has begun.
      if (!(event.cause() instanceof CancellationException)) {
        fail(event.cause());
      }
    }
  }

  private void write(int thread, int last, Random random) throws IOException {
    for (int n = last + 1; ; n++) {
      MutationBuilder change =
          table
              .mutation(thread, n / ROWS_OF_A_PARTITION)
              .insert(n)
              .set("v", "x".repeat(random.nextInt(2000)));
      if (isDeletedBy(n)) {
        change.deleteRow(n - DELETED_BEFORE);
      }
      table.write(change.build());
      say(thread + " " + n + "\n");
      if (random.nextInt(ROWS_OF_A_FLUSH) == 0) {
        table.flush();
      }
    }
  }

  /** Returns whether this write deletes the row of an earlier one. */
  private static boolean isDeletedBy(int n) {
    return n % DELETION_EVERY == 0 && n % ROWS_OF_A_PARTITION > DELETED_BEFORE;
  }

  private void ask(Random random) throws Exception {
    while (true) {
      Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
      CompactionRequest request = CompactionRequest.of(operation).withOutputBytes(20_000);
      try {
        table.compact(request).toCompletableFuture().get().orThrow();
      } catch (ExecutionException e) {
        // Levels are not split, and before the first flush there is no table.
        if (!(e.getCause() instanceof IllegalArgumentException)) {
          throw e;
        }
      }
    }
  }

  /** Returns the rows that exist after this many writes of a thread. */
  static List<Integer> after(int last) {
    List<Integer> numbers = new ArrayList<>();
    for (int n = 1; n <= last; n++) {
      int deleting = n + DELETED_BEFORE;
      if (deleting > last || !isDeletedBy(deleting)) {
        numbers.add(n);
      }
    }
    return numbers;
  }

  /** Returns the number of the last write whose row no other write deletes; 0 if there is none. */
  static int last(List<Integer> numbers) {
    return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
  }

  /** Returns the rows of each thread, in order. */
  static List<List<Integer>> numbers(Table table) throws IOException {
    List<List<Integer>> numbers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      numbers.add(new ArrayList<>());
    }
    try (LiveRows rows = table.read(table.query().build())) {
      while (rows.hasNext()) {
        Row row = rows.next();
        numbers.get(row.getInt("thread")).add(row.getInt("n"));
      }
    }
    numbers.forEach(each -> each.sort(null));
    return numbers;
  }
}
