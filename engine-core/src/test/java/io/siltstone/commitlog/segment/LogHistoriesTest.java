package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.HOST;
import static io.siltstone.commitlog.segment.LogBench.small;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several writers beside syncs, segment changes and deletions, until a fault or the end of the
 * power or of the process: whatever the interleaving, what was appended survives the process, what
 * was synced survives the power, and of each writer there is a beginning without a gap.
 */
class LogHistoriesTest {
  private static final long SEED = Long.getLong("siltstone.seed", 31);
  private static final int HISTORIES = 15 * Integer.getInteger("siltstone.scale", 1);
  private static final int WRITERS = 3;
  private static final int RECORDS = 60;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  // By writer: the numbers of the last records that were appended, and that were durable.
  private final int[] appended = new int[WRITERS];
  private final int[] durable = new int[WRITERS];

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void whatIsPromisedIsKept(SyncMode mode) throws Exception {
    for (int history = 0; history < HISTORIES; history++) {
      long seed = SEED + history;
      try {
        run(mode, seed, new Random(seed));
      } catch (Throwable e) {
        throw new AssertionError(mode + ": -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

  private void run(SyncMode mode, long seed, Random random) throws Exception {
    FileSystemModel model =
        random.nextBoolean() ? FileSystemModel.JOURNALED : FileSystemModel.UNORDERED;
    SimulatedDisk disk = new SimulatedDisk(model);
    Arrays.fill(appended, 0);
    Arrays.fill(durable, 0);
    CommitLogOptions options =
        small(mode)
            .bufferBytes(256 << random.nextInt(4))
            .period(Duration.ofMillis(1 + random.nextInt(3)))
            .groupWindow(Duration.ofNanos(1 + random.nextInt(100_000)))
            .build();
    Fault slow = Fault.on(Operation.SYNC).chance(0.2).runs("slow", Thread::yield);
    // So late that most histories end without it, or with it among their syncs.
    Fault bad = fault(random);
    LogBench bench = new LogBench(leaks.memory());
    Directory faulty = new FaultyDirectory(disk, seed, slow, bad);
    CommitLog log;
    try {
      log = bench.openThreaded(faulty, options);
    } catch (IOException e) {
      // The fault came as early as that.
      return;
    }
    try {
      if (random.nextBoolean()) {
        disk.crashAfter(random.nextInt(300));
      }
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        long own = random.nextLong();
        LogTable table = LogBench.table(log, new UUID(1 + writer, 1 + writer));
        writers.add(new Thread(() -> write(mode, log, table, writer, new Random(own))));
      }
      writers.forEach(Thread::start);
      for (Thread writer : writers) {
        writer.join();
      }
      // The process ends with or before the power.
      requireAllThere(disk.processDeath(), appended);
    } finally {
      try {
        log.close();
      } catch (IOException e) {
        // Its disk is gone.
      }
    }
    continueLog(disk.processDeath(), options);
    for (int loss = 0; loss < 4; loss++) {
      SimulatedDisk found = disk.powerLoss(seed + loss);
      requireAllThere(found, durable);
      continueLog(found, options);
    }
  }

  /** One that ends the log sooner or later; or, by its number, none at all. */
  private static Fault fault(Random random) {
    Operation[] operations = {
      Operation.WRITE, Operation.SYNC, Operation.SYNC_DIRECTORY, Operation.CREATE
    };
    return Fault.on(operations[random.nextInt(operations.length)])
        .call(1 + random.nextInt(400))
        .fails("bad disk");
  }

  private void write(SyncMode mode, CommitLog log, LogTable table, int writer, Random random) {
    try {
      for (int n = 1; n <= RECORDS; n++) {
        String text = n + " " + "x".repeat(random.nextInt(random.nextInt(8) == 0 ? 400 : 40));
        long position = log.append(LogBench.record(table, text));
        appended[writer] = n;
        log.awaitSynced(position);
        if (mode != SyncMode.PERIODIC) {
          durable[writer] = n;
        }
        switch (random.nextInt(40)) {
          case 0 -> log.startSegment();
          case 1 -> {
            log.sync();
            durable[writer] = n;
          }
          case 2 -> log.discard(new UUID(9, 9), log.position());
          default -> Thread.onSpinWait();
        }
      }
    } catch (IOException e) {
      // The log has failed, or its disk is gone.
    }
  }

  private static void requireAllThere(Directory disk, int[] least) throws IOException {
    LogBench.Found found = LogBench.replay(disk, ReplayOptions.DEFAULT.of(HOST));
    for (int writer = 0; writer < WRITERS; writer++) {
      String prefix = (writer + 1) + ":";
      List<Integer> numbers =
          found.texts.stream()
              .filter(text -> text.startsWith(prefix))
              .map(text -> Integer.valueOf(text.substring(2, text.indexOf(' '))))
              .toList();
      assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
      assertThat(numbers.size()).as("writer %s", writer).isGreaterThanOrEqualTo(least[writer]);
    }
  }

  /** What was found stays when the log goes on, and is found again. */
  private void continueLog(Directory disk, CommitLogOptions options) throws IOException {
    LogBench bench = new LogBench(leaks.memory());
    List<String> texts = LogBench.replay(disk, ReplayOptions.DEFAULT.of(HOST)).texts;
    CommitLogReplay.makeDurable(disk);
    try (CommitLog log = bench.openThreaded(leaks.watch(disk), options)) {
      log.append(LogBench.record(LogBench.table(log, new UUID(8, 8)), "more"));
    }
    List<String> now = LogBench.replay(disk, ReplayOptions.DEFAULT.of(HOST)).texts;
    assertThat(now.get(now.size() - 1)).isEqualTo("8:more");
    assertThat(now.subList(0, now.size() - 1)).isEqualTo(texts);
  }
}
