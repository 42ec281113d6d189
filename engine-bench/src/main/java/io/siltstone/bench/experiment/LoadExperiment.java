package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.LargeLoadMeasurement;
import io.siltstone.bench.peers.TextEntries;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The comparison of a load of many entries with other engines, compaction included: throughput, the
 * longest puts, what is written to the disk and the space that is taken.
 */
final class LoadExperiment implements Experiment {
  private static final String OWN = PeerEngines.OWN;
  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 1_024;
  private static final int DIRECT_MIB = 1_024;

  /** A figure that is compared. */
  private enum Figure {
    RATE("entries per second until all is flushed", "load.ops_per_s"),
    SETTLED("seconds until compaction has ended", "settled.seconds"),
    CPU("processor time of an entry until then", "settled.cpu_us_per_op"),
    P99("99 % of the puts take at most", "load.p99_us"),
    P999("99.9 % of the puts take at most", "load.p999_us"),
    LONGEST("longest put", "load.longest_ms"),
    WRITTEN(
        "bytes written per byte of data until compaction has ended", "settled.written_per_byte"),
    LOADED("size of the files after the load", "load.size_mb"),
    SIZE("size of the files after compaction", "settled.size_mb");

    private final String label;
    private final String key;

    Figure(String label, String key) {
      this.label = label;
      this.key = key;
    }
  }

  @Override
  public String name() {
    return "load";
  }

  @Override
  public String description() {
    return "A load of millions of entries by Siltstone and the engines of peers, in turn, with"
        + " compaction: rate, longest puts, bytes written, space.";
  }

  @Override
  public List<String> peerDirectories() {
    return List.of(OtherEngines.CLASSES, OtherEngines.LIBRARIES);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      NamedValues options =
          new NamedValues()
              .put("block_kib", 16)
              .put("cache_bytes", 64 * MIB)
              .put("buffer_bytes", 128 * MIB)
              .put("keys", experimentRunner.of(500L, 1_000_000L, 10_000_000L))
              .put("reads", experimentRunner.of(500L, 1_000L, 1_000L))
              .put("quiet_millis", experimentRunner.of(20L, 2_000L, 2_000L));
      PeerEngines engines = PeerEngines.of(setting, experimentRunner, options);
      Samples<String> samples =
          experimentRunner.inRounds(
              experimentRunner.rounds(1, 2, 2),
              engines.names(),
              name -> name,
              name ->
                  engines.measure(name, LargeLoadMeasurement.class, options, HEAP_MIB, DIRECT_MIB),
              result ->
                  FigureFormat.number(result.number(Figure.RATE.key))
                      + " entries/s loaded, longest put "
                      + FigureFormat.number(result.number(Figure.LONGEST.key))
                      + " ms");
      return report(setting, experimentRunner, options, engines, samples);
    }
  }

  private static Report report(
      ExperimentSetting setting,
      ExperimentRunner experimentRunner,
      NamedValues options,
      PeerEngines engines,
      Samples<String> samples) {
    Report.Builder report =
        Report.builder("A large load beside other engines", setting.machine())
            .section("Relative to each engine")
            .text(
                "Siltstone's figure as a multiple of the other engine's, round by round: the"
                    + " median, and in brackets the least and the greatest. Only of the rate more"
                    + " than 1 is better.")
            .add(ratios(samples))
            .section("Figures")
            .add(rates(samples))
            .add(puts(samples))
            .add(space(samples))
            .add(
                SpreadBars.of(
                    "Load until all is flushed",
                    "entries per second",
                    samples,
                    samples.variants(),
                    Figure.RATE.key));
    engines.addConfigurations(report);
    report
        .section("How it was measured")
        .text(
            FigureFormat.count(options.whole("keys"))
                + " entries, keys of 16 bytes in random order, values of "
                + TextEntries.SHORTEST
                + " to "
                + TextEntries.LONGEST
                + " bytes of text, "
                + FigureFormat.number(samples.median(OWN, "load.data_mb"))
                + " MB, put once each by one thread, through the page cache. Each engine ran in its"
                + " own JVM with "
                + HEAP_MIB
                + " MiB of heap (G1), and all engines one after the other in each of "
                + FigureFormat.rounds(samples.of(OWN).size())
                + "; figures are medians. Compaction has ended when the process writes nothing for "
                + options.whole("quiet_millis")
                + " ms. Bytes written and processor time are those of the process, log, flushes,"
                + " compaction and the JIT compiler included. At the end "
                + FigureFormat.count(options.whole("reads"))
                + " entries are read and compared with what was written.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  private static ReportTable ratios(Samples<String> samples) {
    ReportTable.Builder table = ReportTable.builder("").text("figure", "figure");
    List<String> others = samples.variants().stream().filter(name -> !name.equals(OWN)).toList();
    others.forEach(other -> table.text(other.toLowerCase(Locale.ROOT), other));
    for (Figure figure : Figure.values()) {
      List<Object> cells = new ArrayList<>();
      cells.add(figure.label);
      others.forEach(
          other -> cells.add(FigureFormat.spread(samples.ratio(OWN, other, figure.key))));
      table.row(cells.toArray());
    }
    return table.build();
  }

  private static ReportTable rates(Samples<String> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Rates")
            .text("engine", "engine")
            .number("ops_per_s_before_flush", "until the last put", "/s", 0)
            .number("ops_per_s", "until all is flushed", "/s", 0)
            .number("settled_s", "until compaction has ended", "s", 1)
            .number("load_cpu_us", "processor time of an entry, load", "µs", 1)
            .number("settled_cpu_us", "with the compaction after it", "µs", 1);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, "load.ops_per_s_before_flush"),
          samples.median(engine, Figure.RATE.key),
          samples.median(engine, Figure.SETTLED.key),
          samples.median(engine, "load.cpu_us_per_op"),
          samples.median(engine, Figure.CPU.key));
    }
    return table.build();
  }

  private static ReportTable puts(Samples<String> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Puts")
            .text("engine", "engine")
            .number("p50_us", "median", "µs", 1)
            .number("p99_us", "99 %", "µs", 1)
            .number("p999_us", "99.9 %", "µs", 0)
            .number("longest_ms", "longest", "ms", 0)
            .number("long_puts", "longer than 100 ms", "", 0);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, "load.p50_us"),
          samples.median(engine, Figure.P99.key),
          samples.median(engine, Figure.P999.key),
          samples.median(engine, Figure.LONGEST.key),
          samples.median(engine, "load.long_puts"));
    }
    return table.build();
  }

  private static ReportTable space(Samples<String> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Space")
            .text("engine", "engine")
            .number("load_written_per_byte", "written while loading, per byte of data", "B", 2)
            .number("settled_written_per_byte", "with the compaction after it", "B", 2)
            .number("load_mb", "files after the load", "MB", 0)
            .number("settled_mb", "after compaction", "MB", 0)
            .number("size_per_byte", "after compaction, per byte of data", "B", 2);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, "load.written_per_byte"),
          samples.median(engine, Figure.WRITTEN.key),
          samples.median(engine, Figure.LOADED.key),
          samples.median(engine, Figure.SIZE.key),
          samples.median(engine, Figure.SIZE.key) / samples.median(engine, "load.data_mb"));
    }
    return table.build();
  }
}
