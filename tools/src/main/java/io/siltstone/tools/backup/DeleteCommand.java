package io.siltstone.tools.backup;

import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone backup delete}: deletes one backup. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    description = {
      "Deletes a backup, and the files that no other has.",
      "A backup whose manifest is damaged can be deleted too; the others can be used again then."
    })
final class DeleteCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final BackupDirectory directory;

  @Parameters(paramLabel = "ID", index = "1", description = "The backup, as list prints it.")
  private long id;

  DeleteCommand(Terminal terminal) {
    this.terminal = terminal;
    this.directory = new BackupDirectory(terminal);
  }

  @Override
  public Integer call() throws IOException {
    directory.open().delete(id);
    terminal.line("deleted backup " + id);
    return ExitCode.OK;
  }
}
