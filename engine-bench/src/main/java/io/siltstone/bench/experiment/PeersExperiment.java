package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.CachedReadMeasurement;
import io.siltstone.bench.peers.PeerMeasurement;
import io.siltstone.bench.peers.SmallRanges;
import io.siltstone.bench.peers.TextEntries;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The comparison with other engines: the same data and the same workloads, in turn. */
final class PeersExperiment implements Experiment {
  private static final String OWN = PeerEngines.OWN;
  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 1_024;
  private static final int DIRECT_MIB = 1_024;
  private static final int BLOCK_KIB = 16;
  private static final long CACHE_BYTES = 64 * MIB;
  private static final long BUFFER_BYTES = 128 * MIB;
  private static final String RATE = ".ops_per_s";
  private static final Set<String> B_TREES = Set.of("LMDB", "MVStore", "Xodus");

  /** The workloads, with their names in the figures. */
  private enum Workload {
    LOAD("load", "load and flush", "load.ops_per_s"),
    LOAD_AGAIN("load_again", "load and flush, warm", "load_again.ops_per_s"),
    LOAD_2("load_2", "load and flush, warm, 2 writers", "load_2.ops_per_s"),
    COMPACT("compact", "compact", "compact.mb_per_s"),
    READ_1("read_1", "point reads, 1 thread", "read_1.ops_per_s"),
    READ_2("read_2", "point reads, 2 threads", "read_2.ops_per_s"),
    HOT("hot", "hot keys", "hot.ops_per_s"),
    MISSING("missing", "missing keys", "missing.ops_per_s"),
    RANGE("range_100", "ranges of 100", "range_100.ops_per_s"),
    SMALL_RANGE("range_20", "ranges of 20, small entries, cached", "range_20.ops_per_s"),
    SCAN("scan", "scan, entries", "scan.ops_per_s"),
    MIXED("mixed", "half reads, 2 threads", "mixed.ops_per_s"),
    CACHED_4_1("cached_4_1", "cached reads, 4 KiB, 1 thread", "cached_4_1.ops_per_s"),
    CACHED_4_2("cached_4_2", "cached reads, 4 KiB, 2 threads", "cached_4_2.ops_per_s"),
    CACHED_16_1("cached_16_1", "cached reads, 16 KiB, 1 thread", "cached_16_1.ops_per_s"),
    CACHED_16_2("cached_16_2", "cached reads, 16 KiB, 2 threads", "cached_16_2.ops_per_s");

    private final String prefix;
    private final String label;
    private final String rate;

    Workload(String prefix, String label, String rate) {
      this.prefix = prefix;
      this.label = label;
      this.rate = rate;
    }

    /** Returns whether it is a load, whose puts are timed. */
    boolean isLoad() {
      return this == LOAD || this == LOAD_AGAIN || this == LOAD_2;
    }

    /** Returns whether each operation of a certain time is timed. */
    boolean hasLatencies() {
      return !isLoad() && this != COMPACT && this != SCAN;
    }
  }

  @Override
  public String name() {
    return "peers";
  }

