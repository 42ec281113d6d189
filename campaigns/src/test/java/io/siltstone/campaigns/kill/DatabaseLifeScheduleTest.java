package io.siltstone.campaigns.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.commitlog.SyncMode;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DatabaseLifeScheduleTest {
  private final DatabaseLifeSchedule schedule =
      new DatabaseLifeSchedule(List.of(SyncMode.values()));

  @Test
  void fiveRoundsMeetEveryMode() {
    Set<SyncMode> met = EnumSet.noneOf(SyncMode.class);
    for (int round = 0; round < 5; round++) {
      met.add(schedule.mode(round));
    }
    assertThat(met).containsExactlyInAnyOrder(SyncMode.values());
  }

  @Test
  void threeLivesMeetEveryModeWhereverARunBegins() {
    for (int first = 0; first < 1_000; first++) {
      Set<SyncMode> met = EnumSet.noneOf(SyncMode.class);
      int lives = 0;
      for (int round = first; lives < 4; round++) {
        if (round > first && schedule.isFirst(round)) {
          lives++;
        }
        if (lives < 3) {
          met.add(schedule.mode(round));
        }
      }
      assertThat(met).as("from round %s on", first).containsExactlyInAnyOrder(SyncMode.values());
    }
  }

  @Test
  void aLifeHasOneModeAndAllModesHaveTheSameShare() {
    Map<SyncMode, Integer> rounds = new EnumMap<>(SyncMode.class);
    int all =
        2 * SyncMode.values().length * (DatabaseLifeSchedule.SHORT + DatabaseLifeSchedule.LONG);
    for (int round = 0; round < all; round++) {
      rounds.merge(schedule.mode(round), 1, Integer::sum);
      if (!schedule.isFirst(round)) {
        assertThat(schedule.mode(round)).isEqualTo(schedule.mode(round - 1));
      }
    }
    assertThat(rounds.values()).containsOnly(all / SyncMode.values().length);
  }
}
