package io.siltstone.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.DataObserver;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.WriteBehindRing;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing behind makes the same files, tells every failure, and leaves nothing. */
class WriteBehindTest {
  private static final long SEED = Long.getLong("siltstone.seed", 4);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static Random random(long seed) {
    return new Random(new SplittableRandom(SEED * 1000 + seed).nextLong());
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void filesAndSizesToldAreTheSame(TestExecutor.Kind kind) throws IOException {
    for (long seed = 0; seed < 12L * Integer.getInteger("siltstone.scale", 1); seed++) {
      TestFile made = TestFile.random(random(seed), 1 << (10 + random(seed + 500).nextInt(13)));
      String what = kind + ", seed " + SEED + "/" + seed + ": " + made;
      MemoryDirectory expected = new MemoryDirectory();
      List<Long> sizes = made.write(expected, memory, null, random(seed + 100));
      Directory directory = leaks.watch(new MemoryDirectory());
      try (TestExecutor executor = new TestExecutor(kind, seed)) {
        assertThat(made.write(directory, memory, executor, random(seed + 100)))
            .as(what)
            .isEqualTo(sizes);
        assertThat(executor.mostWaiting())
            .as(what)
            .isLessThanOrEqualTo(WriteBehindRing.BATCHES + 1);
      }
      for (String name : new String[] {TestFile.DATA, TestFile.INFO}) {
        assertThat(TestFile.stored(directory, name))
            .as(what)
            .isEqualTo(TestFile.stored(expected, name));
      }
    }
  }

  @Test
  void theSizeToldIsNearTheSizeThatWillBe() throws IOException {
    TestFile made =
        new TestFile(CompressionOptions.DEFAULT, TestFile.content(random(1), 6_000_000));
    List<Long> sizes = made.write(new MemoryDirectory(), memory, null, random(2));
    long last = sizes.get(sizes.size() - 3);
    long exact = sizes.get(sizes.size() - 2);
    assertThat((double) last / exact).isBetween(0.9, 1.1);
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void directIoMakesTheSameFile(TestExecutor.Kind kind, @TempDir Path folder) throws IOException {
    TestFile made =
        new TestFile(CompressionOptions.DEFAULT, TestFile.content(random(1), 5_000_001));
    MemoryDirectory expected = new MemoryDirectory();
    made.write(expected, memory, null, random(2));
    Directory direct =
        leaks.watch(NioDirectory.open(folder, NioOptions.DEFAULT.withDirectIo(true, true)));
    try (TestExecutor executor = new TestExecutor(kind, 1)) {
      made.write(direct, memory, executor, random(2));
    }
    assertThat(TestFile.stored(direct, TestFile.DATA))
        .isEqualTo(TestFile.stored(expected, TestFile.DATA));
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void eachCallMayFailAndTheWriterIsToldWhy(TestExecutor.Kind kind) throws IOException {
    Random random = random(3);
    TestFile made = new TestFile(CompressionOptions.DEFAULT, TestFile.content(random, 3_000_000));
    for (int call = 1; ; call++) {
      Fault fault =
          Fault.on(Operation.CREATE, Operation.WRITE, Operation.SYNC)
              .call(call)
              .fails("Input/output error");
      Directory directory = leaks.watch(new FaultyDirectory(new MemoryDirectory(), call, fault));
      IOException seen = null;
      try (TestExecutor executor = new TestExecutor(kind, call);
          ChunkWriter writer = made.writer(directory, memory, executor)) {
        made.write(writer, random, new ArrayList<>());
        writer.finish();
      } catch (IOException e) {
        seen = e;
      }
      if (fault.fired() == 0) {
        assertThat(seen).isNull();
        assertThat(call).isGreaterThan(10);
        return;
      }
      assertThat(seen).as("call %d", call).hasMessageContaining("Input/output error");
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void afterAFailureEveryCallTellsIt(TestExecutor.Kind kind) throws IOException {
    TestFile made =
        new TestFile(CompressionOptions.DEFAULT, TestFile.content(random(4), 3_000_000));
    Fault full = Fault.on(Operation.WRITE).files("*-Data.db").noSpaceAfter(500_000);
    Directory directory = leaks.watch(new FaultyDirectory(new MemoryDirectory(), 1, full));
    try (TestExecutor executor = new TestExecutor(kind, 1);
        ChunkWriter writer = made.writer(directory, memory, executor)) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> made.write(writer, random(5), new ArrayList<>()))
            .hasMessageContaining(Fault.NO_SPACE);
      }
      assertThatThrownBy(writer::finish).hasMessageContaining(Fault.NO_SPACE);
      assertThatThrownBy(writer::digest).isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void closedAnywhereItLeavesNothing(TestExecutor.Kind kind) throws IOException {
    for (int bytes : new int[] {0, 1, 100_000, 262_144, 262_145, 700_000, 3_000_000}) {
      TestFile made = new TestFile(CompressionOptions.DEFAULT, new byte[bytes]);
      Directory directory = leaks.watch(new MemoryDirectory());
      try (TestExecutor executor = new TestExecutor(kind, 1)) {
        ChunkWriter writer = made.writer(directory, memory, executor);
        made.write(writer, random(6), new ArrayList<>());
        writer.close();
        long length = directory.length(TestFile.DATA);
        writer.close();
        assertThatThrownBy(() -> writer.write(new byte[300_000], 0, 300_000))
            .isInstanceOf(IllegalStateException.class);
        assertThat(directory.length(TestFile.DATA)).isEqualTo(length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TestExecutor.Kind.class)
  void whatIsWrittenIsSyncedNowAndThen(TestExecutor.Kind kind) throws IOException {
    CountingDirectory counting = new CountingDirectory(new MemoryDirectory());
    byte[] part = new byte[1 << 20];
    try (TestExecutor executor = new TestExecutor(kind, 1);
        ChunkWriter writer =
            new TestFile(CompressionOptions.NONE, part).writer(counting, memory, executor)) {
      for (int i = 0; i < 200; i++) {
        writer.write(part, 0, part.length);
      }
      long before = counting.count(Operation.SYNC, "*-Data.db");
      writer.finish();
      long all = counting.count(Operation.SYNC, "*-Data.db");
      // At the least every 64 MiB, at the most every 16 MiB; and at the end.
      assertThat(before).isBetween(2L, 12L);
      // One that was running, one of what was not stored yet, and the one at the end.
      assertThat(all).isBetween(before + 1, before + 3);
    }
  }

  /** The threads that compress must not be kept from it by the disk. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void syncsAreForOthersThanWhoCompress(boolean isByTheWriter) throws IOException {
    CountingDirectory counting = new CountingDirectory(new MemoryDirectory());
    byte[] part = new byte[1 << 20];
    Queue<Runnable> syncs = new ArrayDeque<>();
    try (ChunkWriter writer =
        ChunkWriter.create(
            counting,
            TestFile.DATA,
            TestFile.INFO,
            CompressionOptions.NONE,
            memory,
            WriteIntent.COMPACTION,
            new PipelineExecutors(isByTheWriter ? null : Runnable::run, syncs::add),
            DataObserver.NONE)) {
      for (int i = 0; i < 40; i++) {
        writer.write(part, 0, part.length);
      }
      assertThat(counting.count(Operation.SYNC, "*-Data.db")).isZero();
      assertThat(syncs).hasSize(1);
      syncs.remove().run();
      assertThat(counting.count(Operation.SYNC, "*-Data.db")).isOne();
    }
  }

  @Test
  void allocatesNothingPerWriteOrChunk(@TempDir Path folder) throws IOException {
    Directory directory = NioDirectory.open(folder);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] part = TestFile.content(random(7), 1000);
    CompressionOptions options = CompressionOptions.DEFAULT.withChunkLengthInKb(4);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      // Inline: what the executor's threads would allocate counts as well.
      try (ChunkWriter writer =
          new TestFile(options, part).writer(directory, memory, Runnable::run)) {
        // 4,150 chunks: more than offsets are gathered before they go off-heap.
        for (int i = 0; i < 17_000; i++) {
          writer.write(part, 0, part.length);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 12_000; i++) {
          writer.write(part, 0, part.length);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      directory.delete(TestFile.DATA);
    }
    // 2,900 chunks.
    assertThat(least).isLessThan(30_000);
  }
}
