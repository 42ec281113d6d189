package io.siltstone.tools.verify;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.io.CorruptFileException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.KeptDictionary;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.RepairAdvice;
import io.siltstone.tools.terminal.SSTableFile;
import io.siltstone.tools.terminal.SSTableFinder;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code siltstone verify}: checks SSTables for damage. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks SSTables: opens each and compares its data file with Digest.crc32.",
      "For a directory, checks all SSTables of the table, database or checkpoint, which"
          + " must not change meanwhile.",
      "Prints a line for each SSTable, with the command that repairs its damage; the exit"
          + " code is 1 if one is damaged, lacks a file that its TOC.txt names, or has a version"
          + " that cannot be read; 3 if none is, and one could not be read to its end."
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final double BYTES_PER_MB = 1_000_000;
  private static final String OPENED = "opened";

  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;

  @Parameters(
      paramLabel = "DIR|FILE-Data.db",
      arity = "1..*",
      description = "Directories, and data files of SSTables.")
  private List<Path> places = List.of();

  @Mixin private KeyFileOption keys;

  @Option(
      names = {"-e", "--extended"},
      description =
          "Also read everything: verify each checksum, row, cell and value, and all index"
              + " entries against the data.")
  private boolean extended;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory that SSTables are opened with; stays open
   */
  public VerifyCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.keys = new KeyFileOption(terminal);
    this.memory = memory;
  }

  @Override
  public Integer call() throws IOException {
    // Wrong names are reported before hours of reading.
    SSTableFinder all = SSTableFinder.of(places, keys);
    List<SSTableFile> tables = all.tables();
    Map<Path, String> unsupported = all.unsupported();
    if (isJson) {
      int[] code = new int[1];
      JsonDocument.write(terminal.out(), json -> code[0] = write(json, tables, unsupported));
      return code[0];
    }
    return print(tables, unsupported);
  }

  /** Prints a line for each SSTable; returns the exit code. */
  private int print(List<SSTableFile> tables, Map<Path, String> unsupported) throws IOException {
    boolean damaged = !unsupported.isEmpty();
    boolean unread = false;
    List<String> remedies = new ArrayList<>();
    unsupported.forEach((path, reason) -> terminal.line(path + ": not checked: " + reason));
    for (SSTableFile table : tables) {
      try {
        Checked checked = verify(table);
        MissingFiles missing = MissingFiles.of(table);
        damaged |= missing.isIncomplete();
        terminal.line(
            table.path()
                + (missing.isIncomplete() ? ": incomplete" : ": ok")
                + checked.text()
                + missing);
        if (missing.canBeRebuilt()) {
          remedies.add(RepairAdvice.ofMissing(table.path()));
        }
      } catch (UnsupportedSSTableException e) {
        damaged = true;
        terminal.line(table.path() + ": not checked: " + e.getMessage());
      } catch (CorruptSSTableException e) {
        damaged = true;
        terminal.line(table.path() + ": " + e.getMessage());
        remedies.add(RepairAdvice.of(e, table.path()));
      } catch (CorruptFileException e) {
        damaged = true;
        terminal.line(table.path() + ": " + e.getMessage());
      } catch (IOException e) {
        unread = true;
        terminal.line(table.path() + ": cannot be read: " + FailureReporter.describe(e));
      }
      terminal.out().flush();
    }
    for (KeptDictionary each : dictionaries(tables)) {
      damaged |= each.isDamaged();
      terminal.line(each.path() + (each.isDamaged() ? ": " : ": ok, ") + each.text());
    }
    remedies.forEach(remedy -> terminal.err().print("siltstone: " + remedy + "\n"));
    return exitCode(damaged, unread);
  }

  /** Writes an object for each SSTable; returns the exit code. */
  private int write(JsonGenerator json, List<SSTableFile> tables, Map<Path, String> unsupported)
      throws IOException {
    boolean damaged = !unsupported.isEmpty();
    boolean unread = false;
    json.writeStartObject();
    json.writeArrayFieldStart("sstables");
    for (SSTableFile table : tables) {
      json.writeStartObject();
      json.writeStringField("path", table.path().toString());
      try {
        Checked checked = verify(table);
        MissingFiles missing = MissingFiles.of(table);
        damaged |= missing.isIncomplete();
        json.writeStringField("state", missing.isIncomplete() ? "incomplete" : "ok");
        checked.write(json);
        missing.write(json);
        if (missing.canBeRebuilt()) {
          json.writeStringField("remedy", RepairAdvice.ofMissing(table.path()));
        }
      } catch (UnsupportedSSTableException e) {
        damaged = true;
        json.writeStringField("state", "unsupported");
        json.writeStringField("reason", e.getMessage());
      } catch (CorruptSSTableException e) {
        damaged = true;
        json.writeStringField("state", "damaged");
        json.writeStringField("reason", e.getMessage());
        json.writeStringField("remedy", RepairAdvice.of(e, table.path()));
      } catch (CorruptFileException e) {
        damaged = true;
        json.writeStringField("state", "damaged");
        json.writeStringField("reason", e.getMessage());
      } catch (IOException e) {
        unread = true;
        json.writeStringField("state", "unreadable");
        json.writeStringField("reason", FailureReporter.describe(e));
      }
      json.writeEndObject();
      json.flush();
    }
    for (Map.Entry<Path, String> each : unsupported.entrySet()) {
      json.writeStartObject();
      json.writeStringField("path", each.getKey().toString());
      json.writeStringField("state", "unsupported");
      json.writeStringField("reason", each.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("compression_dictionaries");
    for (KeptDictionary each : dictionaries(tables)) {
      damaged |= each.isDamaged();
      json.writeStartObject();
      json.writeStringField("path", each.path().toString());
      json.writeStringField("state", each.isDamaged() ? "damaged" : "ok");
      if (each.isDamaged()) {
        json.writeStringField("reason", each.text());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    return exitCode(damaged, unread);
  }

  private List<KeptDictionary> dictionaries(List<SSTableFile> tables) throws IOException {
    return KeptDictionary.beside(tables.stream().map(SSTableFile::path).toList(), keys);
  }

  private static int exitCode(boolean damaged, boolean unread) {
    return damaged ? ExitCode.DAMAGED : unread ? ExitCode.IO : ExitCode.OK;
  }

  private Checked verify(SSTableFile file) throws IOException {
    long start = System.nanoTime();
    try (SSTable table = file.open(memory.get())) {
      if (extended) {
        SSTableVerifier.Result result = new SSTableVerifier(table).verify(position -> {});
        return new Checked("everything", result, table.dataLength(), seconds(start));
      }
      if (!table.components().contains(Component.DIGEST)) {
        return new Checked(OPENED, null, 0, seconds(start));
      }
      table.verifyDigest();
      return new Checked("digest", null, table.onDiskLength(), seconds(start));
    }
  }

  private static double seconds(long startNanos) {
    return Math.max(1, System.nanoTime() - startNanos) / 1e9;
  }

  /**
   * The outcome for an SSTable without damage.
   *
   * @param what {@code everything}, {@code digest}, or {@code opened}, which is neither
   * @param result null if not everything was read
   * @param bytes of data that were read
   */
  private record Checked(
      String what, SSTableVerifier.@Nullable Result result, long bytes, double seconds) {
    /** Returns the middle of a line. */
    String text() {
      if (what.equals(OPENED)) {
        return ", opened only, because there is no digest to compare with";
      }
      String rate =
          String.format(
              Locale.ROOT,
              "%.1f MB at %.0f MB/s",
              bytes / BYTES_PER_MB,
              bytes / BYTES_PER_MB / seconds);
      return result == null
          ? ", digest only, " + rate
          : String.format(
              Locale.ROOT,
              ", %s, %s, %s, %s%s, %s",
              CountText.of(result.partitions(), "partition"),
              CountText.of(result.rows(), "row"),
              CountText.of(result.cells(), "cell"),
              CountText.of(result.markers(), "range tombstone marker"),
              result.overcounted() == 0
                  ? ""
                  : " (its statistics count "
                      + CountText.of(result.overcounted(), "more row")
                      + ", as after a scrub by Cassandra that skipped partitions)",
              rate);
    }

    void write(JsonGenerator json) throws IOException {
      json.writeStringField("checked", what);
      json.writeNumberField("bytes", bytes);
      json.writeNumberField("seconds", seconds);
      if (result != null) {
        json.writeNumberField("partitions", result.partitions());
        json.writeNumberField("rows", result.rows());
        json.writeNumberField("cells", result.cells());
        json.writeNumberField("range_tombstone_markers", result.markers());
        json.writeNumberField("overcounted_rows", result.overcounted());
      }
    }
  }
}
