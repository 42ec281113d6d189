package io.siltstone.offheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PooledMemoryTest {

  @Test
  void theLimitHoldsToTheByte() {
    try (PooledMemory memory = PooledMemory.withLimit(1000);
        OffHeapBuffer first = memory.allocate(MemoryKind.MEMTABLE, 600)) {
      assertThat(first.capacity()).isEqualTo(600);
      assertThatExceptionOfType(OutOfBudgetException.class)
          .isThrownBy(() -> memory.allocate(MemoryKind.BLOOM_FILTER, 401))
          .withMessageContainingAll("BLOOM_FILTER", "401", "600", "1000", "MEMTABLE 600");
      assertThat(memory.used()).isEqualTo(600);
      assertThat(memory.used(MemoryKind.BLOOM_FILTER)).isZero();
      try (OffHeapBuffer rest = memory.allocate(MemoryKind.BLOOM_FILTER, 400)) {
        assertThat(rest.capacity()).isEqualTo(400);
        assertThat(memory.used()).isEqualTo(memory.limit()).isEqualTo(1000);
        assertThatExceptionOfType(OutOfBudgetException.class)
            .isThrownBy(() -> memory.allocate(MemoryKind.MEMTABLE, 1));
      }
      try (OffHeapBuffer again = memory.allocate(MemoryKind.MEMTABLE, 400)) {
        assertThat(again.capacity()).isEqualTo(400);
      }
    }
  }

  @Test
  void eachKindIsCountedApart() {
    try (PooledMemory memory = PooledMemory.unlimited()) {
      List<OffHeapBuffer> buffers = new ArrayList<>();
      int sum = 0;
      for (MemoryKind kind : MemoryKind.values()) {
        int bytes = 100 * (buffers.size() + 1);
        buffers.add(memory.allocate(kind, bytes));
        sum += bytes;
        assertThat(memory.used(kind)).isEqualTo(bytes);
        assertThat(memory.used()).isEqualTo(sum);
      }
      buffers.get(2).close();
      assertThat(memory.used(MemoryKind.BLOOM_FILTER)).isZero();
      assertThat(memory.used(MemoryKind.INDEX_SUMMARY)).isEqualTo(400);
      assertThat(memory.used()).isEqualTo(sum - 300);
      buffers.forEach(OffHeapBuffer::close);
      assertThat(memory.used()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64, 128, 512, 4096, 65_536, 1 << 20})
  void addressesAreAligned(int alignment) {
    try (PooledMemory memory = PooledMemory.unlimited()) {
      for (int bytes : new int[] {1, 100, 4096, 262_144, 9_000_001}) {
        try (OffHeapBuffer first = memory.allocateAligned(MemoryKind.READ_AHEAD, bytes, alignment);
            OffHeapBuffer next = memory.allocateAligned(MemoryKind.READ_AHEAD, bytes, alignment)) {
          for (OffHeapBuffer buffer : List.of(first, next)) {
            ByteBuffer view = buffer.bytes();
            assertThat(view.alignmentOffset(0, alignment)).isZero();
            assertThat(view.capacity()).isEqualTo(bytes).isEqualTo(buffer.capacity());
          }
          // What is counted is what is taken, so that a limit in bytes holds with alignment too.
          assertThat(memory.used()).isBetween(2L * bytes, 2L * (bytes + alignment));
        }
      }
    }
  }

  @Test
  void aViewIsTheWholeBufferBigEndian() {
    try (PooledMemory memory = PooledMemory.unlimited();
        OffHeapBuffer buffer = memory.allocate(MemoryKind.MEMTABLE, 100)) {
      ByteBuffer view = buffer.bytes();
      assertThat(view.isDirect()).isTrue();
      assertThat(view.position()).isZero();
      assertThat(view.limit()).isEqualTo(100);
      assertThat(view.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
      view.position(10).putInt(0x01020304);
      ByteBuffer other = buffer.bytes();
      assertThat(other.position()).isZero();
      assertThat(other.get(10)).isEqualTo((byte) 1);
    }
  }

  @Test
  void buffersDoNotOverlap() {
    Random random = new Random(1);
    try (PooledMemory memory = PooledMemory.unlimited()) {
      List<OffHeapBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        OffHeapBuffer buffer =
            memory.allocateAligned(
                MemoryKind.CHUNK_CACHE, 1 + random.nextInt(20_000), 1 << random.nextInt(13));
        fill(buffer, i);
        buffers.add(buffer);
        if (random.nextInt(3) == 0) {
          int which = random.nextInt(buffers.size());
          buffers.get(which).close();
          OffHeapBuffer fresh = memory.allocate(MemoryKind.MEMTABLE, 1 + random.nextInt(9_000));
          fill(fresh, which);
          buffers.set(which, fresh);
        }
      }
      for (int i = 0; i < buffers.size(); i++) {
        ByteBuffer view = buffers.get(i).bytes();
        while (view.hasRemaining()) {
          assertThat(view.get()).as("buffer %d", i).isEqualTo((byte) i);
        }
      }
      buffers.forEach(OffHeapBuffer::close);
    }
  }

  private static void fill(OffHeapBuffer buffer, int value) {
    ByteBuffer view = buffer.bytes();
    while (view.hasRemaining()) {
      view.put((byte) value);
    }
  }

  @Test
  void closingABufferTwiceGivesItBackOnce() {
    try (PooledMemory memory = PooledMemory.unlimited();
        OffHeapBuffer kept = memory.allocate(MemoryKind.MEMTABLE, 50)) {
      OffHeapBuffer buffer = memory.allocate(MemoryKind.MEMTABLE, 100);
      buffer.close();
      buffer.close();
      assertThat(memory.used()).isEqualTo(kept.capacity());
      assertThat(memory.used(MemoryKind.MEMTABLE)).isEqualTo(50);
    }
  }

  @Test
  void aClosedBufferGivesNoBytes() {
    try (PooledMemory memory = PooledMemory.unlimited()) {
      OffHeapBuffer buffer = memory.allocate(MemoryKind.INDEX_SUMMARY, 100);
      buffer.close();
      assertThatIllegalStateException()
          .isThrownBy(buffer::bytes)
          .withMessageContaining("INDEX_SUMMARY");
      assertThat(buffer).hasToString("INDEX_SUMMARY buffer of 100 bytes, closed");
    }
  }

  @Test
  void closingWithBuffersInUseNamesTheirKinds() {
    PooledMemory memory = PooledMemory.unlimited();
    OffHeapBuffer filter = memory.allocate(MemoryKind.BLOOM_FILTER, 100);
    OffHeapBuffer arena = memory.allocate(MemoryKind.MEMTABLE, 5000);
    assertThatIllegalStateException()
        .isThrownBy(memory::close)
        .withMessageContainingAll("BLOOM_FILTER 100", "MEMTABLE 5000")
        .withMessageNotContaining("CHUNK_CACHE");
    memory.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> memory.allocate(MemoryKind.MEMTABLE, 1))
        .withMessageContaining("closed");
    // Who still has one may use it and give it back.
    fill(filter, 1);
    filter.close();
    arena.close();
    assertThat(memory.used()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void sizesBelowOneAreRefused(int bytes) {
    try (PooledMemory memory = PooledMemory.unlimited()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.allocate(MemoryKind.MEMTABLE, bytes))
          .withMessageContaining(Integer.toString(bytes));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PooledMemory.withLimit(bytes))
          .withMessageContaining(Integer.toString(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 3, 513, 1 << 21, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void alignmentsOtherThanPowersOfTwoAreRefused(int alignment) {
    try (PooledMemory memory = PooledMemory.unlimited()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> memory.allocateAligned(MemoryKind.MEMTABLE, 10, alignment))
          .withMessageContaining(Integer.toString(alignment))
          .withMessageContaining("1048576");
      assertThat(memory.used()).isZero();
    }
  }

  @Test
  void manyThreadsNeverExceedTheLimitAndLoseNothing() throws Exception {
    long limit = 200_000;
    try (PooledMemory memory = PooledMemory.withLimit(limit)) {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
          int seed = thread;
          running.add(threads.submit(() -> churn(memory, seed)));
        }
        for (Future<?> one : running) {
          one.get();
        }
      } finally {
        threads.shutdownNow();
      }
      assertThat(memory.used()).isZero();
      for (MemoryKind kind : MemoryKind.values()) {
        assertThat(memory.used(kind)).isZero();
      }
    }
  }

  private static int churn(PooledMemory memory, int seed) {
    Random random = new Random(seed);
    List<OffHeapBuffer> mine = new ArrayList<>();
    MemoryKind[] kinds = MemoryKind.values();
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      if (!mine.isEmpty() && random.nextInt(5) < 2) {
        OffHeapBuffer buffer = mine.remove(random.nextInt(mine.size()));
        assertThat(buffer.bytes().get(0)).isEqualTo((byte) seed);
        buffer.close();
      } else {
        try {
          OffHeapBuffer buffer =
              memory.allocate(kinds[random.nextInt(kinds.length)], 1 + random.nextInt(5_000));
          buffer.bytes().put(0, (byte) seed);
          mine.add(buffer);
        } catch (OutOfBudgetException e) {
          refused++;
        }
      }
      assertThat(memory.used()).isBetween(0L, memory.limit());
    }
    mine.forEach(OffHeapBuffer::close);
    return refused;
  }

  @Test
  void whatTheJvmRefusesNamesItsOption() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=8m",
                "-cp",
                classPath(),
                Greedy.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("MEMTABLE asks for 1048576", "-XX:MaxDirectMemorySize", "BLOOM_FILTER 1000000")
        .contains("allowed 8388608");
  }

  private static String classPath() {
    if (PooledMemoryTest.class.getClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  /** Asks for more than its JVM allows, and says what it is told. */
  static final class Greedy {
    public static void main(String[] args) {
      try (PooledMemory memory = PooledMemory.unlimited()) {
        List<OffHeapBuffer> buffers = new ArrayList<>();
        buffers.add(memory.allocate(MemoryKind.BLOOM_FILTER, 1_000_000));
        try {
          while (buffers.size() < 100) {
            buffers.add(memory.allocate(MemoryKind.MEMTABLE, 1 << 20));
          }
        } catch (OutOfBudgetException e) {
          System.out.println(e.getMessage());
          System.out.println("allowed " + PooledMemory.allowedByJvm());
        }
        // Nothing of what was refused is counted: else closing it would fail.
        buffers.forEach(OffHeapBuffer::close);
      }
    }
  }
}
