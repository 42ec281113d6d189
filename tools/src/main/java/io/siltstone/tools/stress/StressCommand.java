package io.siltstone.tools.stress;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.stress.Stress;
import io.siltstone.bench.stress.StressJson;
import io.siltstone.bench.stress.StressOptions;
import io.siltstone.bench.stress.StressReport;
import io.siltstone.bench.stress.StressResult;
import io.siltstone.bench.stress.StressText;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.TemporaryDirectory;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.jmx.DatabaseBeans;
import io.siltstone.schema.TableOptions;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.OutputDirectory;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code siltstone stress}: runs a workload profile and checks every read. */
@Command(
    name = "stress",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    customSynopsis = {
      "siltstone stress PROFILE [OPTION...]",
      "       siltstone stress list",
      "       siltstone stress info PROFILE"
    },
    description = {
      "Writes and reads a table as a profile says, and prints how many operations per"
          + " second there are and how long they take. Every read is checked: it must return"
          + " what was written.",
      "If interrupted, it prints the results so far."
    })
public final class StressCommand implements Callable<Integer> {
  private static final String TEMPORARY = "siltstone-stress-";

  private final Terminal terminal;
  private final String version;
  private final InterruptHandler interruption;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PROFILE",
      description = "KeyValue, Wide, TimeSeries, Updates, Deletes or RangeScan; see stress list.")
  private @Nullable String profile;

  @Mixin private WorkloadChoice load = new WorkloadChoice();

  @Option(names = "--populate", description = "Write all rows before the run.")
  private boolean populates;

  @Mixin private TableChoice table = new TableChoice();
  @Mixin private DatabaseChoice database = new DatabaseChoice();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Directory of the database, which is kept; created if missing. Existing rows"
              + " are read and checked by their content, which needs the same --value. Default:"
              + " a temporary directory, which is removed.")
  private @Nullable Path directory;

  @Option(names = "--keep", description = "Keep the temporary directory, and print its path.")
  private boolean keeps;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Write stress.json and report.html, with charts, to a directory.")
  private @Nullable Path output;

  @Option(
      names = "--json",
      description = "Print one JSON document at the end; the table goes to standard error.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param version of Siltstone
   * @param interruption ends the run when the user interrupts it; the results so far are then
   *     printed
   */
  public StressCommand(Terminal terminal, String version, InterruptHandler interruption) {
    this.terminal = terminal;
    this.version = version;
    this.interruption = interruption;
  }

  /** Prints the profiles. */
  @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the profiles.")
  int list(@Option(names = "--json", description = "Print one JSON document.") boolean asJson)
      throws IOException {
    if (asJson || isJson) {
      JsonDocument.write(terminal.out(), StressCommand::writeProfiles);
      return ExitCode.OK;
    }
    for (String name : Profile.names()) {
      terminal.format("%-11s %s", name, Profile.of(name, ProfileOptions.DEFAULT).description());
    }
    return ExitCode.OK;
  }

  /** Prints the description of a profile. */
  @Command(
      name = "info",
      mixinStandardHelpOptions = true,
      description = "Describes a profile, with its table and the defaults of its options.")
  int info(
      @Parameters(paramLabel = "PROFILE", description = "Name of a profile; see stress list.")
          String name,
      @Option(names = "--json", description = "Print one JSON document.") boolean asJson)
      throws IOException {
    Profile of = named(name);
    ProfileOptions options = of.options();
    if (asJson || isJson) {
      JsonDocument.write(terminal.out(), json -> writeProfile(json, of));
      return ExitCode.OK;
    }
    terminal.line(of.name());
    terminal.line("  " + of.description());
    terminal.line("");
    terminal.format("  %-14s %,d", "--partitions", options.partitions().orElseThrow());
    options.rows().ifPresent(rows -> terminal.format("  %-14s %,d", "--rows", rows));
    options.limit().ifPresent(limit -> terminal.format("  %-14s %,d", "--limit", limit));
    terminal.format("  %-14s %s", "--value", options.value());
    terminal.line("");
    terminal.line(of.cql());
    return ExitCode.OK;
  }

  private static void writeProfiles(JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (String name : Profile.names()) {
      json.writeStartObject();
      json.writeStringField("name", name);
      json.writeStringField("description", named(name).description());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeProfile(JsonGenerator json, Profile profile) throws IOException {
    ProfileOptions options = profile.options();
    json.writeStartObject();
    json.writeStringField("name", profile.name());
    json.writeStringField("description", profile.description());
    json.writeNumberField("partitions", options.partitions().orElseThrow());
    if (options.rows().isPresent()) {
      json.writeNumberField("rows", options.rows().getAsInt());
    }
    if (options.limit().isPresent()) {
      json.writeNumberField("limit", options.limit().getAsInt());
    }
    json.writeStringField("value", options.value().toString());
    json.writeStringField("cql", profile.cql());
    json.writeEndObject();
  }

  private static Profile named(String name) {
    try {
      return Profile.of(name, ProfileOptions.DEFAULT);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public Integer call() throws IOException {
    if (profile == null) {
      throw new UsageException("PROFILE is missing, allowed " + String.join(", ", Profile.names()));
    }
    if (keeps && directory != null) {
      throw new UsageException("--keep is for temporary directories, and --dir is given");
    }
    StressOptions options =
        new StressOptions(
            load.profile(profile), load.load(), table.options(), database.options(), populates);
    checkStrategy(options);
    TableOptions ofTable = options.profile().schema(options.table()).options();
    if (WorkloadRunner.remembersVersions(options.load(), ofTable)
        && options.profile().items() > WorkloadRunner.MOST_CHECKED_ITEMS) {
      throw new UsageException(
          String.format(
              Locale.ROOT,
              "%s has %,d rows, of which %,d can be checked: fewer, or --no-version-check",
              profile,
              options.profile().items(),
              WorkloadRunner.MOST_CHECKED_ITEMS));
    }
    if (directory != null) {
      refuseOtherOptions(directory);
    }
    if (output != null) {
      OutputDirectory.make(output);
    }
    PrintStream live = isJson ? terminal.err() : terminal.out();
    live.print(StressText.headline(options) + "\n");
    Stress stress = new Stress(options, new StressTable(live), StressCommand::showBeans);
    // After the temporary directory is removed.
    interruption.endInOrder(stress::stop);
    return run(stress);
  }

  /** Registers management beans, so that the other commands can monitor this process. */
  private static Closeable showBeans(Database database, DatabaseOptions options) {
    CompactionService service =
        options.compaction() instanceof CompactionService known ? known : null;
    return DatabaseBeans.register(database, service)::close;
  }

  /** Lets the strategy check its options. */
  private static void checkStrategy(StressOptions options) {
    try {
      StrategyRegistry.of(options.profile().schema(options.table()));
    } catch (IllegalArgumentException e) {
      throw new UsageException("--compaction: " + e.getMessage(), e);
    }
  }

  private int run(Stress stress) throws IOException {
    Path given = directory;
    if (given != null) {
      return run(stress, given);
    }
    if (keeps) {
      Path kept = Files.createTempDirectory(TEMPORARY);
      terminal.err().println("the database stays in " + kept);
      return run(stress, kept);
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.named(TEMPORARY)) {
      return run(stress, temporary.path());
    }
  }

  /** Rejects table options for an existing table, which would not have them. */
  private void refuseOtherOptions(Path given) throws IOException {
    if (table.isGiven() && Files.isDirectory(given)) {
      try (var files = Files.list(given)) {
        if (files.findAny().isPresent()) {
          throw new UsageException(
              "--dir = "
                  + given
                  + " is not empty: --compression, --chunk-length, --compaction, --ttl, --gc-grace"
                  + " are for new tables");
        }
      }
    }
  }

  private int run(Stress stress, Path where) throws IOException {
    StressResult result = stress.run(where);
    printResult(result, Machine.of(where, version, command()));
    return result.isRight() ? ExitCode.OK : ExitCode.DAMAGED;
  }

  private List<String> command() {
    List<String> words = new ArrayList<>();
    words.add("siltstone");
    words.addAll(spec.root().commandLine().getParseResult().originalArgs());
    return words;
  }

  /**
   * Prints the cheapest output first, because a user who interrupts does not want to wait for
   * charts.
   */
  private void printResult(StressResult result, Machine machine) throws IOException {
    if (isJson) {
      StressJson.write(result, machine, terminal.out());
    } else {
      new StressSummary(terminal).print(result);
    }
    terminal.out().flush();
    Path to = output;
    if (to != null) {
      try (OutputStream json = Files.newOutputStream(to.resolve("stress.json"))) {
        StressJson.write(result, machine, json);
      }
      Files.writeString(to.resolve("report.html"), StressReport.of(result, machine).html());
    }
  }
}
