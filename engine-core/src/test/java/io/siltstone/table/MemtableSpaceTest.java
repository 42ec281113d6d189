package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.siltstone.event.EngineListener;
import io.siltstone.event.GuardedListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OffHeapBuffer;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.memory.PooledMemory;
import io.siltstone.schema.TableId;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Writers that wait for memory. */
class MemtableSpaceTest {
  private static final TableId TABLE = new TableId("ks", "t", new UUID(1, 2));
  private static final int ALL = 1 << 20;

  /** Nothing can be flushed, but a scan ends. */
  @Test
  void memoryOfOthersEndsTheWaitToo() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtableSpace space = space(budget);
      OffHeapBuffer scan = budget.allocate(MemoryKind.READ_AHEAD, ALL);
      AtomicInteger asked = new AtomicInteger();
      space.await(
          TABLE,
          space.refused(new OutOfBudgetException("all is taken")),
          () -> {
            if (asked.incrementAndGet() == 3) {
              scan.close();
            }
            return false;
          });
      assertThat(asked).hasValue(3);
    }
  }

  /** Between the refusal and the wait. */
  @Test
  void memoryThatIsFreeAlreadyIsNotWaitedFor() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtableSpace space = space(budget);
      MemtableSpace.Refusal refusal;
      try (OffHeapBuffer flushed = budget.allocate(MemoryKind.MEMTABLE, ALL)) {
        assertThat(flushed.bytes().capacity()).isEqualTo(ALL);
        refusal = space.refused(new OutOfBudgetException("all is taken"));
      }
      space.await(TABLE, refusal, () -> false);
    }
  }

  /** Between the refusal and anybody's noting it. */
  @Test
  void memoryThatIsFreeBeforeTheRefusalIsNotedIsNotWaitedFor() throws IOException {
    try (PooledMemory budget = PooledMemory.withLimit(ALL)) {
      MemtableSpace space = space(budget);
      OutOfBudgetException refused;
      try (OffHeapBuffer flushed = budget.allocate(MemoryKind.MEMTABLE, ALL / 4)) {
        assertThat(flushed.bytes().capacity()).isEqualTo(ALL / 4);
        refused =
            catchThrowableOfType(
                OutOfBudgetException.class,
                () -> space.memory().allocate(MemoryKind.MEMTABLE, ALL));
        assertThat(refused.usedBytes()).isEqualTo(ALL / 4);
      }
      space.await(TABLE, space.refused(refused), () -> false);
    }
  }

  @Test
  void whereNothingIsFreedTheWriterIsToldInTheEnd() {
    try (PooledMemory budget = PooledMemory.withLimit(ALL);
        OffHeapBuffer scan = budget.allocate(MemoryKind.READ_AHEAD, ALL)) {
      assertThat(scan.bytes().capacity()).isEqualTo(ALL);
      MemtableSpace space = space(budget);
      OutOfBudgetException refused = new OutOfBudgetException("all is taken");
      assertThatThrownBy(() -> space.await(TABLE, space.refused(refused), () -> false))
          .isSameAs(refused);
    }
  }

  private static MemtableSpace space(PooledMemory budget) {
    return new MemtableSpace(ALL / 2, budget, GuardedListener.of(new EngineListener() {}));
  }
}
