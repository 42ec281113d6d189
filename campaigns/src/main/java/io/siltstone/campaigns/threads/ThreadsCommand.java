package io.siltstone.campaigns.threads;

import io.siltstone.campaigns.run.CampaignOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command of {@link ThreadCampaign}. */
@Command(
    name = "threads",
    description =
        "Runs virtual threads on one database while they are interrupted at random, on"
            + " Java 21 or later. A round is one database.",
    mixinStandardHelpOptions = true)
public final class ThreadsCommand implements Callable<Integer> {
  private static final long ROUNDS = 12;

  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of concurrent virtual threads. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Override
  public Integer call() throws IOException {
    if (!VirtualThreads.areThere()) {
      throw new ParameterException(
          spec.commandLine(),
          "this is Java " + Runtime.version().feature() + "; virtual threads need 21 or later");
    }
    return options.run(
        "threads",
        ROUNDS,
        (directory, seed) -> new ThreadCampaign(directory, seed, threads),
        spec.commandLine().getOut());
  }
}
