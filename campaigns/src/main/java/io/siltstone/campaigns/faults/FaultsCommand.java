package io.siltstone.campaigns.faults;

import io.siltstone.campaigns.run.CampaignOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command of {@link FaultCampaign}. */
@Command(
    name = "faults",
    description =
        "Runs scripts of operations repeatedly, and makes each call to the file system"
            + " fail in each way. A round is one run with one failing call.",
    mixinStandardHelpOptions = true)
public final class FaultsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Option(
      names = "--scripts",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of different scripts. Default: ${DEFAULT-VALUE}.")
  private int scripts;

  @Override
  public Integer call() throws IOException {
    return options.run(
        "faults",
        Long.MAX_VALUE,
        (directory, seed) -> new FaultCampaign(seed, scripts),
        spec.commandLine().getOut());
  }
}
