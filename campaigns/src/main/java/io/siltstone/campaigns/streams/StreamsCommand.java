package io.siltstone.campaigns.streams;

import io.siltstone.campaigns.run.CampaignOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command of {@link StreamsCampaign}. */
@Command(
    name = "streams",
    description =
        "Halts a process with two exactly-once applications of Kafka Streams, one of them with"
            + " transactional state stores, and compares their counts with what was sent to a"
            + " broker. A round is one process.",
    mixinStandardHelpOptions = true)
public final class StreamsCommand implements Callable<Integer> {
  private static final long ROUNDS = 2_000;

  @Spec private CommandSpec spec;

  @Mixin private CampaignOptions options;

  @Override
  public Integer call() throws IOException {
    return options.run("streams", ROUNDS, StreamsCampaign::open, spec.commandLine().getOut());
  }
}
