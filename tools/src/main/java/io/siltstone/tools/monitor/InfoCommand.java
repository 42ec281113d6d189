package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.text.CountText;
import io.siltstone.tools.process.ProcessOption;
import io.siltstone.tools.terminal.DamageReporter;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.DirectoryPath;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.KeptDictionary;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SSTableFile;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code siltstone info}: describes this installation, a running process, or the
 * SSTables in directories.
 */
@Command(
    name = "info",
    mixinStandardHelpOptions = true,
    description = {
      "Without arguments: versions, available compressors, default options.",
      "With --pid or --jmx: the databases of a running process, in the form of " + "nodetool info.",
      "With files and directories: one line for each SSTable found, including"
          + " subdirectories, except snapshots, backups and quarantined files; before them the"
          + " state of the database, if the directory is one."
    })
public final class InfoCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Supplier<MemoryBudget> memory;
  private final String version;
  private final String java;
  private final DamageReporter damage;

  @Parameters(
      paramLabel = "DIR|FILE",
      arity = "0..*",
      description = "Files and directories to search for SSTables.")
  private List<Path> places = List.of();

  @Mixin private ProcessOption process = new ProcessOption();

  @Mixin private KeyFileOption keys;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory budget that SSTables are opened with
   * @param version of this program
   * @param java version that it runs on
   */
  public InfoCommand(
      Terminal terminal, Supplier<MemoryBudget> memory, String version, String java) {
    this.terminal = terminal;
    this.keys = new KeyFileOption(terminal);
    this.memory = memory;
    this.version = version;
    this.java = java;
    this.damage = new DamageReporter(terminal);
  }

  @Override
  public Integer call() throws IOException {
    if (process.count() + (places.isEmpty() ? 0 : 1) > 1) {
      throw new UsageException("name either files and directories, or --pid, or --jmx");
    }
    if (process.count() > 0) {
      return MonitorTargets.lookAt(
          process,
          all -> {
            if (isJson) {
              JsonDocument.writeObject(terminal.out(), json -> DatabaseInfo.write(json, all));
            } else {
              DatabaseInfo.print(terminal, all);
            }
          });
    }
    if (places.isEmpty()) {
      if (isJson) {
        JsonDocument.writeObject(terminal.out(), this::writeInstallation);
      } else {
        printInstallation();
      }
      return ExitCode.OK;
    }
    return isJson ? writeFiles() : printFiles();
  }

  private int printFiles() throws IOException {
    int code = ExitCode.OK;
    for (Path place : places) {
      if (DatabaseDirectory.is(place)) {
        code =
            ExitCode.worse(
                code, look(place, database -> DatabaseInfo.print(terminal, List.of(database))));
      }
    }
    for (Path place : places) {
      for (Path file : dataFiles(place)) {
        code =
            ExitCode.worse(
                code,
                withTable(
                    file, (named, table) -> terminal.line(file + ": " + describe(named, table))));
      }
      for (KeptDictionary each : dictionaries(place)) {
        terminal.line(each.path() + ": " + each.text());
        code = ExitCode.worse(code, each.isDamaged() ? ExitCode.DAMAGED : ExitCode.OK);
      }
    }
    return code;
  }

  private int writeFiles() throws IOException {
    AtomicInteger code = new AtomicInteger(ExitCode.OK);
    JsonDocument.writeObject(
        terminal.out(),
        json -> {
          json.writeArrayFieldStart("databases");
          for (Path place : places) {
            if (DatabaseDirectory.is(place)) {
              code.accumulateAndGet(
                  look(place, each -> DatabaseInfo.write(json, each)), ExitCode::worse);
            }
          }
          json.writeEndArray();
          json.writeArrayFieldStart("sstables");
          for (Path place : places) {
            for (Path file : dataFiles(place)) {
              code.accumulateAndGet(
                  withTable(file, (named, table) -> write(json, named, table)), ExitCode::worse);
            }
          }
          json.writeEndArray();
          json.writeArrayFieldStart("compression_dictionaries");
          for (Path place : places) {
            for (KeptDictionary each : dictionaries(place)) {
              code.accumulateAndGet(
                  each.isDamaged() ? ExitCode.DAMAGED : ExitCode.OK, ExitCode::worse);
              write(json, each);
            }
          }
          json.writeEndArray();
        });
    return code.get();
  }

  /** Returns what tables keep, if a whole directory is asked for. */
  private List<KeptDictionary> dictionaries(Path place) throws IOException {
    return Files.isDirectory(place) ? KeptDictionary.beside(dataFiles(place), keys) : List.of();
  }

  private static void write(JsonGenerator json, KeptDictionary each) throws IOException {
    json.writeStartObject();
    json.writeStringField("path", each.path().toString());
    if (each.isDamaged()) {
      json.writeStringField("damage", each.damage());
    }
    if (each.file() != null) {
      json.writeNumberField("trained_at_millis", each.file().trainedMillis());
      CompressionDictionary dictionary = each.file().dictionary();
      if (dictionary != null) {
        json.writeNumberField("id", dictionary.id());
        json.writeNumberField("bytes", dictionary.length());
      }
    }
    json.writeEndObject();
  }

  /** Uses something that is open. */
  @FunctionalInterface
  private interface Use<T> {
    void of(T opened) throws IOException;
  }

  /** Uses an SSTable that is open. */
  @FunctionalInterface
  private interface TableUse {
    void of(SSTableFile named, SSTable opened) throws IOException;
  }

  /**
   * Opens a database and uses it; returns the exit code, which says whether something in it is
   * damaged.
   */
  private int look(Path place, Use<MonitoredDatabase> use) throws IOException {
    try (StoredDatabase database =
        new StoredDatabase(place.toString(), MonitorTargets.open(place, keys, damage), true)) {
      use.of(database);
    } finally {
      damage.report();
    }
    return damage.reported().isEmpty() ? ExitCode.OK : ExitCode.DAMAGED;
  }

  private void printInstallation() {
    terminal.line("siltstone " + version);
    terminal.line("java " + java);
    terminal.line(
        "reads SSTables of versions "
            + versions(Arrays.stream(FormatVersion.values()))
            + ", writes "
            + versions(Arrays.stream(FormatVersion.values()).filter(FormatVersion::isWritable)));
    terminal.line("");
    terminal.line("Compressors:");
    CompressionOptions.describeCompressors()
        .forEach((name, what) -> terminal.format("  %-18s %s", name, what));
    terminal.line("");
    terminal.line("Defaults:");
    terminal.line("  compression " + CompressionOptions.DEFAULT);
    terminal.line("  crc_check_chance " + SSTableOptions.DEFAULT.crcCheckChance());
    terminal.line("  read-ahead " + SequentialAccess.DEFAULT_READ_AHEAD_BYTES / 1024 + " KiB");
  }

  private static String versions(Stream<FormatVersion> versions) {
    return versions.map(FormatVersion::text).collect(Collectors.joining(", "));
  }

  /** Returns the data files in a directory and below, or the file itself. */
  private List<Path> dataFiles(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new NoSuchFileException(place.toString());
    }
    if (!Files.isDirectory(place)) {
      return List.of(SSTableFile.of(place, keys).path());
    }
    List<Path> files = new ArrayList<>();
    addDataFiles(DirectoryPath.from(place), files);
    files.sort(null);
    if (files.isEmpty() && !DatabaseDirectory.is(place)) {
      throw new UsageException(place + " has no SSTables");
    }
    return files;
  }

  private static void addDataFiles(DirectoryPath way, List<Path> files) throws IOException {
    List<Path> all;
    try (Stream<Path> listed = Files.list(way.directory())) {
      all = listed.toList();
    }
    for (Path each : all) {
      if (isDataFile(each)) {
        files.add(each);
      } else if (Files.isDirectory(each) && DatabaseDirectory.isSearched(each)) {
        addDataFiles(way.to(each), files);
      }
    }
  }

  private static boolean isDataFile(Path path) {
    Path name = path.getFileName();
    return name != null
        && Descriptor.isComponent(name.toString(), Component.DATA)
        && Files.isRegularFile(path);
  }

  /** Opens an SSTable, and reports a failure. Returns the exit code. */
  private int withTable(Path file, TableUse use) throws IOException {
    SSTableFile named;
    SSTable opened;
    try {
      named = SSTableFile.of(file, keys);
      opened = named.open(memory.get());
    } catch (IOException | UsageException e) {
      if (damage.isReported(file)) {
        // The database has skipped the SSTable and reported it.
        return FailureReporter.exitCode(e);
      }
      if (isJson) {
        terminal.errorLine(file + ": " + FailureReporter.describe(e));
      } else {
        terminal.line(file + ": " + FailureReporter.describe(e));
      }
      // As in verify, a version that cannot be read counts as damage.
      return e instanceof UsageException || e instanceof UnsupportedSSTableException
          ? ExitCode.DAMAGED
          : FailureReporter.exitCode(e);
    }
    try (SSTable table = opened) {
      use.of(named, table);
    }
    return ExitCode.OK;
  }

  private void writeInstallation(JsonGenerator json) throws IOException {
    json.writeStringField("siltstone", version);
    json.writeStringField("java", java);
    json.writeArrayFieldStart("reads_versions");
    for (FormatVersion version : FormatVersion.values()) {
      json.writeString(version.text());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("writes_versions");
    for (FormatVersion version : FormatVersion.values()) {
      if (version.isWritable()) {
        json.writeString(version.text());
      }
    }
    json.writeEndArray();
    json.writeObjectFieldStart("compressors");
    for (Map.Entry<String, String> each : CompressionOptions.describeCompressors().entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("default_compression");
    for (Map.Entry<String, String> each : CompressionOptions.DEFAULT.toMap().entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("default_crc_check_chance", SSTableOptions.DEFAULT.crcCheckChance());
    json.writeNumberField("default_read_ahead_bytes", SequentialAccess.DEFAULT_READ_AHEAD_BYTES);
  }

  private static void write(JsonGenerator json, SSTableFile file, SSTable table)
      throws IOException {
    StatsMetadata stats = table.statistics().stats();
    json.writeStartObject();
    json.writeStringField("path", file.path().toString());
    json.writeStringField("version", table.descriptor().version().text());
    json.writeNumberField("bytes", table.onDiskLength());
    json.writeNumberField("data_bytes", table.dataLength());
    if (table.compression().isEnabled()) {
      json.writeStringField("compressor", table.compression().className());
      json.writeNumberField("chunk_length_bytes", table.compression().chunkLengthBytes());
      CompressionDictionary dictionary = table.compression().dictionary();
      if (dictionary != null) {
        json.writeNumberField("compression_dictionary_id", dictionary.id());
        json.writeNumberField("compression_dictionary_bytes", dictionary.length());
      }
    }
    json.writeNumberField(
        "partitions_estimate", table.statistics().compaction().cardinality().estimate());
    json.writeNumberField("rows", stats.totalRows());
    json.writeNumberField("min_timestamp", stats.minTimestamp());
    json.writeNumberField("max_timestamp", stats.maxTimestamp());
    json.writeNumberField("level", stats.level());
    Optional<String> floor = file.retentionFloor(table);
    if (floor.isPresent()) {
      json.writeStringField("retention_floor", floor.get());
    }
    json.writeEndObject();
  }

  private static String describe(SSTableFile file, SSTable table) throws IOException {
    StatsMetadata stats = table.statistics().stats();
    CompressionOptions compression = table.compression();
    String described =
        String.format(
            Locale.ROOT,
            "version %s, %d bytes, %s, about %s, %s including static rows, timestamps %s to %s,"
                + " level %d",
            table.descriptor().version().text(),
            table.onDiskLength(),
            compression.isEnabled()
                ? String.format(
                    Locale.ROOT,
                    "%s %d KiB chunks%s, ratio %.3f",
                    compression.className(),
                    compression.chunkLengthBytes() / 1024,
                    compression.dictionary() == null ? "" : " with " + compression.dictionary(),
                    (double) table.onDiskLength() / table.dataLength())
                : "not compressed",
            CountText.of(table.statistics().compaction().cardinality().estimate(), "partition"),
            CountText.of(stats.totalRows(), "row"),
            time(stats.minTimestamp()),
            time(stats.maxTimestamp()),
            stats.level());
    return described
        + file.retentionFloor(table).map(floor -> ", retention floor " + floor).orElse("");
  }

  /** Formats a timestamp in microseconds as ISO 8601 if it is in range; otherwise as a number. */
  private static String time(long micros) {
    return Math.abs(micros) > Instant.parse("9999-12-31T00:00:00Z").toEpochMilli() * 1000
            || micros == Long.MIN_VALUE
        ? Long.toString(micros)
        : Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
