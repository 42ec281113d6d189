package io.siltstone.tools;

import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressors;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.TableFile;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code siltstone info}: what this installation is, or which tables there are. */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    description = {
      "Without arguments: versions, which compressors work here and how, default options.",
      "With files and directories: a line for each SSTable found, subdirectories included."
    })
final class InfoCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;

  @Parameters(paramLabel = "DIR|FILE", arity = "0..*", description = "Where to look for SSTables.")
  private List<Path> places = List.of();

  InfoCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    if (places.isEmpty()) {
      printInstallation();
      return ExitCode.OK;
    }
    List<Path> files = new ArrayList<>();
    for (Path place : places) {
      files.addAll(dataFiles(place));
    }
    boolean damaged = false;
    for (Path file : files) {
      damaged |= !printTable(file);
    }
    return damaged ? ExitCode.DAMAGED : ExitCode.OK;
  }

  private void printInstallation() {
    terminal.line("siltstone " + Versions.siltstone());
    terminal.line("java " + Versions.java());
    terminal.line(
        "reads SSTables of versions "
            + versions(Arrays.stream(FormatVersion.values()))
            + ", writes "
            + versions(Arrays.stream(FormatVersion.values()).filter(FormatVersion::isWritable)));
    terminal.line("");
    terminal.line("Compressors:");
    Compressors.describe().forEach((name, what) -> terminal.format("  %-18s %s", name, what));
    terminal.line("");
    terminal.line("Defaults:");
    terminal.line("  compression " + CompressionOptions.DEFAULT);
    terminal.line("  crc_check_chance " + SSTableOptions.DEFAULT.crcCheckChance());
    terminal.line("  read-ahead " + SequentialAccess.DEFAULT_READ_AHEAD_BYTES / 1024 + " KiB");
  }

  private static String versions(Stream<FormatVersion> versions) {
    return versions.map(FormatVersion::text).collect(Collectors.joining(", "));
  }

  /** The data files in a directory and below, or the file itself. */
  private static List<Path> dataFiles(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new NoSuchFileException(place.toString());
    }
    if (!Files.isDirectory(place)) {
      return List.of(TableFile.of(place).path());
    }
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(InfoCommand::isDataFile).sorted().toList();
    }
  }

  private static boolean isDataFile(Path path) {
    Path name = path.getFileName();
    return name != null
        && Descriptor.isComponent(name.toString(), Component.DATA)
        && Files.isRegularFile(path);
  }

  /** Prints a table's line, whatever state it is in; returns whether it could be opened. */
  private boolean printTable(Path file) {
    try (SSTable table = TableFile.of(file).open(memory.get())) {
      terminal.line(file + ": " + describe(table));
      return true;
    } catch (IOException | UsageException e) {
      terminal.line(file + ": " + e.getMessage());
      return false;
    }
  }

  private static String describe(SSTable table) {
    StatsMetadata stats = table.statistics().stats();
    CompressionOptions compression = table.compression();
    return String.format(
        Locale.ROOT,
        "version %s, %d bytes, %s, about %d partitions, %d rows, timestamps %s to %s, level %d",
        table.descriptor().version().text(),
        table.onDiskLength(),
        compression.isEnabled()
            ? String.format(
                Locale.ROOT,
                "%s %d KiB chunks, ratio %.3f",
                compression.className(),
                compression.chunkLengthBytes() / 1024,
                (double) table.onDiskLength() / table.dataLength())
            : "not compressed",
        table.statistics().compaction().cardinality().estimate(),
        stats.totalRows(),
        time(stats.minTimestamp()),
        time(stats.maxTimestamp()),
        stats.level());
  }

  /** A timestamp in microseconds as ISO 8601, if it can be a time; else the number. */
  private static String time(long micros) {
    return Math.abs(micros) > Instant.parse("9999-12-31T00:00:00Z").toEpochMilli() * 1000
            || micros == Long.MIN_VALUE
        ? Long.toString(micros)
        : Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
