package io.siltstone.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading ahead shows what reading shows, whatever executor, file, fault or damage. */
class ReadAheadTest {
  private static final long SEED = Long.getLong("siltstone.seed", 4);
  private static final int READ_AHEAD = SequentialAccess.DEFAULT_READ_AHEAD_BYTES;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static Random random(long seed) {
    return new Random(new SplittableRandom(SEED * 1000 + seed).nextLong());
  }

  private static byte[] readAll(ChunkSource source, int from, int to) throws IOException {
    byte[] result = new byte[to - from];
    for (int at = from; at < to; ) {
      at += source.read(at, result, at - from, to - at);
    }
    return result;
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void showsTheSameBytesHoweverOneMoves(TestExecutor.Kind kind) throws IOException {
    for (long seed = 0; seed < 12L * Integer.getInteger("siltstone.scale", 1); seed++) {
      Random random = random(seed);
      TestFile made = TestFile.random(random, 1 << (10 + random.nextInt(13)));
      Directory directory = leaks.watch(new MemoryDirectory());
      made.write(directory, memory, null, random);
      String what = kind + ", seed " + SEED + "/" + seed + ": " + made;
      try (TestExecutor executor = new TestExecutor(kind, seed);
          ChunkedFile file = made.open(directory, memory)) {
        for (int i = 0; i < 4; i++) {
          walk(file, made.data(), executor, random, what);
        }
        assertThat(executor.mostWaiting()).as(what).isLessThanOrEqualTo(4);
      }
    }
  }

  /** Mostly forward, by parts of all sizes, with leaps both ways, and not always to the end. */
  private static void walk(
      ChunkedFile file, byte[] data, TestExecutor executor, Random random, String what)
      throws IOException {
    int from = random.nextInt(data.length + 1);
    int to = from + random.nextInt(data.length - from + 1);
    int[] readAheads = {0, 4096, 100_000, READ_AHEAD};
    SequentialAccess access =
        (random.nextBoolean() ? SequentialAccess.SCAN : SequentialAccess.COMPACTION)
            .withReadAheadBytes(readAheads[random.nextInt(readAheads.length)])
            .withAhead(executor);
    byte[] dst = new byte[1 << random.nextInt(20)];
    int calls = 1 + random.nextInt(2000);
    try (ChunkSource source = file.openSequential(access, from, to)) {
      int at = from;
      while (at < to && calls-- > 0) {
        int count = source.read(at, dst, 0, Math.min(dst.length, to - at));
        assertThat(count).as(what).isPositive();
        assertThat(Arrays.mismatch(dst, 0, count, data, at, at + count))
            .as("%s, %d..%d by %s at %d", what, from, to, access, at)
            .isEqualTo(-1);
        at += count;
        if (random.nextInt(50) == 0) {
          at = random.nextInt(data.length);
        } else if (random.nextInt(20) == 0) {
          at = Math.min(data.length, at + random.nextInt(700_000));
        }
      }
      assertThat(source.read(data.length, dst, 0, 1)).as(what).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void manyFilesAtOnceNeedNoMoreThreadsThanThereAre(TestExecutor.Kind kind) throws IOException {
    Random random = random(1);
    List<TestFile> made = new ArrayList<>();
    List<ChunkedFile> files = new ArrayList<>();
    List<ChunkSource> sources = new ArrayList<>();
    int[] at = new int[8];
    try (TestExecutor executor = new TestExecutor(kind, 1)) {
      for (int i = 0; i < at.length; i++) {
        TestFile one =
            new TestFile(
                CompressionOptions.DEFAULT.withChunkLengthInKb(16),
                TestFile.content(random, 1_500_000 + random.nextInt(100_000)));
        Directory directory = leaks.watch(new MemoryDirectory());
        one.write(directory, memory, null, random);
        made.add(one);
        files.add(one.open(directory, memory));
        sources.add(
            files
                .get(i)
                .openSequential(
                    SequentialAccess.COMPACTION.withAhead(executor), 0, one.data().length));
      }
      byte[] dst = new byte[100_000];
      for (int left = at.length; left > 0; ) {
        int i = random.nextInt(at.length);
        byte[] data = made.get(i).data();
        if (at[i] < data.length) {
          int count = sources.get(i).read(at[i], dst, 0, 1 + random.nextInt(dst.length));
          assertThat(Arrays.mismatch(dst, 0, count, data, at[i], at[i] + count)).isEqualTo(-1);
          at[i] += count;
          left -= at[i] == data.length ? 1 : 0;
        }
      }
      for (int i = 0; i < at.length; i++) {
        sources.get(i).close();
        files.get(i).close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void damageIsToldWhereItIsAndNotBefore(TestExecutor.Kind kind) throws IOException {
    Random random = random(2);
    TestFile made =
        new TestFile(
            CompressionOptions.DEFAULT.withChunkLengthInKb(16),
            TestFile.content(random, 2_000_000));
    MemoryDirectory whole = new MemoryDirectory();
    made.write(whole, memory, null, random);
    byte[] stored = TestFile.stored(whole, TestFile.DATA);
    for (int round = 0; round < 12; round++) {
      byte[] damaged = stored.clone();
      damaged[random.nextInt(stored.length)] ^= 0x10;
      Directory directory = leaks.watch(copyOf(damaged, whole));
      try (TestExecutor executor = new TestExecutor(kind, round);
          ChunkedFile file = made.open(directory, memory)) {
        byte[] dst = new byte[16 * 1024];
        int good = 0;
        String message = "";
        long offset = -1;
        try (ChunkSource plain = file.openSequential(SequentialAccess.SCAN, 0, 2_000_000)) {
          while (good < 2_000_000) {
            good += plain.read(good, dst, 0, dst.length);
          }
        } catch (CorruptFileException e) {
          message = String.valueOf(e.getMessage());
          offset = e.offset();
        }
        checkAhead(file, executor, made.data(), good, message, offset);
      }
    }
  }

  private static void checkAhead(
      ChunkedFile file, TestExecutor executor, byte[] data, int good, String message, long offset)
      throws IOException {
    byte[] dst = new byte[16 * 1024];
    try (ChunkSource ahead =
        file.openSequential(SequentialAccess.SCAN.withAhead(executor), 0, 2_000_000)) {
      assertThat(readAll(ahead, 0, good)).isEqualTo(Arrays.copyOf(data, good));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> ahead.read(good, dst, 0, dst.length))
            .isInstanceOf(CorruptFileException.class)
            .hasMessage(message)
            .matches(e -> ((CorruptFileException) e).offset() == offset);
      }
      // What lies behind can be had.
      int behind = good + 16 * 1024;
      if (behind < 2_000_000) {
        assertThat(readAll(ahead, behind, 2_000_000))
            .isEqualTo(Arrays.copyOfRange(data, behind, 2_000_000));
      }
    }
  }

  private static Directory copyOf(byte[] data, Directory other) throws IOException {
    MemoryDirectory copy = new MemoryDirectory();
    for (String name : new String[] {TestFile.DATA, TestFile.INFO}) {
      try (WritableFile file = copy.create(name, WriteIntent.OTHER)) {
        file.write(
            ByteBuffer.wrap(name.equals(TestFile.DATA) ? data : TestFile.stored(other, name)));
      }
    }
    return copy;
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void eachReadMayFailAndNothingIsLeft(TestExecutor.Kind kind) throws IOException {
    Random random = random(3);
    TestFile made =
        new TestFile(
            CompressionOptions.DEFAULT.withChunkLengthInKb(16),
            TestFile.content(random, 3_000_000));
    MemoryDirectory disk = new MemoryDirectory();
    made.write(disk, memory, null, random);
    for (int call = 1; ; call++) {
      Fault fault =
          Fault.on(Operation.READ).files("*-Data.db").call(call).fails("Input/output error");
      Directory directory = leaks.watch(new FaultyDirectory(disk, call, fault));
      int at = 0;
      byte[] dst = new byte[16 * 1024];
      IOException seen = null;
      try (TestExecutor executor = new TestExecutor(kind, call);
          ChunkedFile file = made.open(directory, memory);
          ChunkSource source =
              file.openSequential(
                  SequentialAccess.SCAN.withAhead(executor), 0, made.data().length)) {
        try {
          while (at < made.data().length) {
            int count = source.read(at, dst, 0, dst.length);
            assertThat(Arrays.mismatch(dst, 0, count, made.data(), at, at + count)).isEqualTo(-1);
            at += count;
          }
        } catch (IOException e) {
          seen = e;
        }
      }
      if (fault.fired() == 0) {
        assertThat(seen).isNull();
        assertThat(call).isGreaterThan(3);
        return;
      }
      assertThat(seen).as("call %d", call).hasMessageContaining("Input/output error");
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void readsTheFileInTheSameLargePieces(TestExecutor.Kind kind) throws IOException {
    Random random = random(4);
    TestFile made = new TestFile(CompressionOptions.DEFAULT, TestFile.content(random, 5_000_000));
    CountingDirectory counting = new CountingDirectory(new MemoryDirectory());
    made.write(counting, memory, null, random);
    try (TestExecutor executor = new TestExecutor(kind, 5);
        ChunkedFile file = made.open(counting, memory)) {
      counting.reset();
      try (ChunkSource source =
          file.openSequential(SequentialAccess.SCAN.withAhead(executor), 0, made.data().length)) {
        assertThat(readAll(source, 0, made.data().length)).isEqualTo(made.data());
        assertThat(source.reads().bytes()).isEqualTo(file.onDiskLength());
      }
      assertThat(counting.count(Operation.READ))
          .isLessThanOrEqualTo(file.onDiskLength() / READ_AHEAD + 3);
      assertThat(counting.bytes(Operation.READ)).isEqualTo(file.onDiskLength());
    }
  }

  @Test
  void closingWaitsForWhatRunsAndNothingIsReadAfterwards() throws Exception {
    Random random = random(5);
    TestFile made = new TestFile(CompressionOptions.DEFAULT, TestFile.content(random, 3_000_000));
    Directory directory = leaks.watch(new MemoryDirectory());
    made.write(directory, memory, null, random);
    Thread reader = Thread.currentThread();
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean isClosed = new AtomicBoolean();
    AtomicBoolean wasReadAfterClose = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (TestExecutor executor = new TestExecutor(TestExecutor.Kind.ONE_THREAD, 1);
        ChunkedFile file = made.open(directory, memory)) {
      ChunkSource source =
          file.openSequential(
              SequentialAccess.SCAN
                  .withReadAheadBytes(0)
                  .withAhead(executor)
                  .withThrottle(
                      bytes -> {
                        if (Thread.currentThread() != reader) {
                          reading.countDown();
                          awaitQuietly(release);
                        }
                        wasReadAfterClose.compareAndSet(false, isClosed.get());
                        return bytes;
                      }),
              0,
              made.data().length);
      source.read(0, new byte[100], 0, 100);
      reading.await();
      Thread closer =
          new Thread(
              () -> {
                try {
                  source.close();
                  isClosed.set(true);
                } catch (IOException e) {
                  failure.set(e);
                }
              });
      closer.start();
      while (closer.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      release.countDown();
      closer.join();
      assertThat(failure).hasNullValue();
      assertThat(memory.used(MemoryKind.READ_AHEAD)).isZero();
      assertThatThrownBy(() -> source.read(2_000_000, new byte[100], 0, 100))
          .isInstanceOf(ClosedChannelException.class);
      source.close();
    }
    assertThat(wasReadAfterClose).isFalse();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void allocatesNothingPerChunk() throws IOException {
    Random random = random(6);
    TestFile made =
        new TestFile(
            CompressionOptions.DEFAULT.withChunkLengthInKb(4),
            TestFile.content(random, 16_000_000));
    MemoryDirectory directory = new MemoryDirectory();
    made.write(directory, memory, null, random);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] dst = new byte[128 * 1024];
    try (ChunkedFile file = made.open(directory, memory)) {
      long least = Long.MAX_VALUE;
      // Inline: what the executor's threads would allocate counts as well.
      SequentialAccess access = SequentialAccess.COMPACTION.withAhead(Runnable::run);
      for (int round = 0; round < 5; round++) {
        try (ChunkSource source = file.openSequential(access, 0, made.data().length)) {
          int at = 0;
          while (at < 2_000_000) {
            at += source.read(at, dst, 0, dst.length);
          }
          long before = threads.getCurrentThreadAllocatedBytes();
          while (at < made.data().length) {
            at += source.read(at, dst, 0, dst.length);
          }
          least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
      }
      // 3,400 chunks.
      assertThat(least).isLessThan(30_000);
    }
  }
}
