package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.table.MemtablePool;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  private static final long MIB = 1 << 20;
  private static final DatabaseOptions DEFAULT = DatabaseOptions.DEFAULT;

  private static void assertAsSaid(DatabaseOptions options, long allowed) {
    assertThat(MemoryLimit.of(options, allowed))
        .isEqualTo(
            new MemoryLimit(
                options.memoryBytes(), options.memtableBytes(), options.chunkCacheBytes()));
  }

  @Test
  void whatTheJvmAllowsIsAsTheOptionsSay() {
    assertAsSaid(DEFAULT, DEFAULT.memoryBytes());
    assertAsSaid(DEFAULT.toBuilder().readOnly(true).build(), MIB);
    assertAsSaid(DEFAULT.toBuilder().memoryBytes(Long.MAX_VALUE).build(), 96 * MIB);
  }

  @Test
  void partsFitIntoWhatTheJvmAllows() {
    long fixed = DEFAULT.commitLog().bufferBytes() + MemtablePool.FLUSH_BYTES;
    for (long allowed = 8 * MIB; allowed < DEFAULT.memoryBytes(); allowed += MIB) {
      MemoryLimit shares = MemoryLimit.of(DEFAULT, allowed);
      assertThat(shares.allBytes()).isLessThan(allowed);
      assertThat(shares.memtableBytes()).isBetween(MIB, DEFAULT.memtableBytes());
      assertThat(shares.chunkCacheBytes()).isBetween(0L, DEFAULT.chunkCacheBytes());
      assertThat(shares.memtableBytes() + shares.chunkCacheBytes() + fixed)
          .isLessThanOrEqualTo(shares.allBytes());
    }
  }

  @Test
  void partsThatFitKeepTheirSize() {
    DatabaseOptions small =
        DEFAULT.toBuilder().memtableBytes(64 * MIB).chunkCacheBytes(8 * MIB).build();
    MemoryLimit shares = MemoryLimit.of(small, 512 * MIB);
    assertThat(shares.allBytes()).isEqualTo(480 * MIB);
    assertThat(shares.memtableBytes()).isEqualTo(64 * MIB);
    assertThat(shares.chunkCacheBytes()).isEqualTo(8 * MIB);
    assertThat(MemoryLimit.of(small, 96 * MIB).memtableBytes()).isLessThan(64 * MIB);
  }

  @Test
  void whatIsTooLittleForAnyWriteIsRefused() {
    assertThatThrownBy(() -> MemoryLimit.of(DEFAULT, 2 * MIB))
        .isInstanceOf(OutOfBudgetException.class)
        .hasMessageContaining("-XX:MaxDirectMemorySize");
  }

  @Test
  void onlySizesThatWereGivenAreAskedFor() {
    long allowed = 96 * MIB;
    assertThat(DEFAULT.asksForMoreThan(MemoryLimit.of(DEFAULT, allowed))).isFalse();
    DatabaseOptions copy = DEFAULT.toBuilder().flushThreads(1).build();
    assertThat(copy.asksForMoreThan(MemoryLimit.of(copy, allowed))).isFalse();
    for (DatabaseOptions given :
        List.of(
            DEFAULT.toBuilder().memoryBytes(DEFAULT.memoryBytes()).build(),
            DEFAULT.toBuilder().memtableBytes(DEFAULT.memtableBytes()).build(),
            DEFAULT.toBuilder().chunkCacheBytes(DEFAULT.chunkCacheBytes()).build().toBuilder()
                .build())) {
      assertThat(given.asksForMoreThan(MemoryLimit.of(given, allowed))).isTrue();
      assertThat(given.asksForMoreThan(MemoryLimit.of(given, 2048 * MIB))).isFalse();
    }
    DatabaseOptions small =
        DatabaseOptions.builder().memtableBytes(8 * MIB).chunkCacheBytes(8 * MIB).build();
    assertThat(small.asksForMoreThan(MemoryLimit.of(small, allowed))).isFalse();
  }
}
