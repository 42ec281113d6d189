package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writers that wait for memory. */
class MemtablePoolTest {
  private static final TableId TABLE = new TableId("ks", "t", new UUID(1, 2));
  private static final int ALL = 1 << 20;

  /** Nothing can be flushed, but a scan ends. */
  @Test
  void memoryOfOthersEndsTheWaitToo() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtablePool space = space(budget);
      OffHeapBuffer scan = budget.allocate(MemoryKind.READ_AHEAD, ALL);
      AtomicInteger asked = new AtomicInteger();
      try (MemtablePool.Wait wait =
          space.refused(null, new OutOfBudgetException("all is taken"), 0)) {
        wait.await(
            TABLE,
            () -> {
              if (asked.incrementAndGet() == 3) {
                scan.close();
              }
              return false;
            });
      }
      assertThat(asked).hasValue(3);
    }
  }

  /** Between the refusal and the wait. */
  @Test
  void memoryThatIsFreeAlreadyIsNotWaitedFor() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtablePool space = space(budget);
      MemtablePool.Wait wait;
      try (OffHeapBuffer flushed = budget.allocate(MemoryKind.MEMTABLE, ALL)) {
        assertThat(flushed.bytes().capacity()).isEqualTo(ALL);
        wait = space.refused(null, new OutOfBudgetException("all is taken"), 0);
      }
      try (wait) {
        wait.await(TABLE, () -> false);
      }
    }
  }

  /** Between the refusal and anybody's noting it. */
  @Test
  void memoryThatIsFreeBeforeTheRefusalIsNotedIsNotWaitedFor() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtablePool space = space(budget);
      OutOfBudgetException refused;
      try (OffHeapBuffer flushed = budget.allocate(MemoryKind.MEMTABLE, ALL / 4)) {
        assertThat(flushed.bytes().capacity()).isEqualTo(ALL / 4);
        refused =
            catchThrowableOfType(
                OutOfBudgetException.class,
                () -> space.memory().allocate(MemoryKind.MEMTABLE, ALL));
        assertThat(refused.usedBytes()).isEqualTo(ALL / 4);
      }
      try (MemtablePool.Wait wait = space.refused(null, refused, 0)) {
        wait.await(TABLE, () -> false);
      }
    }
  }

  @Test
  void whereNothingIsFreedTheWriterIsToldInTheEnd() {
    try (PooledMemory budget = PooledMemory.withLimit(ALL);
        OffHeapBuffer scan = budget.allocate(MemoryKind.READ_AHEAD, ALL)) {
      assertThat(scan.bytes().capacity()).isEqualTo(ALL);
      MemtablePool space = space(budget);
      OutOfBudgetException refused = new OutOfBudgetException("all is taken");
      try (MemtablePool.Wait wait = space.refused(null, refused, 1)) {
        assertThatThrownBy(() -> wait.await(TABLE, () -> false)).isSameAs(refused);
      }
    }
  }

  /** What it is refused for is not what it waits for, or others are always faster. */
  @Test
  void aWriteThatIsRefusedAgainAndAgainIsToldInTheEnd() {
    try (PooledMemory budget = PooledMemory.withLimit(8 * ALL)) {
      MemtablePool space = space(budget);
      OutOfBudgetException refused = new OutOfBudgetException("the JVM has no more");
      try (MemtablePool.Wait wait = space.refused(null, refused, 1)) {
        assertThatThrownBy(
                () -> {
                  while (true) {
                    wait.await(TABLE, () -> false);
                    assertThat(space.refused(wait, refused, 1)).isSameAs(wait);
                  }
                })
            .isSameAs(refused);
      }
      assertThat(space.isTaken()).isFalse();
    }
  }

  @Test
  void othersLetAWritePassThatWasRefusedTwice() throws Exception {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtablePool space = space(budget);
      OutOfBudgetException refused = new OutOfBudgetException("all is taken");
      MemtablePool.Wait first = space.refused(null, refused, 1);
      assertThat(space.isTaken()).isFalse();
      assertThat(space.refused(first, refused, 1)).isSameAs(first);
      assertThat(space.isTaken()).isTrue();
      // Its own thread does not wait for itself, as a listener that writes.
      space.awaitTurn(null);
      Thread other = new Thread(() -> space.awaitTurn(null));
      other.start();
      while (other.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      first.close();
      other.join();
    }
  }

  @Test
  void whatCanNeverFitIsRefusedWithTheSizes() {
    try (PooledMemory budget = PooledMemory.withLimit(4 * ALL);
        OffHeapBuffer log = budget.allocate(MemoryKind.COMMIT_LOG, ALL)) {
      assertThat(log.bytes().capacity()).isEqualTo(ALL);
      MemtablePool space = space(budget);
      space.requirePossible(2 * ALL);
      assertThatThrownBy(() -> space.requirePossible(2 * ALL + 1))
          .isInstanceOf(OutOfBudgetException.class)
          .hasMessageContaining("2097153 bytes")
          .hasMessageContaining("at most 2097152")
          .hasMessageContaining("4194304 bytes of memoryBytes");
    }
  }

  private static MemtablePool space(PooledMemory budget) {
    return new MemtablePool(ALL / 2, budget, GuardedListener.of(new EngineListener() {}));
  }
}
