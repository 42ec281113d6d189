package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.sstable.format.Descriptor;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PostponedJobsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  // A time near the overflow of the clock.
  private static final long NOW = Long.MAX_VALUE - SECOND;

  private final PostponedJobs postponedJobs = new PostponedJobs();

  private static Set<Descriptor> tables(int... generations) {
    return Arrays.stream(generations)
        .mapToObj(generation -> Descriptor.parse("oa-" + generation + "-big-Data.db"))
        .collect(Collectors.toSet());
  }

  @Test
  void whatHasNoRoomWaitsAndOtherJobsDoNot() {
    postponedJobs.add(tables(1, 2), NOW);
    assertThat(postponedJobs.has(tables(1, 2), NOW + 9 * SECOND)).isTrue();
    assertThat(postponedJobs.has(tables(1, 2, 3), NOW + 9 * SECOND)).as("more of it").isTrue();
    assertThat(postponedJobs.has(tables(1), NOW)).isFalse();
    assertThat(postponedJobs.has(tables(2, 3), NOW)).isFalse();
    assertThat(postponedJobs.has(tables(1, 2), NOW + 11 * SECOND)).isFalse();
  }

  @Test
  void itWaitsTwiceAsLongEachTime() {
    postponedJobs.add(tables(1, 2), NOW);
    postponedJobs.add(tables(1, 2, 3), NOW + 10 * SECOND);
    assertThat(postponedJobs.has(tables(1, 2, 3), NOW + 29 * SECOND)).isTrue();
    assertThat(postponedJobs.has(tables(1, 2, 3), NOW + 31 * SECOND)).isFalse();
    for (int i = 0; i < 100; i++) {
      postponedJobs.add(tables(1, 2, 3), NOW);
    }
    assertThat(postponedJobs.has(tables(1, 2, 3), NOW + 639 * SECOND)).isTrue();
    assertThat(postponedJobs.has(tables(1, 2, 3), NOW + 641 * SECOND)).isFalse();
  }

  @Test
  void whatIsNotLiveAnyMoreIsForgotten() {
    postponedJobs.add(tables(1, 2), NOW);
    postponedJobs.retain(tables(1, 2, 3));
    assertThat(postponedJobs.has(tables(1, 2), NOW)).isTrue();
    postponedJobs.retain(tables(2, 3));
    assertThat(postponedJobs.has(tables(1, 2), NOW)).isFalse();
  }
}
