package io.siltstone.tools.backup;

import io.siltstone.Backups;
import io.siltstone.io.Directory;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone backup restore}: restores a backup into a new directory. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Restores a backup into a new directory, which is a database when all of it is there.",
      "Each file is compared with its hash. With --archive, the writes that the archived commit"
          + " log has since the backup are restored, too."
    })
final class RestoreCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private final BackupDirectory directory;

  @Mixin private final Throughput throughput = new Throughput();

  @Parameters(paramLabel = "TARGET", index = "1", description = "An empty or missing directory.")
  private Path target = Path.of("");

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The backup, as list prints it; the last one by default.")
  private @Nullable Long id;

  @Option(names = "--verify", description = "Also read what was written, and compare it.")
  private boolean verify;

  @Option(names = "--archive", paramLabel = "DIR", description = "The archive of the commit log.")
  private @Nullable Path archive;

  @Option(
      names = "--up-to",
      paramLabel = "TIME",
      description =
          "Restore writes of the archive up to this time, such as 2026-03-01T12:00:00Z; all of them"
              + " by default.")
  private @Nullable String upTo;

  RestoreCommand(Terminal terminal) {
    this.terminal = terminal;
    this.directory = new BackupDirectory(terminal);
  }

  @Override
  public Integer call() throws IOException {
    Instant end = endOfArchive();
    Backups backups =
        directory.open().bytesPerSecond(throughput.bytesPerSecond()).verifying(verify);
    List<Backups.Backup> all = backups.list();
    if (all.isEmpty()) {
      throw directory.none();
    }
    long asked = id == null ? all.get(all.size() - 1).id() : id;
    if (archive == null) {
      backups.restore(asked, directory.keys().database(target));
    } else {
      restoreWithArchive(backups, asked, archive, end);
    }
    terminal.line("restored backup " + asked + " to " + target);
    return ExitCode.OK;
  }

  private void restoreWithArchive(Backups backups, long asked, Path segments, Instant end)
      throws IOException {
    Directory opened = directory.keys().existing(segments);
    try {
      backups.restore(asked, directory.keys().database(target), opened, end);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--up-to = " + upTo + ": " + e.getMessage(), e);
    }
  }

  private Instant endOfArchive() {
    if (upTo == null) {
      return Instant.MAX;
    }
    if (archive == null) {
      throw new UsageException("--up-to needs --archive, which has the writes since the backup");
    }
    try {
      return Instant.parse(upTo);
    } catch (DateTimeException e) {
      throw new UsageException("--up-to = " + upTo + ", allowed such as 2026-03-01T12:00:00Z", e);
    }
  }
}
