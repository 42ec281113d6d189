package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.mutation.Batch;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A table is truncated, dropped and created again while threads write, read, flush and compact it;
 * then it is closed, or loses power. Rows acknowledged before a removal are not seen any more, rows
 * written afterwards are there, and users of a dropped table get an exception. Enlarged with {@code
 * -Dsiltstone.scale=N}; one round is repeated with {@code -Dsiltstone.seed=N}, as far as threads
 * repeat anything.
 */
class RandomTruncationsTest {
  private static final int ROUNDS = 12 * Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final String CREATE =
      "CREATE TABLE w.t (k int, c int, v bigint, pad text, PRIMARY KEY (k, c)) WITH compaction ="
          + " {'class': 'SizeTieredCompactionStrategy', 'min_threshold': '2'}";

  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int PARTITIONS_OF_A_WRITER = 3;
  private static final int ROWS_OF_A_PARTITION = 4;
  private static final int REMOVALS = 12;

  /** The operations of the disk in a round. */
  private static final int MOST_OPERATIONS = 2000;

  /** How a round ends. */
  private enum End {
    CLOSE,
    POWER_LOSS,
    POWER_LOSS_ANYWHERE
  }

  private static final List<End> ENDS = List.of(End.values());

  /** An action that a thread repeats. */
  @FunctionalInterface
  private interface Work {
    void run(SplittableRandom random) throws IOException;
  }

