package io.siltstone.campaigns.kill;

import io.siltstone.campaigns.run.CampaignOptions;
import io.siltstone.commitlog.SyncMode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command of {@link KillCampaign}. */
@Command(
    name = "kill",
    description =
        "Kills running processes with SIGKILL, and compares their databases with models."
            + " A round is one process with two databases.",
    mixinStandardHelpOptions = true)
public final class KillCommand implements Callable<Integer> {
  private static final long ROUNDS = 10_000;

  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Option(
      names = "--modes",
      split = ",",
      paramLabel = "MODE",
      defaultValue = "PERIODIC,GROUP,BATCH",
      description =
          "Sync modes of the commit log, used in turn: ${COMPLETION-CANDIDATES}. Default:"
              + " all.")
  private List<SyncMode> modes;

  @Override
  public Integer call() throws IOException {
    return options.run(
        "kill",
        ROUNDS,
        (directory, seed) -> new KillCampaign(directory, seed, modes),
        spec.commandLine().getOut());
  }
}
