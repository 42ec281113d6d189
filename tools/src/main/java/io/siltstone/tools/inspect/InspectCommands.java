package io.siltstone.tools.inspect;

import io.siltstone.tools.terminal.Terminal;
import java.time.InstantSource;
import picocli.CommandLine;

/** The commands of this package. */
public final class InspectCommands {
  private InspectCommands() {}

  /**
   * Adds them to the command line.
   *
   * @param clock decides what has expired, unless a time is given
   */
  public static void register(CommandLine commands, Terminal terminal, InstantSource clock) {
    commands
        .addSubcommand(new ExplainKeyCommand(terminal, clock))
        .addSubcommand(new InspectCommand(terminal, clock));
  }
}
