package io.siltstone.tools.backup;

import io.siltstone.Backups;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone backup create}: makes a backup of a database that is not open. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a backup of a database that no process has open: copies what the directory of"
          + " backups lacks.",
      "Either all of it is listed in the end, or nothing. The remains of an interrupted backup"
          + " are removed by the next one."
    })
final class CreateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final Throughput throughput = new Throughput();

  @Mixin private final BackupKeys keys;

  @Parameters(paramLabel = "DATABASE", index = "0", description = "The database.")
  private Path database = Path.of("");

  @Parameters(
      paramLabel = "BACKUPS",
      index = "1",
      description = "The directory of the backups; created if it is missing.")
  private Path directory = Path.of("");

  @Option(
      names = "--verify",
      description =
          "Also compare files that the directory has already with their hashes, and replace"
              + " damaged ones.")
  private boolean verify;

  @Option(names = "--json", description = BackupText.JSON)
  private boolean isJson;

  CreateCommand(Terminal terminal) {
    this.terminal = terminal;
    this.keys = new BackupKeys(terminal);
  }

  @Override
  public Integer call() throws IOException {
    long bytesPerSecond = throughput.bytesPerSecond();
    Backups.Backup made;
    if (Files.isDirectory(database)) {
      var unused = keys.existing(database);
    }
    try (Database opened = Database.open(database, options())) {
      made =
          Backups.in(keys.backups(directory))
              .bytesPerSecond(bytesPerSecond)
              .verifying(verify)
              .create(opened);
    }
    if (isJson) {
      JsonDocument.write(terminal.out(), json -> BackupText.write(json, made));
    } else {
      terminal.line(BackupText.line(made));
    }
    return ExitCode.OK;
  }

  private DatabaseOptions options() throws IOException {
    return keys.in(DatabaseOptions.builder())
        .createIfMissing(false)
        .compaction(Compaction.none())
        .memoryBytes(ToolMemory.UNLIMITED_BYTES)
        .chunkCacheBytes(0)
        .keyCacheBytes(0)
        .build();
  }
}
