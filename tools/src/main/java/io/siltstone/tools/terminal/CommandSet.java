package io.siltstone.tools.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The registry of commands. A run creates only the command that is asked for, because reading the
 * options of all commands by reflection takes longer than most commands do.
 */
public final class CommandSet {
  private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

  /**
   * Adds a command after those already added.
   *
   * @param command creates an object with picocli's annotations, or a command with actions of its
   *     own
   */
  public CommandSet add(String name, Supplier<?> command) {
    commands.put(name, () -> commandLine(command.get()));
    return this;
  }

  private static CommandLine commandLine(Object command) {
    return command instanceof CommandLine line ? line : new CommandLine(command);
  }

  /**
   * Adds the command that the arguments begin with to the main command; adds all commands if the
   * arguments begin with something else.
   */
  public void addTo(CommandLine main, String[] args) {
    Supplier<CommandLine> asked = args.length == 0 ? null : commands.get(args[0]);
    if (asked != null) {
      main.addSubcommand(args[0], asked.get());
    } else {
      commands.forEach((name, command) -> main.addSubcommand(name, command.get()));
    }
  }
}
