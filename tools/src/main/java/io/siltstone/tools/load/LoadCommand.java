package io.siltstone.tools.load;

import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.tools.terminal.CompressionChoice;
import io.siltstone.tools.terminal.DatabaseDirectory;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.SchemaText;
import io.siltstone.tools.terminal.TableOption;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import io.siltstone.tools.terminal.VerifyOutputOption;
import io.siltstone.tools.terminal.WrittenVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone load}: makes an SSTable of rows in a text file. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes one SSTable of the rows of a text, which may be in any order, in bounded" + " memory.",
      "JSON lines: one object per line, column to value, as in CQL's INSERT JSON; a"
          + " missing column is not written, null deletes it. CSV: column names in the first"
          + " line, values as in CQL; an empty field is not written, \"\" is the empty value. Of"
          + " lines with the same primary key the later ones win, column by column."
    })
public final class LoadCommand implements Callable<Integer> {
  private static final String INTERRUPTED = "interrupted, nothing was loaded";

  private final Terminal terminal;
  private final InterruptHandler interruption;
  private final Clock clock;

  @Option(
      names = "--schema",
      required = true,
      paramLabel = "FILE",
      description = "File with the CREATE TABLE statement.")
  private Path schema;

  @Mixin private TableOption table = new TableOption();

  @Option(
      names = "--input",
      required = true,
      paramLabel = "FILE",
      description = "Input file, - for standard input.")
  private String input;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Format of the input, jsonl or csv; by default from the ending of its name.")
  private @Nullable InputFormat inputFormat;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "DIR",
      description = "Directory of the table, not of a database; created if missing.")
  private Path output;

  @Mixin private KeyFileOption keys;

  @Option(
      names = "--sstable-version",
      paramLabel = "VERSION",
      defaultValue = "oa",
      description = "Format version to write: nb, oa, da, pa or ea; default ${DEFAULT-VALUE}.")
  private String sstableVersion;

  @Option(
      names = "--partitioner",
      paramLabel = "NAME",
      defaultValue = "murmur3",
      description = "murmur3 or byte-ordered; default ${DEFAULT-VALUE}.")
  private String partitioner;

  @Mixin private CompressionChoice compression = new CompressionChoice();

  @Option(
      names = "--timestamp",
      paramLabel = "MICROS",
      description = "Timestamp of all cells, microseconds since 1970; default now.")
  private @Nullable Long timestamp;

  @Option(
      names = "--ttl",
      paramLabel = "SECONDS",
      description = "Time to live instead of the schema's default_time_to_live; 0 for none.")
  private @Nullable Integer ttl;

  @Option(
      names = "--max-memory-mb",
      paramLabel = "N",
      defaultValue = "64",
      description = "Memory for the rows that are sorted at a time; default ${DEFAULT-VALUE}.")
  private int maxMemoryMb;

  @Mixin private VerifyOutputOption verifyOutput = new VerifyOutputOption();

  @Option(
      names = "--skip-bad-rows",
      paramLabel = "N",
      defaultValue = "0",
      description = "Skip up to this many rows that cannot be loaded.")
  private long skipBadRows;

  @Option(names = "--json", description = "Print a summary as one JSON document.")
  private boolean isJson;

  /**
   * Creates a command that uses the system's clock.
   *
   * @param interruption ends the load when the user interrupts it
   */
  public LoadCommand(Terminal terminal, InterruptHandler interruption) {
    this.terminal = terminal;
    this.keys = new KeyFileOption(terminal);
    this.interruption = interruption;
    this.clock = Clock.systemUTC();
  }

  @Override
  public Integer call() throws IOException {
    // Opening a pipe blocks until its other end is opened, and cannot be interrupted.
    interruption.endAtOnce(() -> terminal.err().print("siltstone: " + INTERRUPTED + "\n"));
    checkRange("--max-memory-mb", maxMemoryMb, 1, 1 << 20);
    checkRange("--skip-bad-rows", skipBadRows, 0, Long.MAX_VALUE);
    DatabaseDirectory.requireOutside(output);
    TableSchema loaded = compression.applyTo(readSchema());
    FormatVersion version = WrittenVersion.of(sstableVersion);
    long begun = System.nanoTime();
    try (InputText text = InputText.open(input)) {
      LoadPlan plan =
          new LoadPlan(
              loaded,
              text.name(),
              inputFormat(),
              times(loaded.options()),
              new LoadPlan.Output(version, partitioner(), verifyOutput.level()),
              (long) maxMemoryMb << 20,
              LoadPlan.DEFAULT_MAX_LINE_BYTES,
              skipBadRows);
      LoadResult result = load(plan, text);
      LoadSummary summary = new LoadSummary(result, (System.nanoTime() - begun) / 1e9);
      if (isJson) {
        summary.printJson(terminal);
      } else {
        summary.print(terminal);
      }
      result
          .warnings()
          .forEach(warning -> terminal.errorLine("all rows are loaded, but: " + warning));
    }
    return ExitCode.OK;
  }

  private LoadResult load(LoadPlan plan, InputText text) throws IOException {
    Path absolute = output.toAbsolutePath().normalize();
    List<Path> made = missing(absolute);
    LoadProgress progress =
        Terminal.isInteractive()
            ? new TerminalProgress(terminal.err(), System::nanoTime, text.length())
            : LoadProgress.NONE;
    CancelFlag stop = new CancelFlag(INTERRUPTED);
    // Before anything is created, which has to be removed on interruption.
    interruption.endInOrder(
        () -> {
          stop.ask();
          text.interrupt();
        });
    try {
      Directory directory = keys.open(absolute);
      return new Loader(plan, directory, progress, stop).load(text.stream());
    } catch (Throwable e) {
      progress.end();
      try {
        for (Path each : made) {
          Files.deleteIfExists(each);
        }
      } catch (IOException notEmpty) {
        e.addSuppressed(notEmpty);
      }
      // A stream closed in the middle of a line makes that line look wrong.
      stop.check();
      throw e;
    }
  }

  /** Returns the directories that creating this one would create, the innermost first. */
  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    Path each = directory;
    while (each != null && !Files.exists(each)) {
      missing.add(each);
      each = each.getParent();
    }
    return missing;
  }

  private TableSchema readSchema() throws IOException {
    // The schema's compression is irrelevant if another one is asked for.
    Schema read =
        SchemaText.read(
            schema,
            compression.hasCompressor() ? SchemaParser::parseLeniently : SchemaParser::parseToWrite,
            terminal);
    return table.only(schema.toString(), read.tables(), each -> each);
  }

  private Partitioner partitioner() {
    return switch (partitioner.toLowerCase(Locale.ROOT)) {
      case "murmur3" -> Partitioner.MURMUR3;
      case "byte-ordered" -> Partitioner.BYTE_ORDERED;
      default ->
          throw new UsageException(
              "--partitioner " + partitioner + ", allowed murmur3, byte-ordered");
    };
  }

  private InputFormat inputFormat() {
    if (inputFormat != null) {
      return inputFormat;
    }
    return InputFormat.ofFileName(input)
        .orElseThrow(
            () ->
                new UsageException(
                    "--input "
                        + input
                        + " ends neither in .jsonl nor in .csv; use --format jsonl or csv"));
  }

  private CellTimes times(TableOptions options) {
    int seconds = ttl == null ? options.defaultTimeToLive() : ttl;
    checkRange("--ttl", seconds, 0, TableOptions.MAX_TIME_TO_LIVE);
    Instant now = clock.instant();
    long micros =
        timestamp != null
            ? timestamp
            : TimeUnit.SECONDS.toMicros(now.getEpochSecond())
                + TimeUnit.NANOSECONDS.toMicros(now.getNano());
    // The two least values stand for no timestamp, and for the deletion of an overwritten
    // collection.
    checkRange("--timestamp", micros, Long.MIN_VALUE + 2, Long.MAX_VALUE);
    return new CellTimes(micros, seconds, now.getEpochSecond());
  }

  private static void checkRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new UsageException(option + " " + value + ", allowed " + least + " to " + most);
    }
  }
}
