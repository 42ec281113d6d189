package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.schema.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Writers pause while memory fills faster than a flush writes it, and at no other time. */
class FlushProgressTest {
  private static final int LIMIT = 1 << 20;
  private static final int ROWS = 10_000;

  @Test
  void lastQuarterIsGrantedAsRowsAreWritten() {
    try (PooledMemory budget = PooledMemory.withLimit(2 * LIMIT)) {
      MemtablePool pool = pool(budget);
      try (OffHeapBuffer most = budget.allocate(MemoryKind.MEMTABLE, LIMIT / 16 * 13)) {
        assertThat(pool.isAhead(false)).as("no flush is running").isFalse();
        assertThat(pool.isAhead(true)).as("a flush is requested").isTrue();
        try (FlushProgress.Run flush = pool.progress().begin(LIMIT / 2, ROWS)) {
          assertThat(pool.isAhead(false)).as("nothing is written").isTrue();
          write(flush, ROWS / 4);
          assertThat(pool.isAhead(false)).as("a quarter of the rows is written").isTrue();
          write(flush, ROWS / 4);
          assertThat(pool.isAhead(false)).as("half of the rows are written").isFalse();
          try (OffHeapBuffer rest = budget.allocate(MemoryKind.MEMTABLE, LIMIT / 8)) {
            assertThat(rest.capacity()).isPositive();
            assertThat(pool.isAhead(false)).as("more memory is used").isTrue();
          }
        }
        assertThat(most.capacity()).isPositive();
        assertThat(pool.isAhead(false)).as("the flush has ended").isFalse();
      }
    }
  }

  @Test
  void threeQuartersAreFree() {
    try (PooledMemory budget = PooledMemory.withLimit(2 * LIMIT)) {
      MemtablePool pool = pool(budget);
      try (OffHeapBuffer some = budget.allocate(MemoryKind.MEMTABLE, LIMIT / 4 * 3);
          FlushProgress.Run flush = pool.progress().begin(LIMIT / 2, ROWS)) {
        assertThat(pool.isAhead(true)).isFalse();
        assertThat(some.capacity()).isPositive();
        write(flush, 1);
      }
    }
  }

  @Test
  void allRowsAreNotAllOfTheFlush() {
    FlushProgress progress = new FlushProgress();
    assertThat(progress.done()).isEqualTo(1);
    try (FlushProgress.Run flush = progress.begin(LIMIT, ROWS)) {
      // Markers are no rows, so more may come than were announced.
      write(flush, 3 * ROWS);
      assertThat(progress.done()).isBetween(0.5, 0.9);
      try (FlushProgress.Run other = progress.begin(3 * LIMIT, ROWS)) {
        assertThat(progress.done()).isBetween(0.1, 0.25);
        write(other, 1);
      }
      assertThat(progress.done()).isBetween(0.5, 0.9);
    }
    assertThat(progress.done()).isEqualTo(1);
    assertThat(progress.isRunning()).isFalse();
  }

  @Test
  void aPauseKeepsTheInterruptAndIsAWriteStall() {
    List<EngineListener.WriteStalled> stalls = new ArrayList<>();
    EngineListener listener =
        new EngineListener() {
          @Override
          public void writeStalled(WriteStalled event) {
            stalls.add(event);
          }
        };
    TableId table = new TableId("ks", "t", new UUID(1, 2));
    try (PooledMemory budget = PooledMemory.withLimit(LIMIT)) {
      MemtablePool pool = new MemtablePool(LIMIT, budget, GuardedListener.of(listener));
      pool.progress().begin(LIMIT, ROWS).close();
      Thread.currentThread().interrupt();
      pool.pace(table);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(stalls).extracting(EngineListener.WriteStalled::table).containsExactly(table);
    }
  }

  private static void write(FlushProgress.Run flush, int rows) {
    for (int i = 0; i < rows; i++) {
      flush.wroteRow();
    }
  }

  private static MemtablePool pool(PooledMemory budget) {
    return new MemtablePool(LIMIT, budget, GuardedListener.of(new EngineListener() {}));
  }
}
