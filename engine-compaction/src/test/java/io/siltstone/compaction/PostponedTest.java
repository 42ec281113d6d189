package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.sstable.format.Descriptor;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PostponedTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  // Near where the clock overflows.
  private static final long NOW = Long.MAX_VALUE - SECOND;

  private final Postponed postponed = new Postponed();

  private static Set<Descriptor> tables(int... generations) {
    return Arrays.stream(generations)
        .mapToObj(generation -> Descriptor.parse("oa-" + generation + "-big-Data.db"))
        .collect(Collectors.toSet());
  }

  @Test
  void whatHasNoRoomWaitsAndOtherJobsDoNot() {
    postponed.add(tables(1, 2), NOW);
    assertThat(postponed.has(tables(1, 2), NOW + 9 * SECOND)).isTrue();
    assertThat(postponed.has(tables(1, 2, 3), NOW + 9 * SECOND)).as("more of it").isTrue();
    assertThat(postponed.has(tables(1), NOW)).isFalse();
    assertThat(postponed.has(tables(2, 3), NOW)).isFalse();
    assertThat(postponed.has(tables(1, 2), NOW + 11 * SECOND)).isFalse();
  }

  @Test
  void itWaitsTwiceAsLongEachTime() {
    postponed.add(tables(1, 2), NOW);
    postponed.add(tables(1, 2, 3), NOW + 10 * SECOND);
    assertThat(postponed.has(tables(1, 2, 3), NOW + 29 * SECOND)).isTrue();
    assertThat(postponed.has(tables(1, 2, 3), NOW + 31 * SECOND)).isFalse();
    for (int i = 0; i < 100; i++) {
      postponed.add(tables(1, 2, 3), NOW);
    }
    assertThat(postponed.has(tables(1, 2, 3), NOW + 639 * SECOND)).isTrue();
    assertThat(postponed.has(tables(1, 2, 3), NOW + 641 * SECOND)).isFalse();
  }

  @Test
  void whatIsNotLiveAnyMoreIsForgotten() {
    postponed.add(tables(1, 2), NOW);
    postponed.retain(tables(1, 2, 3));
    assertThat(postponed.has(tables(1, 2), NOW)).isTrue();
    postponed.retain(tables(2, 3));
    assertThat(postponed.has(tables(1, 2), NOW)).isFalse();
  }
}