  @Override
  public String description() {
    return "Siltstone and RocksDB, MVStore, LevelDB for Java, Xodus, LMDB and Cassandra's"
        + " engine: same data, same workloads, in turn.";
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
              .put("block_kib", BLOCK_KIB)
              .put("cache_bytes", CACHE_BYTES)
              .put("buffer_bytes", BUFFER_BYTES)
              .put("keys", experimentRunner.of(500L, 100_000L, 1_000_000L))
              .put("seconds", experimentRunner.of(0.02, 2.0, 5.0));
      PeerEngines engines = PeerEngines.of(setting, experimentRunner, options);
      return report(
          setting, experimentRunner, options, engines, measure(experimentRunner, engines, options));
    }
  }

  private static Samples<String> measure(
      ExperimentRunner experimentRunner, PeerEngines engines, NamedValues options)
      throws IOException {
    return experimentRunner.inRounds(
        experimentRunner.rounds(1, 2, 3),
        engines.names(),
        name -> name,
        name -> {
          NamedValues result =
              engines.measure(name, PeerMeasurement.class, options, HEAP_MIB, DIRECT_MIB);
          // In a JVM of its own, which has memory for caches on the heap and off it.
          long cacheBytes = CachedReadMeasurement.cacheBytes(options.whole("keys"));
          int cacheMib = (int) (cacheBytes / MIB);
          return result.putAll(
              engines.measure(
                  name,
                  CachedReadMeasurement.class,
                  new NamedValues().putAll(options).put("cache_bytes", cacheBytes),
                  HEAP_MIB + cacheMib,
                  DIRECT_MIB + cacheMib));
        },
        result ->
            FigureFormat.number(result.number(Workload.LOAD.rate))
                + " entries/s loaded, "
                + FigureFormat.number(result.number(Workload.READ_1.rate))
                + " read/s by one thread");
  }

  private static Report report(
      ExperimentSetting setting,
      ExperimentRunner experimentRunner,
      NamedValues options,
      PeerEngines engines,
      Samples<String> samples) {
    Report.Builder report =
        Report.builder("Siltstone beside other engines", setting.machine())
            .section("What it shows")
            .text(conclusion(samples))
            .section("Relative to each engine")
            .text(
                "How many times as many operations per second Siltstone does, round by"
                    + " round: the median, and in brackets the least and the greatest. More than"
                    + " 1 is faster.")
            .add(ratios(samples));
    new PublishedPeers(OWN, samples).addTo(report);
    report.section("Rates");
    for (Workload workload : Workload.values()) {
      report.add(chart(samples, workload));
    }
    report.section("All figures").add(rates(samples));
    for (Workload workload : Workload.values()) {
      if (workload.hasLatencies()) {
        report.add(latencies(samples, workload));
      } else if (workload.isLoad()) {
        report.add(puts(samples, workload));
      }
    }
    report.add(sizes(samples));
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
                + " MB, through the page cache. Each engine ran all workloads in its own"
                + " JVM with "
                + HEAP_MIB
                + " MiB of heap (G1), and all engines one after the other in each of "
                + FigureFormat.rounds(samples.of(OWN).size())
                + "; figures are medians. The load comes first, while the JVM still"
                + " compiles; at the end the same process loads again into empty stores, by one"
                + " writer and by two: warm. The processor time of a put is that of the process,"
                + " flushes, compaction and the JIT compiler included. Each timed workload runs "
                + FigureFormat.number(options.number("seconds"))
                + " s after a warm-up of the same length. Hot keys are "
                + FigureFormat.count(PeerMeasurement.HOT_KEYS)
                + " of all, whose blocks fit in the caches. Cached reads are of all keys, in"
                + " blocks of 4 and of 16 KiB, after all were read once, with a read cache of "
                + CachedReadMeasurement.cacheBytes(options.whole("keys")) / MIB
                + " MiB, which all entries fit in, and as much more heap; other settings are"
                + " as above. Ranges of "
                + SmallRanges.RANGE
                + " are of as many entries with values of "
                + SmallRanges.VALUE_BYTES
                + " bytes in blocks of 4 KiB, with that cache, by one thread. CPU is that of the process per operation. Reads are compared with what"
                + " was written; ranges and scans are counted. Compaction is in MB of"
                + " uncompressed data per second; B-trees have nothing to merge.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  private static List<String> others(Samples<String> samples) {
    return samples.variants().stream().filter(name -> !name.equals(OWN)).toList();
  }

  private static String conclusion(Samples<String> samples) {
    if (samples.of(OWN).size() == 1) {
      return "Figures of one round allow no conclusion.";
    }
    List<String> sentences = new ArrayList<>();
    for (String other : others(samples)) {
      List<String> faster = new ArrayList<>();
      List<String> slower = new ArrayList<>();
      List<String> unclear = new ArrayList<>();
      for (Workload workload : Workload.values()) {
        if (!isSkipped(other, workload)) {
          Spread ratio = samples.ratio(OWN, other, workload.rate);
          // If one round says faster and another slower, neither is reported.
          List<String> to = ratio.min() > 1 ? faster : ratio.max() < 1 ? slower : unclear;
          to.add(workload.label + " (" + FigureFormat.number(ratio.median()) + ")");
        }
      }
      sentences.add(
          "Beside "
              + other
              + " Siltstone is faster at "
              + (faster.isEmpty() ? "nothing" : String.join(", ", faster))
              + "; slower at "
              + (slower.isEmpty() ? "nothing" : String.join(", ", slower))
              + (unclear.isEmpty() ? "" : "; rounds do not agree on " + String.join(", ", unclear))
              + ".");
    }
    return String.join(" ", sentences);
  }

  /** Returns whether a workload is skipped: B-trees have nothing to merge. */
  private static boolean isSkipped(String engine, Workload workload) {
    return workload == Workload.COMPACT && B_TREES.contains(engine);
  }

  private static ReportTable ratios(Samples<String> samples) {
    ReportTable.Builder table = ReportTable.builder("").text("workload", "workload");
    List<String> others = others(samples);
    others.forEach(other -> table.text(other.toLowerCase(Locale.ROOT), other));
    for (Workload workload : Workload.values()) {
      List<Object> cells = new ArrayList<>();
      cells.add(workload.label);
      for (String other : others) {
        cells.add(
            isSkipped(other, workload)
                ? "–"
                : FigureFormat.spread(samples.ratio(OWN, other, workload.rate)));
      }
      table.row(cells.toArray());
    }
    return table.build();
  }

  private static Chart chart(Samples<String> samples, Workload workload) {
    List<String> engines =
        samples.variants().stream().filter(name -> !isSkipped(name, workload)).toList();
    String label = Character.toUpperCase(workload.label.charAt(0)) + workload.label.substring(1);
    String unit = workload.rate.endsWith(RATE) ? "per second" : "MB/s";
    return SpreadBars.of(label, unit, samples, engines, workload.rate);
  }

  private static ReportTable rates(Samples<String> samples) {
    ReportTable.Builder table = ReportTable.builder("Rates").text("engine", "engine");
    for (Workload workload : Workload.values()) {
      boolean isRate = workload.rate.endsWith(RATE);
      table.number(
          workload.rate.replace('.', '_'), workload.label, isRate ? "/s" : "MB/s", isRate ? 0 : 1);
    }
    for (String engine : samples.variants()) {
      List<Object> cells = new ArrayList<>();
      cells.add(engine);
      for (Workload workload : Workload.values()) {
        cells.add(isSkipped(engine, workload) ? Double.NaN : samples.median(engine, workload.rate));
      }
      table.row(cells.toArray());
    }
    return table.build();
  }

  private static ReportTable latencies(Samples<String> samples, Workload workload) {
    ReportTable.Builder table =
        ReportTable.builder("Latencies: " + workload.label)
            .text("engine", "engine")
            .number("p50_us", "median", "µs", 1)
            .number("p99_us", "99 %", "µs", 1)
            .number("p999_us", "99.9 %", "µs", 0)
            .number("cpu_us_per_op", "CPU", "µs", 2)
            .number("allocated_bytes_per_op", "allocated on the heap", "B", 0);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, workload.prefix + ".p50_us"),
          samples.median(engine, workload.prefix + ".p99_us"),
          samples.median(engine, workload.prefix + ".p999_us"),
          samples.median(engine, workload.prefix + ".cpu_us_per_op"),
          samples.median(engine, workload.prefix + ".allocated_bytes_per_op"));
    }
    return table.build();
  }

  /** Returns the latencies and the processor time of the puts of a load. */
  private static ReportTable puts(Samples<String> samples, Workload workload) {
    ReportTable.Builder table =
        ReportTable.builder("Puts: " + workload.label)
            .text("engine", "engine")
            .number("cpu_us_per_op", "processor time of a put", "µs", 1)
            .number("p50_us", "median", "µs", 1)
            .number("p99_us", "99 %", "µs", 1)
            .number("p999_us", "99.9 %", "µs", 0)
            .number("longest_ms", "longest", "ms", 0);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, workload.prefix + ".cpu_us_per_op"),
          samples.median(engine, workload.prefix + ".p50_us"),
          samples.median(engine, workload.prefix + ".p99_us"),
          samples.median(engine, workload.prefix + ".p999_us"),
          samples.median(engine, workload.prefix + ".longest_ms"));
    }
    return table.build();
  }

  private static ReportTable sizes(Samples<String> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Space")
            .text("engine", "engine")
            .number("loaded_mb", "files after the load", "MB", 0)
            .number("compacted_mb", "after compaction", "MB", 0)
            .number("written_per_byte", "written while loading, per byte of data", "B", 2)
            .number("compact_s", "compaction", "s", 1);
    for (String engine : samples.variants()) {
      table.row(
          engine,
          samples.median(engine, "load.size_mb"),
          samples.median(engine, "compact.size_mb"),
          samples.median(engine, "load.written_per_byte"),
          samples.median(engine, "compact.seconds"));
    }
    return table.build();
  }
}
