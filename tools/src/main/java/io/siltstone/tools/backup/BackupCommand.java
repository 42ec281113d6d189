package io.siltstone.tools.backup;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.Backups;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code siltstone backup}: incremental backups of databases in a directory. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "ACTION",
    description = {
      "Makes, lists, verifies, prunes and restores backups of databases in a directory, which has"
          + " each file once, however many backups it is part of.",
      "A database that a program has open is backed up by the program, with the class Backups."
    })
public final class BackupCommand implements Runnable {
  private static final String JSON = "Print one JSON document; sizes are bytes.";
  private static final String BACKUPS = "The directory of the backups.";
  private static final String THROUGHPUT =
      "Copy at most SIZE a second, such as 64MiB; 0 for no limit, which is the default.";

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  /** Prints to the terminal. */
  public BackupCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the help if no action is given. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Makes a backup of a database that no process has open: copies what the directory of"
            + " backups lacks.",
        "Either all of it is listed in the end, or nothing. The remains of an interrupted backup"
            + " are removed by the next one."
      })
  int create(
      @Parameters(paramLabel = "DATABASE", description = "The database.") Path database,
      @Parameters(
              paramLabel = "BACKUPS",
              description = "The directory of the backups; created if it is missing.")
          Path directory,
      @Option(
              names = "--verify",
              description =
                  "Also compare files that the directory has already with their hashes, and replace"
                      + " damaged ones.")
          boolean verify,
      @Option(names = "--throughput", paramLabel = "SIZE", description = THROUGHPUT)
          @Nullable String throughput,
      @Option(names = "--json", description = JSON) boolean isJson)
      throws IOException {
    long bytesPerSecond = bytesPerSecond(throughput);
    Backups.Backup made;
    try (Database opened = Database.open(database, options())) {
      made = Backups.in(directory).bytesPerSecond(bytesPerSecond).verifying(verify).create(opened);
    }
    if (isJson) {
      JsonDocument.write(terminal.out(), json -> write(json, made));
    } else {
      terminal.line(line(made));
    }
    return ExitCode.OK;
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .createIfMissing(false)
        .compaction(Compaction.none())
        .memoryBytes(ToolMemory.UNLIMITED_BYTES)
        .chunkCacheBytes(0)
        .keyCacheBytes(0)
        .build();
  }

  private static long bytesPerSecond(@Nullable String throughput) {
    return throughput == null ? 0 : Units.parseBytes("--throughput", throughput);
  }

  private static String line(Backups.Backup backup) {
    return "backup "
        + backup.id()
        + " of "
        + backup.createdAt()
        + ": "
        + CountText.of(backup.files(), "file")
        + ", "
        + Units.bytes(backup.bytes())
        + ", of which "
        + Units.bytes(backup.copiedBytes())
        + " were copied";
  }

  private static void write(JsonGenerator json, Backups.Backup backup) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", backup.id());
    json.writeStringField("created_at", backup.createdAt().toString());
    json.writeStringField("host_id", backup.hostId().toString());
    json.writeNumberField("files", backup.files());
    json.writeNumberField("bytes", backup.bytes());
    json.writeNumberField("copied_bytes", backup.copiedBytes());
    json.writeEndObject();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Prints a line for each backup, the oldest first.")
  int list(
      @Parameters(paramLabel = "BACKUPS", description = BACKUPS) Path directory,
      @Option(names = "--json", description = JSON) boolean isJson)
      throws IOException {
    List<Backups.Backup> all = existing(directory).list();
    if (isJson) {
      JsonDocument.writeObject(
          terminal.out(),
          json -> {
            json.writeArrayFieldStart("backups");
            for (Backups.Backup backup : all) {
              write(json, backup);
            }
            json.writeEndArray();
          });
      return ExitCode.OK;
    }
    all.forEach(backup -> terminal.line(line(backup)));
    if (all.isEmpty()) {
      terminal.line("there are no backups");
    }
    return ExitCode.OK;
  }

  /** Opens the backups of a directory that exists: a wrong name must not create one. */
  private static Backups existing(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString(), null, "there are no backups");
    }
    return Backups.in(directory);
  }

  @Command(
      name = "verify",
      mixinStandardHelpOptions = true,
      description = {
        "Compares every file of backups with its hash.",
        "Prints a line for each backup, and one for each file that is damaged or missing; the exit"
            + " code is 1 if there is one."
      })
  int verify(
      @Parameters(paramLabel = "BACKUPS", description = BACKUPS) Path directory,
      @Parameters(
              paramLabel = "ID",
              arity = "0..*",
              description = "Backups as list prints them; all without one.")
          @Nullable List<Long> ids,
      @Option(names = "--throughput", paramLabel = "SIZE", description = THROUGHPUT)
          @Nullable String throughput)
      throws IOException {
    Backups backups = existing(directory).bytesPerSecond(bytesPerSecond(throughput));
    int code = ExitCode.OK;
    List<Long> asked = ids == null ? backups.list().stream().map(Backups.Backup::id).toList() : ids;
    for (long id : asked) {
      List<CorruptFileException> wrong = backups.verify(id);
      terminal.line(
          "backup " + id + ": " + (wrong.isEmpty() ? "ok" : wrong.size() + " damaged or missing"));
      wrong.forEach(each -> terminal.line("  " + each.getMessage()));
      code = wrong.isEmpty() ? code : ExitCode.DAMAGED;
    }
    return code;
  }

  @Command(
      name = "prune",
      mixinStandardHelpOptions = true,
      description = "Deletes all backups but the last ones, and the files that only they have.")
  int prune(
      @Parameters(paramLabel = "BACKUPS", description = BACKUPS) Path directory,
      @Option(
              names = "--keep",
              paramLabel = "N",
              required = true,
              description = "How many backups are kept; 1 or more.")
          int keep)
      throws IOException {
    UsageException.require(keep >= 1, "--keep", keep, "1 or more");
    List<Long> deleted = existing(directory).prune(keep);
    terminal.line(deleted.isEmpty() ? "nothing is deleted" : "deleted " + deleted);
    return ExitCode.OK;
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = {
        "Deletes a backup, and the files that no other has.",
        "A backup whose manifest is damaged can be deleted too; the others can be used again then."
      })
  int delete(
      @Parameters(paramLabel = "BACKUPS", description = BACKUPS) Path directory,
      @Parameters(paramLabel = "ID", description = "The backup, as list prints it.") long id)
      throws IOException {
    existing(directory).delete(id);
    terminal.line("deleted backup " + id);
    return ExitCode.OK;
  }

  @Command(
      name = "restore",
      mixinStandardHelpOptions = true,
      description = {
        "Restores a backup into a new directory, which is a database when all of it is there.",
        "Each file is compared with its hash. With --archive, the writes that the archived commit"
            + " log has since the backup are restored, too."
      })
  int restore(
      @Parameters(paramLabel = "BACKUPS", description = BACKUPS) Path directory,
      @Parameters(paramLabel = "TARGET", description = "An empty or missing directory.")
          Path target,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "The backup, as list prints it; the last one by default.")
          @Nullable Long id,
      @Option(names = "--verify", description = "Also read what was written, and compare it.")
          boolean verify,
      @Option(
              names = "--archive",
              paramLabel = "DIR",
              description = "The archive of the commit log.")
          @Nullable Path archive,
      @Option(
              names = "--up-to",
              paramLabel = "TIME",
              description =
                  "Restore writes of the archive up to this time, such as 2026-03-01T12:00:00Z; all"
                      + " of them by default.")
          @Nullable String upTo,
      @Option(names = "--throughput", paramLabel = "SIZE", description = THROUGHPUT)
          @Nullable String throughput)
      throws IOException {
    Instant end = time(upTo, archive);
    Backups backups =
        existing(directory).bytesPerSecond(bytesPerSecond(throughput)).verifying(verify);
    List<Backups.Backup> all = backups.list();
    if (all.isEmpty()) {
      throw new NoSuchFileException(directory.toString(), null, "there are no backups");
    }
    long asked = id == null ? all.get(all.size() - 1).id() : id;
    if (archive == null) {
      backups.restore(asked, target);
    } else {
      Directory segments = NioDirectory.openExisting(archive);
      try {
        backups.restore(asked, NioDirectory.open(target), segments, end);
      } catch (IllegalArgumentException e) {
        throw new UsageException("--up-to = " + upTo + ": " + e.getMessage(), e);
      }
    }
    terminal.line("restored backup " + asked + " to " + target);
    return ExitCode.OK;
  }

  private static Instant time(@Nullable String upTo, @Nullable Path archive) {
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
