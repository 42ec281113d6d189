package io.siltstone.tools.inspect;

import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.CommandSet;
import io.siltstone.tools.terminal.Terminal;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The commands of this package. */
public final class InspectCommands {
  private InspectCommands() {}

  /**
   * Adds them.
   *
   * @param memory that SSTables are opened with; stays open
   * @param clock decides what has expired, unless a time is given
   */
  public static void addAll(
      CommandSet commands, Terminal terminal, Supplier<MemoryBudget> memory, InstantSource clock) {
    commands
        .add("explain-key", () -> new ExplainKeyCommand(terminal, clock))
        .add("inspect", () -> new InspectCommand(terminal, clock))
        .add("advise", () -> new AdviseCommand(terminal, memory, clock));
  }
}
