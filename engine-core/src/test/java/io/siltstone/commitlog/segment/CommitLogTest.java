package io.siltstone.commitlog.segment;

import static io.siltstone.commitlog.segment.LogBench.FIRST;
import static io.siltstone.commitlog.segment.LogBench.SECOND;
import static io.siltstone.commitlog.segment.LogBench.record;
import static io.siltstone.commitlog.segment.LogBench.replay;
import static io.siltstone.commitlog.segment.LogBench.small;
import static io.siltstone.commitlog.segment.LogBench.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the log keeps, in which files, and for how long; all I/O in the test's thread. */
class CommitLogTest {
  private static final CommitLogPosition EVERYTHING =
      new CommitLogPosition(Long.MAX_VALUE, Integer.MAX_VALUE);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final LogBench bench = new LogBench(memory);

  @ParameterizedTest
  @EnumSource(SyncMode.class)
  void recordsAreReplayedInOrderWithTheirTables(SyncMode mode) throws IOException {
    List<String> expected = new ArrayList<>();
    try (CommitLog log = bench.open(disk, small(mode).build())) {
      LogTable first = table(log, FIRST);
      LogTable second = table(log, SECOND);
      for (int i = 0; i < 100; i++) {
        log.awaitSynced(log.append(record(i % 3 == 0 ? second : first, "change " + i)));
        expected.add((i % 3 == 0 ? "2:" : "1:") + "change " + i);
      }
      assertThat(log.segmentCount()).isGreaterThan(3);
    }
    assertThat(replay(disk).texts).isEqualTo(expected);
  }

  @Test
  void partsOfARecordComeTogether() throws IOException {
    try (CommitLog log = bench.open(disk, small(SyncMode.BATCH).build())) {
      LogTable first = table(log, FIRST);
      LogTable second = table(log, SECOND);
      byte[] bytes = {'a', 'b', 'c'};
      LogRecord record = new LogRecord();
      record.begin(RecordType.MUTATION).add(first, bytes, 0, 1).add(second, bytes, 1, 2);
      record.add(first, bytes, 3, 0);
      log.append(record);
      log.append(record.begin(RecordType.TRUNCATION).add(second, bytes, 2, 1));
    }
    LogBench.Found found = replay(disk);
    assertThat(found.texts).containsExactly("1:a", "2:bc", "1:", "2!c");
    assertThat(found.positions.get(0)).isEqualTo(found.positions.get(2));
    assertThat(found.log().records()).isEqualTo(2);
    assertThat(found.log().tables()).containsExactly(FIRST, SECOND);
  }

