package io.siltstone.tools.backup;

import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone backup prune}: deletes all backups but the last ones. */
@Command(
    name = "prune",
    mixinStandardHelpOptions = true,
    description = "Deletes all backups but the last ones, and the files that only they have.")
final class PruneCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final BackupDirectory directory;

  @Option(
      names = "--keep",
      paramLabel = "N",
      required = true,
      description = "How many backups are kept; 1 or more.")
  private int keep;

  PruneCommand(Terminal terminal) {
    this.terminal = terminal;
    this.directory = new BackupDirectory(terminal);
  }

  @Override
  public Integer call() throws IOException {
    UsageException.require(keep >= 1, "--keep", keep, "1 or more");
    List<Long> deleted = directory.open().prune(keep);
    terminal.line(deleted.isEmpty() ? "nothing is deleted" : "deleted " + deleted);
    return ExitCode.OK;
  }
}
