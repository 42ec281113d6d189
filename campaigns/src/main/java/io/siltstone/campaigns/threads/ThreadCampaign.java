package io.siltstone.campaigns.threads;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.Table;
import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.campaigns.run.Directories;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs thousands of virtual threads that write to and read from one database, while other threads
 * interrupt them at any moment, flush and compact. No call may fail, no write that has returned may
 * be lost, and an interrupted thread must stay interrupted. In every second round syncs are slow.
 */
final class ThreadCampaign implements Campaign {
  private static final List<SyncMode> MODES = List.of(SyncMode.values());
  private static final int OPERATIONS = 20;
  private static final long PATIENCE_MINUTES = 10;

  private final Path directory;
  private final long seed;
  private final int threads;

  /**
   * Creates a campaign.
   *
   * @param threads number of threads in each round
   */
  ThreadCampaign(Path directory, long seed, int threads) {
    this.directory = directory;
    this.seed = seed;
    this.threads = threads;
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    SyncMode mode = MODES.get((int) (round % MODES.size()));
    Path home = directory.resolve("round-" + round);
    Directories.delete(home);
    Files.createDirectories(home);
    try {
      new OneRound(home, mode, round % 2 == 1, new SplittableRandom(seed + round).nextLong())
          .run(counts);
      counts.add("rounds in mode " + mode);
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new DeviationException("mode " + mode + ": " + e, e, home);
    }
    Directories.delete(home);
  }

  /** Runs threads on one database, and reads what they have written. */
  private final class OneRound {
    private final Path home;
    private final DatabaseOptions options;
    private final boolean isSlow;
    private final long drawn;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong interrupts = new AtomicLong();
    private final AtomicLong kept = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(threads);
    private final AtomicBoolean isOver = new AtomicBoolean();

    OneRound(Path home, SyncMode mode, boolean isSlow, long drawn) {
      this.home = home;
      this.isSlow = isSlow;
      this.drawn = drawn;
      this.options =
          DatabaseOptions.builder()
              .compaction(Compaction.found())
              .memoryBytes(128 << 20)
              .memtableBytes(8 << 20)
              .chunkCacheBytes(16 << 20)
              .commitLog(CommitLogOptions.builder().syncMode(mode).segmentBytes(4 << 20).build())
              .build();
    }

    private KeyValueStore open() throws IOException {
      Directory disk = NioDirectory.open(home);
      Directory database =
          isSlow
              ? new FaultyDirectory(
                  disk, drawn, Fault.on(Operation.SYNC).chance(0.2).delays(Duration.ofMillis(30)))
              : disk;
      return KeyValueStore.open(database, options);
    }

    void run(Counts counts) throws IOException {
      try (PinningRecording pinning = new PinningRecording()) {
        try (KeyValueStore store = open()) {
          Table table =
              store
                  .database()
                  .createTable("CREATE TABLE w.t (k int, c int, v blob, PRIMARY KEY (k, c))");
          Thread[] workers = new Thread[threads];
          for (int i = 0; i < threads; i++) {
            int number = i;
            workers[i] = VirtualThreads.start(() -> work(store, table, number));
          }
          Thread flusher = new Thread(() -> flush(store), "flusher");
          Thread interrupter = new Thread(() -> interrupt(workers), "interrupter");
          flusher.start();
          interrupter.start();
          await();
          isOver.set(true);
          join(flusher);
          join(interrupter);
          requireNoFailure();
          requireAll(store, table);
        }
        pinning.count(home, counts);
      }
      try (KeyValueStore store = open()) {
        requireAll(store, store.database().table("w", "t"));
      }
      counts.add("virtual threads", threads);
      counts.add("operations", (long) threads * OPERATIONS);
      counts.add("interrupts", interrupts.get());
      counts.add("operations after which an interrupt was found", kept.get());
    }

    private void await() throws IOException {
      try {
        if (!ended.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
          throw new AssertionError(ended.getCount() + " threads hang, of " + threads);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    private void join(Thread thread) throws IOException {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    private void requireNoFailure() {
      Throwable first = failures.peek();
      if (first != null) {
        throw new AssertionError(
            failures.size() + " operations have failed, the first: " + first, first);
      }
    }

    private void work(KeyValueStore store, Table table, int number) {
      Random random = new Random(drawn + number);
      try {
        for (int i = 0; i < OPERATIONS; i++) {
          if (i % 2 == 0) {
            store.put(key(number, i), value(number, i));
          } else {
            table.write(table.mutation(number).insert(i).set("v", value(number, i)).build());
          }
          read(store, table, number, random.nextInt(i + 1), random.nextInt(10) == 0);
          if (Thread.interrupted()) {
            kept.incrementAndGet();
          }
        }
      } catch (Throwable e) {
        failures.add(e);
      } finally {
        ended.countDown();
      }
    }

    private void read(KeyValueStore store, Table table, int number, int i, boolean isScan)
        throws IOException {
      if (i % 2 == 1) {
        require(
            table.get(table.query().partition(number).row(i).build()).isPresent(),
            number + " " + i);
      } else if (isScan) {
        try (var entries = store.iteratorOfPrefix(Arrays.copyOf(key(number, i), 4))) {
          entries.seekToFirst();
          require(entries.isValid(), number + ", iterator");
        }
      } else {
        require(Arrays.equals(store.get(key(number, i)), value(number, i)), number + " " + i);
      }
    }

    private void require(boolean holds, String what) {
      if (!holds) {
        throw new AssertionError("not found: " + what);
      }
    }

    private void flush(KeyValueStore store) {
      try {
        while (!isOver.get()) {
          store.database().flush();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
      } catch (Throwable e) {
        failures.add(e);
      }
    }

    private void interrupt(Thread[] workers) {
      Random random = new Random(drawn);
      while (!isOver.get()) {
        Thread worker = workers[random.nextInt(workers.length)];
        if (worker.isAlive()) {
          worker.interrupt();
          interrupts.incrementAndGet();
        }
        if (random.nextInt(16) == 0) {
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
      }
    }

    private void requireAll(KeyValueStore store, Table table) throws IOException {
      for (int number = 0; number < threads; number++) {
        for (int i = 0; i < OPERATIONS; i++) {
          read(store, table, number, i, false);
        }
      }
    }
  }

  private static byte[] key(int number, int i) {
    return new byte[] {
      (byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number, (byte) i
    };
  }

  private static byte[] value(int number, int i) {
    byte[] value = new byte[50 + (number + i) % 100];
    Arrays.fill(value, (byte) (number + i));
    return value;
  }
}
