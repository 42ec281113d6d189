package io.siltstone.campaigns;

import io.siltstone.campaigns.damage.DamageCommand;
import io.siltstone.campaigns.faults.FaultsCommand;
import io.siltstone.campaigns.faults.FullDiskCommand;
import io.siltstone.campaigns.kill.KillCommand;
import io.siltstone.campaigns.threads.ThreadsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code campaign} of the script {@code siltstone}. */
@Command(
    name = "siltstone campaign",
    description = "Tries for hours to make the engine lose or distort something.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DamageCommand.class,
      FaultsCommand.class,
      FullDiskCommand.class,
      KillCommand.class,
      ThreadsCommand.class
    })
public final class Campaigns implements Runnable {
  @Spec private CommandSpec spec;

  private Campaigns() {}

  /** Runs a campaign. Exits with 1 at a deviation, with 2 if it was called wrongly. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Campaigns()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which campaign?");
  }
}
