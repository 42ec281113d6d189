package io.siltstone.campaigns.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import org.junit.jupiter.api.Test;

class DamageCampaignTest {
  private final Counts counts = new Counts();

  @Test
  void roundsThatAreLeftOutAreNoDamages() throws Exception {
    try (DamageCampaign campaign =
        new DamageCampaign(
            1,
            table -> {
              throw new AssertionError("not sound");
            })) {
      assertThatThrownBy(() -> campaign.round(0, counts))
          .isInstanceOf(DeviationException.class)
          .hasMessageContaining("not sound");
      campaign.round(1, counts);
      campaign.round(2, counts);
    }
    assertThat(counts.get("damages")).isZero();
    assertThat(counts.get("rounds left out, as there was a deviation without damage")).isEqualTo(2);
  }

  @Test
  void eachRoundOfASoundTableIsADamage() throws Exception {
    try (DamageCampaign campaign = new DamageCampaign(1)) {
      for (int round = 0; round < 20; round++) {
        campaign.round(round, counts);
      }
    }
    assertThat(counts.get("damages")).isEqualTo(20);
  }
}
