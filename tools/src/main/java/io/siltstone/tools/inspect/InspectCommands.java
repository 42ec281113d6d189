package io.siltstone.tools.inspect;

import io.siltstone.memory.MemoryBudget;
import io.siltstone.tools.terminal.Terminal;
import java.time.InstantSource;
import java.util.function.Supplier;
import picocli.CommandLine;

/** The commands of this package. */
public final class InspectCommands {
  private InspectCommands() {}

  /**
   * Adds them to the command line.
   *
   * @param memory that SSTables are opened with; stays open
   * @param clock decides what has expired, unless a time is given
   */
  public static void register(
      CommandLine commands, Terminal terminal, Supplier<MemoryBudget> memory, InstantSource clock) {
    commands
        .addSubcommand(new ExplainKeyCommand(terminal, clock))
        .addSubcommand(new InspectCommand(terminal, clock))
        .addSubcommand(new AdviseCommand(terminal, memory, clock));
  }
}
