package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.sstable.format.FormatVersion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Options are checked when they are built. */
class DatabaseOptionsTest {
  private static final long MIB = 1L << 20;

  @Test
  void everyWrongValueIsNamedAtOnce() {
    DatabaseOptions.Builder wrong =
        DatabaseOptions.builder()
            .formatVersion(FormatVersion.NA)
            .memtableBytes(MIB - 1)
            .chunkCacheBytes(-1)
            .keyCacheBytes(-2)
            .flushThreads(65)
            .scanThreads(65)
            .columnIndexSizeBytes((1 << 30) + 1)
            .compactionDebtBytes(5, 5)
            .slowReadThreshold(Duration.ofNanos(-1));

    assertThatThrownBy(wrong::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "formatVersion na",
            "memtableBytes 1048575",
            "chunkCacheBytes -1",
            "keyCacheBytes -2",
            "flushThreads 65",
            "scanThreads 65",
            "columnIndexSizeBytes 1073741825, allowed 1 KiB to 1 GiB",
            "compactionDebtBytes 5 and 5",
            "slowReadThreshold PT-0.000000001S");
  }

  @Test
  void memoryMustHoldItsParts() {
    DatabaseOptions.Builder small =
        DatabaseOptions.builder().memtableBytes(8 * MIB).chunkCacheBytes(8 * MIB);

    assertThat(small.memoryBytes(21 * MIB).build().memoryBytes()).isEqualTo(21 * MIB);
    assertThatThrownBy(() -> small.memoryBytes(21 * MIB - 1).build())
        .hasMessageContaining("memoryBytes 22020095, allowed 22020096 or more");
  }

  @Test
  void forReadingOnlyNeitherMemtablesNorTheLogNeedRoom() {
    DatabaseOptions.Builder reading = DatabaseOptions.builder().readOnly(true);

    assertThat(reading.build().chunkCacheBytes()).isEqualTo(256 * MIB);
    assertThat(reading.memoryBytes(8 * MIB).build().chunkCacheBytes()).isEqualTo(4 * MIB);
    assertThat(reading.memoryBytes(2 * MIB).build().chunkCacheBytes()).isEqualTo(MIB);
    assertThatThrownBy(() -> reading.memoryBytes(2 * MIB - 2).build())
        .hasMessageContaining(
            "memoryBytes 2097150, allowed 2097151 or more: chunkCacheBytes and 1 MiB");
    assertThat(reading.chunkCacheBytes(0).memoryBytes(MIB).build().memoryBytes()).isEqualTo(MIB);
    assertThatThrownBy(() -> reading.readOnly(false).build())
        .hasMessageContaining("memoryBytes 1048576, allowed 273678336 or more");
  }

  @Test
  void moreMemoryThanCanBeCountedIsTooMuch() {
    assertThatThrownBy(() -> DatabaseOptions.builder().memtableBytes(Long.MAX_VALUE).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memoryBytes 1073741824, allowed 9223372036854775807 or more");
  }

  @Test
  void theEndsOfRangesAreTaken() {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memtableBytes(MIB)
            .chunkCacheBytes(0)
            .keyCacheBytes(0)
            .flushThreads(64)
            .scanThreads(0)
            .columnIndexSizeBytes(1 << 30)
            .compactionDebtBytes(0, 1)
            .build();

    assertThat(options.toBuilder().build()).usingRecursiveComparison().isEqualTo(options);
  }
}
