package io.siltstone.tools.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * The commands there are. A run makes only the one that is asked for: to look at the options of all
 * takes longer than most commands do.
 */
public final class CommandSet {
  private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

  /**
   * Adds one, behind those that are there already.
   *
   * @param command makes an object with picocli's annotations
   */
  public CommandSet add(String name, Supplier<?> command) {
    commands.put(name, () -> new CommandLine(command.get()));
    return this;
  }

  /** Adds the command that the arguments begin with to the main one; all, if they do otherwise. */
  public void addTo(CommandLine main, String[] args) {
    Supplier<CommandLine> asked = args.length == 0 ? null : commands.get(args[0]);
    if (asked != null) {
      main.addSubcommand(args[0], asked.get());
    } else {
      commands.forEach((name, command) -> main.addSubcommand(name, command.get()));
    }
  }
}
