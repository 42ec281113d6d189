package io.siltstone.tools.backup;

import io.siltstone.Backups;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone backup list}: prints the backups of a directory. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Prints a line for each backup, the oldest first.")
final class ListCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final BackupDirectory directory;

  @Option(names = "--json", description = BackupText.JSON)
  private boolean isJson;

  ListCommand(Terminal terminal) {
    this.terminal = terminal;
    this.directory = new BackupDirectory(terminal);
  }

  @Override
  public Integer call() throws IOException {
    List<Backups.Backup> all = directory.open().list();
    if (isJson) {
      JsonDocument.writeObject(
          terminal.out(),
          json -> {
            json.writeArrayFieldStart("backups");
            for (Backups.Backup backup : all) {
              BackupText.write(json, backup);
            }
            json.writeEndArray();
          });
      return ExitCode.OK;
    }
    all.forEach(backup -> terminal.line(BackupText.line(backup)));
    if (all.isEmpty()) {
      terminal.line("there are no backups");
    }
    return ExitCode.OK;
  }
}
