package io.siltstone.compaction.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.schema.TableOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void everyStrategyHasItsName() {
    for (String name : TableOptions.COMPACTION_STRATEGIES) {
      assertThat(MadeUp.strategy(name).name()).isEqualTo(name);
    }
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                MadeUp.strategy(
                    "SizeTieredCompactionStrategy",
                    "bucket_low",
                    "2",
                    "min_sstable_size",
                    "-1",
                    "enabled",
                    "maybe",
                    "sstable_size_in_mb",
                    "160"))
        .withMessageStartingWith("compaction with SizeTieredCompactionStrategy: ")
        .withMessageContaining("enabled = maybe, allowed true, false")
        .withMessageContaining(
            "bucket_low = 2, allowed values with bucket_high greater than bucket_low, here 1.5 and 2.0")
        .withMessageContaining("min_sstable_size = -1, allowed a whole number from 0")
        .withMessageContaining("unknown option sstable_size_in_mb = 160, allowed bucket_high,");
  }

  /** Turns tombstone compactions off in Cassandra. */
  @Test
  void whatNeverComesIsAllowed() {
    String never = Long.toString(Long.MAX_VALUE);
    OptionValues values =
        new OptionValues(
            "",
            Map.of(
                "tombstone_compaction_interval",
                never,
                "tombstone_threshold",
                "Infinity",
                "expired_sstable_check_frequency_seconds",
                never));
    PurgeOptions purge = PurgeOptions.of(values, 0);
    ExpiryOptions expiry = ExpiryOptions.of(values, 1);
    values.finish();
    assertThat(purge.intervalMillis()).isEqualTo(Long.MAX_VALUE);
    assertThat(purge.threshold()).isInfinite();
    assertThat(expiry.leastAgeMillis()).isEqualTo(Long.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> MadeUp.strategy("SizeTieredCompactionStrategy", "tombstone_threshold", "NaN"))
        .withMessageContaining("tombstone_threshold = NaN, allowed a number from 0.0");
  }

  @Test
  void sizesHaveUnits() {
    for (String size : new String[] {"1GiB", "1.5 GB", "1e9B", "1048576B", "1*2^30 B", "2000 MB"}) {
      assertThat(
              MadeUp.strategy(
                  "UnifiedCompactionStrategy",
                  "target_sstable_size",
                  size,
                  "min_sstable_size",
                  "0B"))
          .isNotNull();
    }
    for (String size :
        new String[] {"1G", "1", "-1GiB", "1000B", "9e30B", "GiB", "1 XB", "1e3*2^20B"}) {
      assertThatIllegalArgumentException()
          .as(size)
          .isThrownBy(
              () -> MadeUp.strategy("UnifiedCompactionStrategy", "target_sstable_size", size))
          .withMessageContaining("target_sstable_size = " + size + ", allowed a size from 1 MiB");
    }
  }

  /** Values that Cassandra refuses in a schema are refused here. */
  @Test
  void unitsAreInCapitalsAndThresholdsHaveNoSign() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                MadeUp.strategy(
                    "TimeWindowCompactionStrategy",
                    "compaction_window_unit",
                    "days",
                    "timestamp_resolution",
                    "Seconds",
                    "min_threshold",
                    "+4"))
        .withMessageContaining("compaction_window_unit = days, allowed MINUTES, HOURS, DAYS")
        .withMessageContaining("timestamp_resolution = Seconds, allowed SECONDS, MILLISECONDS,")
        .withMessageContaining("min_threshold = +4, allowed a whole number from 2, without a sign");
    assertThat(
            MadeUp.strategy(
                "UnifiedCompactionStrategy",
                "overlap_inclusion_method",
                "Single",
                "provide_overlapping_tombstones",
                "row"))
        .isNotNull();
  }

  @Test
  void scalingParametersAreALetterAndANumber() {
    UnifiedOptions options =
        UnifiedOptions.of(
            new OptionValues(
                "", Map.of("scaling_parameters", "T8, L10, N, -3,2", "base_shard_count", "1")));
    assertThat(options.name(0)).isEqualTo("T8");
    assertThat(options.fanout(0)).isEqualTo(8);
    assertThat(options.threshold(0)).isEqualTo(8);
    assertThat(options.fanout(1)).isEqualTo(10);
    assertThat(options.threshold(1)).isEqualTo(2);
    assertThat(options.name(2)).isEqualTo("N");
    assertThat(options.name(3)).isEqualTo("L5");
    assertThat(options.name(4)).isEqualTo("T4");
    assertThat(options.name(100)).isEqualTo("T4");
    String[] refused = {
      "T1", "L", "X4", "", "T4;L4", "t4", "T1000001", "L1000001", "2147483646", "-2147483648"
    };
    for (String wrong : refused) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> MadeUp.strategy("UnifiedCompactionStrategy", "scaling_parameters", wrong))
          .withMessageContaining("scaling_parameters = " + wrong + ", allowed N, T and L")
          .withMessageContaining("from 2 to 1000000");
    }
  }

  @Test
  void levelsThatCannotBeCountedAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MadeUp.strategy("LeveledCompactionStrategy", "fanout_size", "30"))
        .withMessageContaining(
            "fanout_size = 30, allowed values by which level 8 holds less than 2^63 bytes");
  }
}
