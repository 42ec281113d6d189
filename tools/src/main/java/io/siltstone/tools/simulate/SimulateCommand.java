package io.siltstone.tools.simulate;

import static io.siltstone.tools.terminal.UsageException.require;

import io.siltstone.compaction.simulate.Simulation;
import io.siltstone.compaction.simulate.SimulationResult;
import io.siltstone.compaction.simulate.Workload;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.KnownNames;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code siltstone simulate}: computes the amplifications of compaction strategies at
 * any scale.
 */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Simulates compaction strategies on a made-up table: how often each byte is"
          + " written, how much disk space it takes, how many SSTables a read touches, and"
          + " whether compaction keeps up. No files are touched; the strategies are those of the"
          + " engine, with Cassandra's options.",
      "Rows are of one size with evenly spread keys; an even sample of them is followed"
          + " exactly. No table is repaired, and provide_overlapping_tombstones is not"
          + " simulated."
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final String CLASS = "class";

  private final Terminal terminal;

  /** A strategy with its options. */
  private static final class Choice {
    @Option(
        names = "--strategy",
        required = true,
        paramLabel = "NAME",
        description = "SizeTiered, Leveled, TimeWindow, Unified; may be repeated, to compare.")
    private String strategy = "";

    @Option(
        names = "--option",
        paramLabel = "NAME=VALUE",
        description = "Option of the preceding strategy, e.g. sstable_size_in_mb=160.")
    // Without a first value: picocli would share one map between all repetitions.
    private @Nullable Map<String, String> options;

    Map<String, String> options() {
      return options == null ? Map.of() : new TreeMap<>(options);
    }
  }

  @ArgGroup(exclusive = false, multiplicity = "1..*")
  private List<Choice> choices = new ArrayList<>();

  @Option(
      names = "--ingest",
      paramLabel = "SIZE",
      defaultValue = "1TiB",
      description = "Total amount of data written, as stored on disk; default ${DEFAULT-VALUE}.")
  private String ingest = "";

  @Option(
      names = "--row",
      paramLabel = "SIZE",
      defaultValue = "1KiB",
      description = "Size of a row on disk; default ${DEFAULT-VALUE}.")
  private String row = "";

  @Option(
      names = "--flush",
      paramLabel = "SIZE",
      defaultValue = "512MiB",
      description = "Size of a flush on disk; the last one has the rest; default ${DEFAULT-VALUE}.")
  private String flush = "";

  @Option(
      names = "--ingest-rate",
      paramLabel = "SIZE",
      defaultValue = "20MiB",
      description = "Data written per second; default ${DEFAULT-VALUE}.")
  private String ingestRate = "";

  @Option(
      names = "--compaction-throughput",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description =
          "Limit on what all compactions read per second, 0 for none; default"
              + " ${DEFAULT-VALUE}.")
  private String compactionThroughput = "";

  @Option(
      names = "--compactors",
      paramLabel = "COUNT",
      defaultValue = "2",
      description = "Number of concurrent compactions; default ${DEFAULT-VALUE}.")
  private int compactors;

  @Option(
      names = "--overwrite",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Share of writes that replace a row, 0 to 1; default ${DEFAULT-VALUE}.")
  private double overwrite;

  @Option(
      names = "--delete",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Share of writes that delete a row, 0 to 1; default ${DEFAULT-VALUE}.")
  private double delete;

  @Option(
      names = "--keys",
      paramLabel = "COUNT",
      defaultValue = "0",
      description = "Number of keys, after which all writes replace rows; default unlimited.")
  private long keys;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      defaultValue = "0",
      description = "Time after which a row expires, e.g. 7d, 12h; default never.")
  private String ttl = "";

  @Option(
      names = "--late",
      paramLabel = "TIME",
      defaultValue = "0",
      description =
          "Longest time between the event of a row and its write, e.g. 30m; evenly from 0 to"
              + " this. Matters with compaction_window_time=EVENT; default ${DEFAULT-VALUE}.")
  private String late = "";

  @Option(
      names = "--gc-grace",
      paramLabel = "TIME",
      defaultValue = "10d",
      description = "Time for which a tombstone is kept at least; default ${DEFAULT-VALUE}.")
  private String gcGrace = "";

  @Option(
      names = "--points",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Number of lines over time; default ${DEFAULT-VALUE}.")
  private int points;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Seed; the same seed gives the same result; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print an array of JSON objects instead.")
  private boolean isJson;

  /** Prints to a terminal. */
  public SimulateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    require(points >= 1, "--points", points, "1 or more");
    // All simulations are created first, so that wrong options of the last are reported at once.
    List<Simulation> simulations = new ArrayList<>();
    try {
      Workload workload = workload();
      for (Choice choice : choices) {
        simulations.add(new Simulation(schema(choice), workload, points, seed));
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
    SimulationText text = new SimulationText(terminal);
    List<String> titles = new ArrayList<>();
    List<SimulationResult> results = new ArrayList<>();
    List<SimulationJson.Simulated> all = new ArrayList<>();
    for (int i = 0; i < simulations.size(); i++) {
      SimulationResult result = simulations.get(i).run();
      Choice choice = choices.get(i);
      titles.add(
          result.strategy().replace("CompactionStrategy", "")
              + (choice.options().isEmpty() ? "" : " " + choice.options()));
      results.add(result);
      all.add(new SimulationJson.Simulated(choice.options(), result));
      if (!isJson) {
        text.print(titles.get(i), result);
        terminal.out().flush();
      }
    }
    if (isJson) {
      SimulationJson.print(terminal.out(), all);
    } else if (results.size() > 1) {
      text.compare(titles, results);
    }
    return ExitCode.OK;
  }

  private Workload workload() {
    long ingestBytes = Units.parseBytes("--ingest", ingest);
    long rowBytes = Units.parseBytes("--row", row);
    long flushBytes = Units.parseBytes("--flush", flush);
    long ingestBytesPerSecond = Units.parseBytes("--ingest-rate", ingestRate);
    require(ingestBytes >= 1, "--ingest", ingest, "1 byte or more");
    require(rowBytes >= 1, "--row", row, "1 byte or more");
    long least = Workload.leastBytesPerSecond(ingestBytes);
    String slowest = "from " + least + (least == 1 ? " byte" : " bytes, a hundred years");
    require(
        ingestBytesPerSecond >= least && ingestBytesPerSecond <= Workload.MOST_BYTES_PER_SECOND,
        "--ingest-rate",
        ingestRate,
        slowest + ", to 8TiB");
    long compactionBytesPerSecond =
        Units.parseBytes("--compaction-throughput", compactionThroughput);
    require(
        compactionBytesPerSecond == 0 || compactionBytesPerSecond >= least,
        "--compaction-throughput",
        compactionThroughput,
        "0 for no limit, or " + slowest);
    require(flushBytes >= rowBytes, "--flush", flush, "--row = " + row + " or more");
    long leastFlush = Workload.leastFlushBytes(ingestBytes);
    require(
        flushBytes >= leastFlush,
        "--flush",
        flush,
        leastFlush + " bytes or more where --ingest = " + ingest);
    require(flushBytes <= ingestBytes, "--flush", flush, "up to --ingest = " + ingest);
    require(overwrite >= 0 && overwrite <= 1, "--overwrite", overwrite, "0 to 1");
    require(delete >= 0 && delete <= 1, "--delete", delete, "0 to 1");
    require(overwrite + delete <= 1, "--overwrite and --delete", overwrite + delete, "0 to 1");
    require(keys >= 0, "--keys", keys, "0 or more");
    require(compactors >= 1, "--compactors", compactors, "1 or more");
    return new Workload(
        ingestBytes,
        rowBytes,
        flushBytes,
        ingestBytesPerSecond,
        overwrite,
        delete,
        keys,
        new Workload.Times(Units.parseSeconds("--ttl", ttl), Units.parseSeconds("--late", late)),
        new Workload.Compaction(compactionBytesPerSecond, compactors));
  }

  private TableSchema schema(Choice choice) {
    Map<String, String> compaction = new HashMap<>(choice.options());
    String other = compaction.get(CLASS);
    require(other == null, "--option " + CLASS, String.valueOf(other), "only with --strategy");
    compaction.put(
        CLASS,
        KnownNames.complete(
            "--strategy",
            choice.strategy,
            TableOptions.COMPACTION_STRATEGIES,
            "CompactionStrategy"));
    long grace = Units.parseSeconds("--gc-grace", gcGrace);
    require(grace <= Integer.MAX_VALUE, "--gc-grace", gcGrace, "up to 2147483647 seconds");
    return TableSchema.builder("simulated", "table")
        .partitionKey("key", CqlTypes.BLOB)
        .clustering("time", CqlTypes.TIMESTAMP)
        .options(TableOptions.builder().compaction(compaction).gcGraceSeconds((int) grace).build())
        .build();
  }
}
