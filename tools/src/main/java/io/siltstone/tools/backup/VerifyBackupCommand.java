package io.siltstone.tools.backup;

import io.siltstone.Backups;
import io.siltstone.io.CorruptFileException;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone backup verify}: compares backups with their hashes. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Compares every file of backups with its hash.",
      "Prints a line for each backup, and one for each file that is damaged or missing; the exit"
          + " code is 1 if there is one."
    })
final class VerifyBackupCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final BackupDirectory directory;

  @Mixin private final Throughput throughput = new Throughput();

  @Parameters(
      paramLabel = "ID",
      index = "1..*",
      arity = "0..*",
      description = "Backups as list prints them; all without one.")
  private List<Long> ids = List.of();

  VerifyBackupCommand(Terminal terminal) {
    this.terminal = terminal;
    this.directory = new BackupDirectory(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Backups backups = directory.open().bytesPerSecond(throughput.bytesPerSecond());
    int code = ExitCode.OK;
    List<Long> asked =
        ids.isEmpty() ? backups.list().stream().map(Backups.Backup::id).toList() : ids;
    for (long id : asked) {
      List<CorruptFileException> wrong = backups.verify(id);
      terminal.line(
          "backup " + id + ": " + (wrong.isEmpty() ? "ok" : wrong.size() + " damaged or missing"));
      wrong.forEach(each -> terminal.line("  " + each.getMessage()));
      code = wrong.isEmpty() ? code : ExitCode.DAMAGED;
    }
    return code;
  }
}