  @Test
  void positionsDivideRecords() throws IOException {
    List<CommitLogPosition> borders = new ArrayList<>();
    try (CommitLog log = bench.open(disk, small(SyncMode.BATCH).build())) {
      LogTable first = table(log, FIRST);
      for (int i = 0; i < 60; i++) {
        borders.add(log.position());
        log.awaitSynced(log.append(record(first, "change " + i)));
      }
      borders.add(log.position());
    }
    LogBench.Found found = replay(disk);
    for (int i = 0; i < 60; i++) {
      assertThat(found.positions.get(i))
          .isGreaterThan(borders.get(i))
          .isLessThan(borders.get(i + 1));
    }
    CommitLogPosition until = borders.get(17);
    LogBench.Found part = replay(disk, ReplayOptions.DEFAULT.upTo(until));
    assertThat(part.texts).isEqualTo(found.texts.subList(0, 17));
    assertThatThrownBy(() -> bench.open(disk, small(SyncMode.BATCH).build(), null, part.log()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in part");
  }

  /** So that a change after it is refused, whichever thread tells the listener, and when. */
  @Test
  void theListenerKnowsOfAFailureBeforeTheCallThatFailsEnds() throws IOException {
    Fault fault = Fault.on(Operation.WRITE).call(2).failsAfterwards("bad disk");
    bench.setExecutors(Runnable::run, never -> {});
    try (CommitLog log =
        bench.open(new FaultyDirectory(disk, 1, fault), small(SyncMode.PERIODIC).build())) {
      LogTable first = table(log, FIRST);
      assertThatThrownBy(() -> log.append(record(first, "a")))
          .isInstanceOf(CommitLogFailedException.class)
          .hasMessageContaining("bad disk");
      assertThat(bench.failing).hasSize(1);
      assertThat(bench.failures).isEmpty();
    }
  }

  @Test
  void aRecordMayBeLargerThanBufferAndSegmentButNotThanItsLimit() throws IOException {
    CommitLogOptions options =
        small(SyncMode.PERIODIC).segmentBytes(1024).maxMutationBytes(4096).build();
    String large = "x".repeat(options.maxMutationBytes() - SegmentFormat.PART_HEAD_BYTES);
    try (CommitLog log = bench.open(disk, options)) {
      LogTable first = table(log, FIRST);
      for (int i = 0; i < 5; i++) {
        log.append(record(first, large));
      }
      assertThatThrownBy(() -> log.append(record(first, large + "x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("4097")
          .hasMessageContaining("4096")
          .hasMessageContaining("max_mutation_size");
      LogTable second = table(log, SECOND);
      assertThatThrownBy(
              () ->
                  log.append(
                      record(first, "x")
                          .add(second, new byte[5000], 0, 5000)
                          .add(first, new byte[4000], 0, 4000)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the largest of 3 changes in " + second);
      assertThatThrownBy(() -> log.append(new LogRecord()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(replay(disk).texts).hasSize(5).containsOnly("1:" + large);
  }

  @Test
  void segmentsAreDeletedOldestFirstWhenNoTableNeedsThem() throws IOException {
    try (CommitLog log = bench.open(disk, small(SyncMode.BATCH).build())) {
      LogTable first = table(log, FIRST);
      LogTable second = table(log, SECOND);
      log.append(record(first, "a"));
      log.startSegment();
      log.append(record(second, "b"));
      CommitLogPosition afterB = log.position();
      log.startSegment();
      log.append(record(first, "c"));
      log.startSegment();
      assertThat(disk.files()).hasSize(4);
      assertThat(log.dirtyTablesOfOldest()).containsExactly(FIRST);

      log.discard(SECOND, afterB);
      assertThat(disk.files()).as("the second is clean, but not the oldest").hasSize(4);
      log.discard(FIRST, afterB);
      assertThat(disk.files()).hasSize(2);
      assertThat(log.segmentCount()).isEqualTo(2);
      assertThat(replay(disk).texts).containsExactly("1:c");
      log.discard(FIRST, log.position());
      assertThat(disk.files()).hasSize(1);
      assertThat(log.dirtyTablesOfOldest()).isEmpty();
    }
    assertThat(replay(disk).texts).isEmpty();
  }

  @Test
  void aChangeBehindTheDiscardedPositionKeepsItsSegment() throws IOException {
    try (CommitLog log = bench.open(disk, small(SyncMode.BATCH).build())) {
      LogTable first = table(log, FIRST);
      log.append(record(first, "a"));
      CommitLogPosition afterA = log.position();
      log.append(record(first, "b"));
      log.startSegment();
      log.discard(FIRST, afterA);
      assertThat(replay(disk).texts).containsExactly("1:a", "1:b");
    }
  }

  @Test
  void whatWasReplayedStaysUntilItIsDiscarded() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).build();
    for (int run = 0; run < 5; run++) {
      try (CommitLog log = bench.open(disk, options)) {
        log.append(record(table(log, FIRST), "run " + run));
      }
    }
    LogBench.Found found = replay(disk);
    assertThat(found.texts).containsExactly("1:run 0", "1:run 1", "1:run 2", "1:run 3", "1:run 4");
    try (CommitLog log = bench.open(disk, options)) {
      assertThat(log.segmentCount()).isEqualTo(6);
      log.discard(FIRST, found.log().end());
      assertThat(log.segmentCount()).isEqualTo(1);
    }
    assertThat(replay(disk).texts).isEmpty();
    assertThat(disk.files()).hasSize(1);
  }

  @Test
  void idsGrowThoughTheClockIsTurnedBack() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).build();
    bench.setClock(5000);
    bench.open(disk, options).close();
    bench.setClock(10);
    bench.open(disk, options).close();
    bench.setClock(9000);
    bench.open(disk, options).close();
    assertThat(disk.files())
        .containsExactly("CommitLog-5000.log", "CommitLog-5001.log", "CommitLog-9000.log");
  }

  @Test
  void theLogIsOpenedOnlyWithAllItsSegmentsReplayed() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).build();
    ReplayedLog nothing = replay(disk).log();
    bench.open(disk, options).close();
    assertThatThrownBy(() -> bench.open(disk, options, null, nothing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000");
  }

  @Test
  void nothingStaysOpenOfALogForWhichThereIsNoThread() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).build();
    ReplayedLog nothing = replay(disk).log();
    ThreadFactory none =
        work ->
            new Thread(work) {
              @Override
              public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
              }
            };
    assertThatThrownBy(() -> bench.open(disk, options, none, nothing))
        .isInstanceOf(OutOfMemoryError.class);
    leaks.requireNothingOpen();
    bench.open(disk, options).close();
  }

  @Test
  void theListenerIsToldWhenTheLogIsTooLarge() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).totalSpaceBytes(3000).build();
    try (CommitLog log = bench.open(disk, options)) {
      LogTable first = table(log, FIRST);
      while (bench.exceeded.isEmpty()) {
        log.append(record(first, "some change"));
      }
      assertThat(log.diskBytes()).isGreaterThan(3000);
      assertThat(bench.exceeded.get(0)).isGreaterThan(3000);
      assertThat(log.dirtyTablesOfOldest()).containsExactly(FIRST);
    }
  }

  @Test
  void aRecordIsHandedToTheSystemBeforeItsAppendReturns() throws IOException {
    CommitLogOptions options =
        CommitLogOptions.builder().segmentBytes(1 << 20).totalSpaceBytes(2 << 20).build();
    try (CommitLog log = bench.open(disk, options)) {
      LogTable first = table(log, FIRST);
      String text = "x".repeat(1000);
      for (int i = 0; i < 100; i++) {
        log.append(record(first, text));
        assertThat(replay(disk).texts).hasSize(i + 1);
      }
      assertThat(log.unsyncedBytes()).isGreaterThan(100_000);
      log.sync();
      assertThat(log.unsyncedBytes()).isZero();
    }
  }

  @Test
  void theHeaderOfATableCountsOnceForARecord() throws IOException {
    CommitLogOptions options = small(SyncMode.BATCH).segmentBytes(8192).build();
    try (CommitLog log = bench.open(disk, options)) {
      // Counted for each part, they would be three times as long as any file can be.
      LogTable wide = log.table(FIRST, "ks.wide", new byte[16 << 20]);
      LogRecord record = new LogRecord().begin(RecordType.MUTATION);
      for (int part = 0; part < 400; part++) {
        record.add(wide, new byte[1], 0, 1);
      }
      log.append(record);
      assertThat(log.diskBytes()).isBetween(16L << 20, 17L << 20);
    }
  }

  @Test
  void afterCloseEverythingIsRefused() throws IOException {
    CommitLog log = bench.open(disk, small(SyncMode.BATCH).build());
    LogTable first = table(log, FIRST);
    long end = log.append(record(first, "a"));
    assertThat(memory.used(MemoryKind.COMMIT_LOG)).isEqualTo(256);
    log.close();
    log.close();
    log.awaitSynced(end);
    assertThat(log.synced(end)).isCompleted();
    assertThat(memory.used(MemoryKind.COMMIT_LOG)).isZero();
    assertThatThrownBy(() -> log.append(record(first, "b")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> log.discard(FIRST, EVERYTHING))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(log::startSegment).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTableOfAnotherLogIsRefused() throws IOException {
    Directory other = leaks.watch(new MemoryDirectory());
    try (CommitLog log = bench.open(disk, small(SyncMode.BATCH).build());
        CommitLog another = bench.open(other, small(SyncMode.BATCH).build())) {
      assertThatThrownBy(() -> log.append(record(table(another, FIRST), "a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another commit log");
    }
  }

  @Test
  void wrongOptionsAreAllReported() {
    CommitLogOptions.Builder wrong =
        CommitLogOptions.builder()
            .period(java.time.Duration.ZERO)
            .groupWindow(java.time.Duration.ofDays(1))
            .segmentBytes(1)
            .maxMutationBytes(1)
            .bufferBytes(1)
            .totalSpaceBytes(1);
    assertThatThrownBy(wrong::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("commitlog_sync_period")
        .hasMessageContaining("commitlog_sync_group_window")
        .hasMessageContaining("commitlog_segment_size")
        .hasMessageContaining("max_mutation_size")
        .hasMessageContaining("buffer")
        .hasMessageContaining("commitlog_total_space");
  }
}
