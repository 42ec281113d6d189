package io.siltstone.tools.compact;

import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code siltstone compact}: runs a major compaction. */
@Command(
    name = "compact",
    description = {
      "Runs a major compaction of a table: merges all its SSTables into one, or into as"
          + " many as its compaction strategy wants.",
      "Crash-safe: until it ends the old files are live, then the new ones."
    })
public final class CompactCommand extends MaintenanceCommand {
  @Option(
      names = {"-s", "--split-output"},
      description =
          "Write SSTables of one half, one quarter and so on, none below 50 MB, instead"
              + " of one.")
  private boolean isSplit;

  @Option(
      names = "--user-defined",
      paramLabel = "FILE-Data.db",
      split = ",",
      description = "Merge only these SSTables of the directory.")
  private @Nullable List<Path> files;

  @Option(
      names = {"-st", "--start-token"},
      paramLabel = "TOKEN",
      description =
          "Only SSTables with partitions from this token on; for byte-ordered keys, a key"
              + " in hexadecimal.")
  private @Nullable String start;

  @Option(
      names = {"-et", "--end-token"},
      paramLabel = "TOKEN",
      description = "Only SSTables with partitions up to this token.")
  private @Nullable String end;

  /** Creates the command; see {@link MaintenanceCommand}. */
  public CompactCommand(
      Terminal terminal, FailureReporter failures, InterruptHandler interruption) {
    super(terminal, failures, interruption);
  }

  @Override
  CompactionRequest request(OpenTable table) throws IOException {
    boolean isRange = start != null || end != null;
    List<Path> given = files;
    if (given != null) {
      if (isSplit || isRange) {
        throw new UsageException("--user-defined excludes --split-output and token ranges");
      }
      return CompactionRequest.of(Operation.USER_DEFINED).withTables(named(given, table));
    }
    CompactionRequest request = CompactionRequest.of(Operation.MAJOR);
    if (isSplit) {
      request = request.split();
    }
    return isRange
        ? request.withRange(new TokenRange(table.live().partitioner()).of(start, end))
        : request;
  }

  private static Set<Descriptor> named(List<Path> files, OpenTable table) throws IOException {
    if (files.isEmpty()) {
      throw new UsageException("--user-defined names no SSTable");
    }
    Set<Descriptor> named = new HashSet<>();
    for (Path file : files) {
      requireWithin(table.files(), file);
      String name = String.valueOf(file.getFileName());
      named.add(
          table.live().tables().stream()
              .map(LiveTable::descriptor)
              .filter(
                  live ->
                      name.equals(live.toString()) || name.equals(live.fileName(Component.DATA)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--user-defined " + file + " is not a live SSTable of " + table.id())));
    }
    return named;
  }

  /** Rejects a file outside the directory: one of the same name elsewhere is another SSTable. */
  private static void requireWithin(Path directory, Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null && !(Files.exists(parent) && Files.isSameFile(parent, directory))) {
      throw new UsageException(
          "--user-defined " + file + " is not in the table's directory " + directory);
    }
  }
}
