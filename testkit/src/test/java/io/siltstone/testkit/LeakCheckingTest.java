package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.offheap.PooledMemory;
import java.io.Closeable;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakChecking.class)
class LeakCheckingTest {
  private final LeakChecking leaks = new LeakChecking();

  @Test
  void nothingOpenIsNoFailure() throws IOException {
    Directory disk = leaks.watch(new MemoryDirectory());
    Files.write(disk.directory("child"), "file", new byte[1], true);
    disk.lock("LOCK").close();
    leaks.memory().allocate(MemoryKind.MEMTABLE, 10).close();
    leaks.requireNothingOpen();
  }

  @Test
  void aLeakedBufferIsNamedWithItsOpenerAndGivenBack() {
    PooledMemory pool = PooledMemory.unlimited();
    OffHeapBuffer leaked = leaks.watch(pool).allocateAligned(MemoryKind.READ_AHEAD, 4096, 512);
    assertThat(leaked.capacity()).isEqualTo(4096);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(leaks::requireNothingOpen)
        .withMessageContaining("1 left open:")
        .withMessageContaining("READ_AHEAD buffer of 4096 bytes")
        .withMessageContaining("opened at")
        .withMessageContaining("aLeakedBufferIsNamedWithItsOpenerAndGivenBack")
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining("READ_AHEAD")
                    .hasStackTraceContaining("aLeakedBufferIsNamedWithItsOpenerAndGivenBack"));
    assertThat(pool.used()).isZero();
    leaks.requireNothingOpen();
  }

  @Test
  void leakedFilesAndLocksAreNamedAndClosed() throws IOException {
    MemoryDirectory inner = new MemoryDirectory();
    Directory child = leaks.watch(inner).directory("child");
    WritableFile writer = child.create("file", WriteIntent.LOG);
    ReadableFile reader = child.open("file", ReadIntent.SCAN);
    Closeable lock = child.lock("LOCK");
    assertThat(lock).isNotNull();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(leaks::requireNothingOpen)
        .withMessageContaining("3 left open:")
        .withMessageContaining("writer of " + writer.path() + ", opened at")
        .withMessageContaining("reader of " + reader.path() + ", opened at")
        .withMessageContaining("lock memory:/child")
        .withMessageContaining("leakedFilesAndLocksAreNamedAndClosed");
    inner.directory("child").lock("LOCK").close();
    leaks.requireNothingOpen();
  }

  @Test
  void theLimitOfABudgetHolds() {
    MemoryBudget memory = leaks.memory(100);
    assertThat(memory.limit()).isEqualTo(100);
    try (OffHeapBuffer buffer = memory.allocate(MemoryKind.MEMTABLE, 90)) {
      assertThat(buffer.bytes().capacity()).isEqualTo(90);
      assertThat(memory.used()).isEqualTo(memory.used(MemoryKind.MEMTABLE)).isEqualTo(90);
      assertThatExceptionOfType(OutOfBudgetException.class)
          .isThrownBy(() -> memory.allocate(MemoryKind.MEMTABLE, 11));
    }
    memory.close();
  }

  @Test
  void aTestIsGivenABudget(MemoryBudget memory) {
    try (OffHeapBuffer buffer = memory.allocate(MemoryKind.CHUNK_CACHE, 10)) {
      assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isEqualTo(buffer.capacity());
    }
  }
}
