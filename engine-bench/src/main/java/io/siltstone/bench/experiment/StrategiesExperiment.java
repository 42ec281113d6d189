package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The compaction strategy experiment: all strategies with two reads per write and with twenty. */
final class StrategiesExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 128;
  private static final int DIRECT_MIB = 256;
  private static final List<Double> RATIOS = List.of(2.0, 20.0);
  private static final String FEWER_READS = "reads_2.";
  private static final String MORE_READS = "reads_20.";

  /** The strategies that are measured; sizes are for data of hundreds of megabytes. */
  private enum Strategy {
    SIZE_TIERED("size-tiered", "class=SizeTieredCompactionStrategy,min_sstable_size=1048576"),
    TIME_WINDOW(
        "time-window",
        "class=TimeWindowCompactionStrategy,compaction_window_unit=DAYS,"
            + "compaction_window_size=1,min_sstable_size=1048576"),
    LEVELED("leveled", "class=LeveledCompactionStrategy,sstable_size_in_mb=4"),
    UNIFIED(
        "unified",
        "class=UnifiedCompactionStrategy,target_sstable_size=8MiB,min_sstable_size=1MiB");

    private final String label;
    private final String options;

    Strategy(String label, String options) {
      this.label = label;
      this.options = options;
    }
  }

  @Override
  public String name() {
    return "strategies";
  }

  @Override
  public String description() {
    return "Size-tiered, time-window, leveled and unified compaction with 2 and 20 reads per"
        + " write: SSTables per read, latency, amplifications.";
  }

  @Override
  public List<String> changes() {
    return List.of(LimitedVolume.READ_AHEAD_CHANGE);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      return report(setting, experimentRunner, measure(experimentRunner));
    }
  }

  private static NamedValues parameters(ExperimentRunner experimentRunner) {
    return new NamedValues()
        .put("threads", experimentRunner.of(100L, 40_000L, 100_000L))
        .put("messages", experimentRunner.of(2_000L, 800_000L, 4_000_000L))
        .put("days", experimentRunner.of(4L, 24L, 48L))
        .put("stages", experimentRunner.of(2L, 3L, 4L))
        // A rate that the strategy with most SSTables per read sustains. Beyond it, latencies would
        // be those of a queue, and say nothing about the strategies.
        .put("ops_per_s", experimentRunner.of(2_000.0, 400.0, 400.0))
        .put("seconds", experimentRunner.of(0.2, 10.0, 30.0))
        .put("ratios", RATIOS)
        .put("memtable_bytes", experimentRunner.of(MIB, 4 * MIB, 16 * MIB));
  }

  private static Samples<Strategy> measure(ExperimentRunner experimentRunner) throws IOException {
    // The JVM takes about 300 MiB; the rest is page cache, for less than the data.
    VolumeLimits limits =
        VolumeLimits.NONE
            .withoutReadAhead()
            .withMemory(experimentRunner.of(512L, 384L, 768L) * MIB);
    return experimentRunner.inRounds(
        experimentRunner.rounds(1, 2, 3),
        List.of(Strategy.values()),
        strategy -> strategy.label,
        strategy -> {
          Path directory = Files.createDirectory(experimentRunner.directory().resolve("strategy"));
          NamedValues result =
              experimentRunner.measure(
                  StrategyMeasurement.class,
                  parameters(experimentRunner)
                      .put("directory", directory.toString())
                      .put("compaction", strategy.options),
                  experimentRunner.jvm(HEAP_MIB, DIRECT_MIB),
                  limits);
          ExperimentRunner.remove(directory);
          return result;
        },
        result ->
            FigureFormat.number(result.number(MORE_READS + "sstables_mean"))
                + " SSTables per read, each byte written "
                + FigureFormat.number(result.number("write_amplification"))
                + " times");
  }

  private static Report report(
      ExperimentSetting setting, ExperimentRunner experimentRunner, Samples<Strategy> samples) {
    NamedValues parameters = parameters(experimentRunner);
    Report.Builder report =
        Report.builder("Compaction strategies", setting.machine())
            .section("What it shows")
            .text(conclusion(samples));
    new Comparison(
            "Published for the table of messages of a chat service on Cassandra with 2 to"
                + " 20 reads per write, before and after the change from time-window to leveled"
                + " compaction.")
        .row(
            "SSTables per read, median",
            "12 → 3",
            fromTimeWindow(samples, "sstables_median", 1, "")
                + " (mean "
                + fromTimeWindow(samples, "sstables_mean", 1, "")
                + ")")
        .row("99 % of reads within", "12 → 4 ms", fromTimeWindow(samples, "p99_us", 1e-3, "ms"))
        .row("number of SSTables", "24 → 1,198", fromTimeWindow(samples, "live_sstables", 1, ""))
        .addTo(report);
    List<String> labels = List.of(Strategy.values()).stream().map(one -> one.label).toList();
    report
        .section("Reads")
        .add(
            Chart.bars("SSTables per read, on average", labels)
                .y("SSTables")
                .series("2 reads per write", values(samples, FEWER_READS + "sstables_mean", 1))
                .series("20 reads per write", values(samples, MORE_READS + "sstables_mean", 1))
                .build())
        .add(
            Chart.bars("99 % of reads within", labels)
                .y("ms")
                .series("2 reads per write", values(samples, FEWER_READS + "p99_us", 1e-3))
                .series("20 reads per write", values(samples, MORE_READS + "p99_us", 1e-3))
                .build())
        .section("Amplifications")
        .add(
            Chart.bars("Written per flushed byte, and space per byte of data", labels)
                .y("times")
                .series("written", values(samples, "write_amplification", 1))
                .series("space at the end", values(samples, "space_amplification", 1))
                .series("most space", values(samples, "most_space_amplification", 1))
                .build())
        .section("All figures")
        .add(reads(samples))
        .add(amplifications(samples))
        .section("How it was measured")
        .text(
            "The profile TimeSeries, as a chat of "
                + parameters.whole("days")
                + " days, by a clock that is advanced: each day "
                + FigureFormat.count(parameters.whole("messages") / parameters.whole("days"))
                + " messages of about 300 bytes are appended to "
                + FigureFormat.count(parameters.whole("threads"))
                + " threads at random; a read gets the newest 50 of one. After each "
                + parameters.whole("days") / parameters.whole("stages")
                + " days, when compaction has nothing more to do, "
                + FigureFormat.number(parameters.number("seconds"))
                + " s with 2 reads per write and as long with 20, each at "
                + FigureFormat.count(parameters.whole("ops_per_s"))
                + " operations per second by two threads; latencies are measured from the"
                + " time at which an operation was due. The cost of reads is the mean of the"
                + " stages. Memtables "
                + (parameters.whole("memtable_bytes") >> 20)
                + " MiB, chunk cache 8 MiB, compaction within 64 MiB/s. Space is relative"
                + " to all data in one SSTable. Figures are medians of "
                + FigureFormat.rounds(samples.of(Strategy.LEVELED).size())
                + ", in each of which all strategies ran in turn.");
    for (Strategy strategy : Strategy.values()) {
      report.text(
          FigureFormat.sentence(strategy.label + ": " + strategy.options.replace(",", ", ")));
    }
    report.text(
        "The sizes in these options are small, like the data, so that there are as many"
            + " levels and tiers as larger data has with the default sizes.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  /** Returns a figure for many reads per write with time-window compaction, and with leveled. */
  private static String fromTimeWindow(
      Samples<Strategy> samples, String name, double scale, String unit) {
    return FigureFormat.change(
        scale * samples.median(Strategy.TIME_WINDOW, MORE_READS + name),
        scale * samples.median(Strategy.LEVELED, MORE_READS + name),
        unit);
  }

  private static String conclusion(Samples<Strategy> samples) {
    String tables = MORE_READS + "sstables_mean";
    double fewer = samples.ratio(Strategy.TIME_WINDOW, Strategy.LEVELED, tables).median();
    double latency =
        samples.ratio(Strategy.TIME_WINDOW, Strategy.LEVELED, MORE_READS + "p99_us").median();
    double writes =
        samples.ratio(Strategy.LEVELED, Strategy.SIZE_TIERED, "write_amplification").median();
    return (FigureFormat.isMore(fewer)
            ? "A read needs "
                + FigureFormat.number(fewer)
                + " times as many SSTables with time-window compaction as with leveled ("
            : "Leveled compaction does not reduce SSTables per read here ("
                + FigureFormat.number(fewer)
                + " times, ")
        + fromTimeWindow(samples, "sstables_mean", 1, "on average")
        + "; published 12 → 3), and the slowest hundredth takes "
        + FigureFormat.number(latency)
        + " times as long ("
        + fromTimeWindow(samples, "p99_us", 1e-3, "ms")
        + ", published 12 → 4). Size-tiered compaction "
        + (isBetween(samples, tables) ? "lies between, with " : "reads ")
        + FigureFormat.number(samples.median(Strategy.SIZE_TIERED, tables))
        + " SSTables. Leveled compaction costs writes: "
        + FigureFormat.number(writes)
        + " times as many bytes as size-tiered ("
        + FigureFormat.change(
            samples.median(Strategy.SIZE_TIERED, "write_amplification"),
            samples.median(Strategy.LEVELED, "write_amplification"),
            "times each flushed byte")
        + "), and takes "
        + FigureFormat.number(samples.median(Strategy.LEVELED, "most_space_amplification"))
        + " times the space of the data at most, size-tiered "
        + FigureFormat.number(samples.median(Strategy.SIZE_TIERED, "most_space_amplification"))
        + " times. Unified compaction with the options below reads "
        + FigureFormat.number(samples.median(Strategy.UNIFIED, tables))
        + " SSTables and writes each byte "
        + FigureFormat.number(samples.median(Strategy.UNIFIED, "write_amplification"))
        + " times.";
  }

  private static boolean isBetween(Samples<Strategy> samples, String figure) {
    double sizeTiered = samples.median(Strategy.SIZE_TIERED, figure);
    double timeWindow = samples.median(Strategy.TIME_WINDOW, figure);
    double leveled = samples.median(Strategy.LEVELED, figure);
    return sizeTiered >= Math.min(timeWindow, leveled)
        && sizeTiered <= Math.max(timeWindow, leveled);
  }

  private static double[] values(Samples<Strategy> samples, String name, double scale) {
    return List.of(Strategy.values()).stream()
        .mapToDouble(strategy -> scale * samples.median(strategy, name))
        .toArray();
  }

  private static ReportTable reads(Samples<Strategy> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Reads")
            .text("strategy", "strategy")
            .number("reads_per_write", "reads per write", "", 0)
            .number("ops_per_s", "operations per second", "", 0)
            .number("sstables_mean", "read amplification: SSTables per read, mean", "", 2)
            .number("sstables_median", "median", "", 0)
            .number("sstables_p99", "99 %", "", 0)
            .number("chunks_mean", "chunks from files", "", 2)
            .number("disk_reads_per_read", "disk reads", "", 2)
            .number("disk_kib_per_read", "from disk", "KiB", 1)
            .number("p50_us", "median", "µs", 0)
            .number("p99_us", "99 %", "µs", 0)
            .number("p999_us", "99.9 %", "µs", 0)
            .number("write_p99_us", "writes, 99 %", "µs", 0)
            .number("live_sstables", "SSTables at the end", "", 0);
    for (Strategy strategy : Strategy.values()) {
      for (double ratio : RATIOS) {
        String phase = "reads_" + Math.round(ratio) + ".";
        table.row(
            strategy.label,
            ratio,
            samples.median(strategy, phase + "ops_per_s"),
            samples.median(strategy, phase + "sstables_mean"),
            samples.median(strategy, phase + "sstables_median"),
            samples.median(strategy, phase + "sstables_p99"),
            samples.median(strategy, phase + "chunks_mean"),
            samples.median(strategy, phase + "disk_reads_per_read"),
            samples.median(strategy, phase + "disk_bytes_per_read") / 1024,
            samples.median(strategy, phase + "p50_us"),
            samples.median(strategy, phase + "p99_us"),
            samples.median(strategy, phase + "p999_us"),
            samples.median(strategy, phase + "write_p99_us"),
            samples.median(strategy, phase + "live_sstables"));
      }
    }
    return table.build();
  }

  private static ReportTable amplifications(Samples<Strategy> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Writes and space")
            .text("strategy", "strategy")
            .number("flushed_mb", "flushed", "MB", 0)
            .number("compacted_mb", "written by compaction", "MB", 0)
            .number("compactions", "compactions", "", 0)
            .number("write_amplification", "write amplification", "", 2)
            .number("least_mb", "data in one SSTable", "MB", 0)
            .number("space_amplification", "space at the end", "", 2)
            .number("most_space_amplification", "most space", "", 2);
    for (Strategy strategy : Strategy.values()) {
      table.row(
          strategy.label,
          samples.median(strategy, "flushed_mb"),
          samples.median(strategy, "compacted_mb"),
          samples.median(strategy, "compactions"),
          samples.median(strategy, "write_amplification"),
          samples.median(strategy, "least_mb"),
          samples.median(strategy, "space_amplification"),
          samples.median(strategy, "most_space_amplification"));
    }
    return table.build();
  }
}
