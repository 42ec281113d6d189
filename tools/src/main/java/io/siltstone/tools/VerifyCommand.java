package io.siltstone.tools;

import io.siltstone.io.CorruptFileException;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.TableFile;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code siltstone verify}: says whether SSTables are sound. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks SSTables: opens each and compares its data file with Digest.crc32.",
      "Prints a line for each; the exit code is 1 if one is damaged, or lacks a file that its TOC.txt"
          + " names."
    })
final class VerifyCommand implements Callable<Integer> {
  private static final double BYTES_PER_MB = 1_000_000;

  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;

  @Parameters(paramLabel = "FILE-Data.db", arity = "1..*", description = "Data files of SSTables.")
  private List<Path> files = List.of();

  @Option(
      names = {"-e", "--extended"},
      description =
          "Also read everything: each checksum, row, cell and value, and all index entries"
              + " against the data.")
  private boolean extended;

  VerifyCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    // Wrong names are told before hours of reading.
    List<TableFile> tables = new ArrayList<>();
    for (Path file : files) {
      tables.add(TableFile.of(file));
    }
    boolean damaged = false;
    for (TableFile table : tables) {
      try {
        String what = verify(table);
        MissingFiles missing = MissingFiles.of(table);
        damaged |= missing.isIncomplete();
        terminal.line(
            table.path() + (missing.isIncomplete() ? ": incomplete" : ": ok") + what + missing);
      } catch (CorruptSSTableException | CorruptFileException e) {
        damaged = true;
        terminal.line(table.path() + ": " + e.getMessage());
      }
      terminal.out().flush();
    }
    return damaged ? ExitCode.DAMAGED : ExitCode.OK;
  }

  private String verify(TableFile file) throws IOException {
    long start = System.nanoTime();
    try (SSTable table = file.open(memory.get())) {
      if (!extended) {
        if (!table.components().contains(Component.DIGEST)) {
          return ", opened only, as there is no digest to compare with";
        }
        table.verifyDigest();
        return ", digest only, " + rate(table.onDiskLength(), start);
      }
      SSTableVerifier.Result result = new SSTableVerifier(table).verify(position -> {});
      return String.format(
          Locale.ROOT,
          ", %d partitions, %d rows, %d cells, %d range tombstone markers, %s",
          result.partitions(),
          result.rows(),
          result.cells(),
          result.markers(),
          rate(table.dataLength(), start));
    }
  }

  /** Bytes of data and how fast they were read, e.g. {@code 12.1 MB at 210 MB/s}. */
  private static String rate(long bytes, long startNanos) {
    double seconds = Math.max(1, System.nanoTime() - startNanos) / 1e9;
    return String.format(
        Locale.ROOT, "%.1f MB at %.0f MB/s", bytes / BYTES_PER_MB, bytes / BYTES_PER_MB / seconds);
  }
}