  @Test
  void nothingThatWasRemovedIsSeenAndNothingElseIsMissing() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      new Round(SEED + i).run();
    }
  }

  /** One database. */
  private static final class Round {
    private final long seed;
    private final SplittableRandom random;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final DatabaseOptions options;
    private final End end;
    private final TruncationHistory history = new TruncationHistory();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable Table present;

    Round(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.end = ENDS.get(random.nextInt(ENDS.size()));
      this.options =
          DatabaseOptions.builder()
              .compaction(
                  new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
              .memtableBytes(1 << 20)
              .chunkCacheBytes(random.nextBoolean() ? 1 << 20 : 0)
              .commitLog(
                  CommitLogOptions.builder()
                      .syncMode(random.nextBoolean() ? SyncMode.BATCH : SyncMode.GROUP)
                      .groupWindow(Duration.ofNanos(1))
                      .segmentBytes(64 << 10)
                      .totalSpaceBytes(256 << 10)
                      .bufferBytes(64 << 10)
                      .build())
              .build();
    }

    void run() throws Exception {
      Database database = Database.open(disk, options);
      try {
        table(database.createTable(CREATE));
        start(database);
        if (end == End.POWER_LOSS_ANYWHERE) {
          disk.crashAfter(random.nextInt(MOST_OPERATIONS));
        }
        for (int i = 0; i < REMOVALS; i++) {
          int pause = random.nextInt(30);
          for (int j = 0; j < pause; j++) {
            read(random);
          }
          remove(database);
        }
      } catch (IOException | UncheckedIOException e) {
        if (!isExpected(e)) {
          throw e;
        }
      } finally {
        end(database);
      }
      assertThat(failures).as(this::toString).isEmpty();
      reopen(end == End.CLOSE ? disk : disk.powerLoss(seed + 1));
    }

    private void end(Database database) throws Exception {
      if (end != End.CLOSE) {
        var unused = disk.powerLoss(seed);
      }
      ended.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      if (end == End.CLOSE) {
        database.close();
      } else {
        assertThatThrownBy(database::close).isInstanceOf(IOException.class);
      }
    }

    private void reopen(Directory found) throws IOException {
      for (int i = 0; i < 2; i++) {
        try (Database database = Database.open(found, options)) {
          Map<Integer, Long> seen = new HashMap<>();
          // A table that was being dropped may be gone.
          Optional<Table> table = database.findTable("w", "t");
          if (table.isPresent()) {
            for (Row row : all(table.get())) {
              add(row, seen);
            }
          }
          assertThat(history.wrong(seen, history.now(), history.now()))
              .as("%s, %s", this, end)
              .isNull();
        }
      }
    }

    @Override
    public String toString() {
      return "-Dsiltstone.seed=" + seed;
    }

    private void start(Database database) {
      for (int i = 0; i < WRITERS; i++) {
        Writer writer = new Writer(i);
        start(i, writes -> writer.write(database, writes));
      }
      for (int i = 0; i < READERS; i++) {
        start(WRITERS + i, this::read);
      }
      start(WRITERS + READERS, flushes -> table().flush());
      start(WRITERS + READERS + 1, compactions -> compact());
    }

    private void start(int number, Work work) {
      SplittableRandom own = new SplittableRandom(seed * 31 + number);
      Thread thread =
          new Thread(
              () -> {
                while (!ended.get()) {
                  try {
                    work.run(own);
                  } catch (Throwable e) {
                    if (!isExpected(e)) {
                      failures.add(e);
                      return;
                    }
                  }
                }
              },
              "user-" + number);
      threads.add(thread);
      thread.start();
    }

    /** Users of a dropped table get an exception; and without power nothing works. */
    private boolean isExpected(Throwable e) {
      return (e instanceof IllegalStateException
              && String.valueOf(e.getMessage()).contains("w.t was dropped"))
          || (end != End.CLOSE
              && disk.isLost()
              && (e instanceof IOException || e instanceof UncheckedIOException));
    }

    private void table(Table created) {
      present = created;
    }

    private Table table() {
      return Objects.requireNonNull(present);
    }

    private void remove(Database database) throws IOException {
      history.remove();
      if (random.nextInt(3) > 0) {
        table().truncate();
      } else {
        Table dropped = table();
        database.dropTable("w", "t");
        assertThatThrownBy(() -> dropped.get(dropped.query().build()))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("w.t was dropped");
        table(database.createTable(CREATE));
      }
      history.removed();
    }

    private void read(SplittableRandom reads) throws IOException {
      Table table = table();
      int partition = reads.nextInt(2 * WRITERS * PARTITIONS_OF_A_WRITER);
      Map<Integer, Long> seen = new HashMap<>();
      long from = history.now();
      Query.Builder query = table.query();
      if (partition < WRITERS * PARTITIONS_OF_A_WRITER) {
        int row = partition * ROWS_OF_A_PARTITION + reads.nextInt(ROWS_OF_A_PARTITION);
        Optional<Row> found =
            table.get(query.partition(partition).row(row % ROWS_OF_A_PARTITION).build());
        found.ifPresent(each -> add(each, seen));
        check(history.wrong(row, seen.get(row), from, history.now()));
      } else {
        try (LiveRows rows = table.read(query.build())) {
          long to = history.now();
          rows.forEachRemaining(row -> add(row, seen));
          check(history.wrong(seen, from, to));
        }
      }
    }

    private void check(@Nullable String wrong) {
      assertThat(wrong).as(this::toString).isNull();
    }

    private void compact() {
      try {
        var unused =
            table()
                .compact(CompactionRequest.of(Operation.MAJOR))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
      } catch (CancellationException e) {
        // It was dropped meanwhile.
      } catch (CompletionException e) {
        Throwable cause = e.getCause();
        if (cause == null || !(cause instanceof CancellationException || isExpected(cause))) {
          throw e;
        }
      }
    }

    /** Writes to partitions of its own. */
    private final class Writer {
      private final int first;
      private long value;

      Writer(int number) {
        this.first = number * PARTITIONS_OF_A_WRITER * ROWS_OF_A_PARTITION;
      }

      void write(Database database, SplittableRandom writes) throws IOException {
        Table table = table();
        int row = first + writes.nextInt(PARTITIONS_OF_A_WRITER * ROWS_OF_A_PARTITION);
        value++;
        var mutation =
            table
                .mutation(row / ROWS_OF_A_PARTITION)
                .insert(row % ROWS_OF_A_PARTITION)
                .set("v", value)
                .set("pad", "x".repeat(writes.nextInt(300)))
                .build();
        history.write(row, value);
        try {
          if (writes.nextBoolean()) {
            table.write(mutation);
          } else {
            database.write(Batch.of(mutation));
          }
        } catch (IllegalStateException | IllegalArgumentException e) {
          history.forget(row);
          if (!String.valueOf(e.getMessage()).contains("was dropped")) {
            throw e;
          }
          return;
        }
        history.acknowledge(row);
      }
    }
  }

  private static List<Row> all(Table table) throws IOException {
    List<Row> all = new ArrayList<>();
    try (LiveRows rows = table.read(table.query().build())) {
      rows.forEachRemaining(all::add);
    }
    return all;
  }

  private static void add(Row row, Map<Integer, Long> seen) {
    seen.put(row.getInt("k") * ROWS_OF_A_PARTITION + row.getInt("c"), row.getLong("v"));
  }
}
