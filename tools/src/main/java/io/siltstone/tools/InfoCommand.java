package io.siltstone.tools;

import io.siltstone.compress.Compressors;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code siltstone info}: what this installation is, and which tables a directory holds. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    description = "Prints versions and what compressors work here.")
final class InfoCommand implements Callable<Integer> {
  private final Terminal terminal;

  InfoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.line("siltstone " + Versions.siltstone());
    terminal.line("java " + Versions.java());
    Compressors.describe().forEach((name, what) -> terminal.line(name + ": " + what));
    return ExitCode.OK;
  }
}
