package io.siltstone.campaigns.damage;

import io.siltstone.campaigns.run.CampaignOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command of {@link DamageCampaign}. */
@Command(
    name = "damage",
    description =
        "Damages files of SSTables and of databases, and reads them. A round is one"
            + " damage; everything happens in memory.",
    mixinStandardHelpOptions = true)
public final class DamageCommand implements Callable<Integer> {
  private static final long ROUNDS = 1_000_000;

  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run(
        "damage",
        ROUNDS,
        (directory, seed) -> new DamageCampaign(seed),
        spec.commandLine().getOut());
  }
}
