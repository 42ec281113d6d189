package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The direct I/O experiment: reads of a table larger than memory while another table is compacted
 * at full speed, with and without direct I/O in the compaction, and without a compaction.
 */
final class DirectIoExperiment implements Experiment {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 128;
  private static final int DIRECT_MIB = 160;
  private static final int THREADS = 4;
  private static final int CHUNK_LENGTH_KIB = 16;
  private static final String P99 = "read_p99_us";
  private static final List<String> PERCENTILES = List.of("read_p50_us", P99, "read_p999_us");

  /** The compaction that runs beside the reads. */
  private enum Beside {
    NOTHING("no compaction"),
    BUFFERED("compaction through the page cache"),
    DIRECT("compaction with direct I/O");

    private final String label;

    Beside(String label) {
      this.label = label;
    }
  }

  @Override
  public String name() {
    return "direct-io";
  }

  @Override
  public String description() {
    return "Reads while another table is compacted at full speed, with and without direct I/O, data"
        + " larger than memory.";
  }

  @Override
  public List<String> changes() {
    return List.of(LimitedVolume.READ_AHEAD_CHANGE);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      long keys = experimentRunner.of(1_000L, 400_000L, 2_000_000L);
      int rate = experimentRunner.of(500, 2_000, 5_000);
      Samples<Beside> samples = measure(experimentRunner, keys, rate);
      return report(setting, experimentRunner, keys, rate, samples);
    }
  }

  private static Samples<Beside> measure(ExperimentRunner experimentRunner, long keys, int rate)
      throws IOException {
    experimentRunner.progress("loading " + keys + " rows to read, and SSTables to compact");
    experimentRunner.prepare(
        KeyValueDatabases.class,
        new NamedValues()
            .put("directory", experimentRunner.directory().toString())
            .put("keys", keys)
            .put("chunk_lengths", List.of((double) CHUNK_LENGTH_KIB)));
    Path input = experimentRunner.directory().resolve("input");
    experimentRunner.prepare(
        TextTables.class,
        new NamedValues()
            .put("directory", input.toString())
            .put("tables", 4)
            .put("keys", experimentRunner.of(500, 150_000, 1_000_000))
            .put("shared", 0.5)
            .put("chunk_length_kib", CHUNK_LENGTH_KIB));
    VolumeLimits limits =
        VolumeLimits.NONE
            .withoutReadAhead()
            .withMemory(experimentRunner.of(512L, 640L, 2_560L) * MIB);
    String database =
        experimentRunner.directory().resolve(Integer.toString(CHUNK_LENGTH_KIB)).toString();
    return experimentRunner.inRounds(
        experimentRunner.rounds(1, 3, 5),
        List.of(Beside.values()),
        beside -> beside.label,
        beside ->
            experimentRunner.measure(
                ReadsBesideCompaction.class,
                new NamedValues()
                    .put("database", database)
                    .put("keys", keys)
                    .put("input", input.toString())
                    .put("compacts", beside == Beside.NOTHING ? 0 : 1)
                    .put("direct", beside == Beside.DIRECT ? 1 : 0)
                    .put("read_ahead_bytes", BUFFER_BYTES)
                    .put("pipeline_threads", 0)
                    .put("seconds", experimentRunner.of(0.3, 20.0, 60.0))
                    .put("warm_up_seconds", experimentRunner.of(0.2, 10.0, 60.0))
                    .put("threads", THREADS)
                    .put("reads_per_s", rate)
                    .put("chunk_cache_bytes", 16 * MIB),
                experimentRunner.jvm(HEAP_MIB, DIRECT_MIB),
                limits),
        result ->
            "99 % of reads within "
                + FigureFormat.number(result.number(P99) / 1e3)
                + " ms, compacted "
                + FigureFormat.number(result.number("compacted_mb_per_s"))
                + " MB/s");
  }

  private static Report report(
      ExperimentSetting setting,
      ExperimentRunner experimentRunner,
      long keys,
      int rate,
      Samples<Beside> samples) {
    Report.Builder report =
        Report.builder("Direct I/O in compaction", setting.machine())
            .section("What it shows")
            .text(conclusion(samples));
    new Comparison(
            "Published for Cassandra 6 (CASSANDRA-21134): two compactions of 64 GB at full speed"
                + " beside 10,000 reads a second in 12 GB of memory, written through the page cache"
                + " and with direct I/O.")
        .row("99 % of reads within", "16.2 → 1.9 ms", change(samples, P99))
        .row("99.9 % of reads within", "100.6 → 7.9 ms", change(samples, "read_p999_us"))
        .addTo(report);
    report
        .section("Latency of reads")
        .add(chart(samples))
        .section("All figures")
        .add(table(samples))
        .section("How it was measured")
        .text(
            "Reads at random of "
                + FigureFormat.count(keys)
                + " rows of the profile KeyValue, some more often than others (Zipf, exponent"
                + " 0.99), "
                + FigureFormat.count(rate)
                + " a second by "
                + THREADS
                + " threads, with latencies measured from the time at which each read was"
                + " due; chunk cache 16 MiB. In the same process, one thread runs the major"
                + " compaction of other SSTables repeatedly, without a throttle, through"
                + " buffers of 256 KiB. Each figure is the median of "
                + FigureFormat.rounds(samples.of(Beside.NOTHING).size())
                + "; in each round all variants ran one after the other, each in its own"
                + " JVM with "
                + HEAP_MIB
                + " MiB of heap, after reads alone to fill the page cache.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  private static String conclusion(Samples<Beside> samples) {
    double better = samples.ratio(Beside.BUFFERED, Beside.DIRECT, P99).median();
    return "While another table is compacted, 99 % of reads end within "
        + FigureFormat.number(samples.median(Beside.DIRECT, P99) / 1e3)
        + " ms if the compaction reads and writes with direct I/O, and within "
        + FigureFormat.number(samples.median(Beside.BUFFERED, P99) / 1e3)
        + " ms if it goes through the page cache, "
        + FigureFormat.number(better)
        + " times as long (published 8.5 times); without a compaction within "
        + FigureFormat.number(samples.median(Beside.NOTHING, P99) / 1e3)
        + " ms. The compaction reads "
        + FigureFormat.change(
            samples.median(Beside.BUFFERED, "compacted_mb_per_s"),
            samples.median(Beside.DIRECT, "compacted_mb_per_s"),
            "MB/s of files")
        + ".";
  }

  private static String change(Samples<Beside> samples, String name) {
    return FigureFormat.change(
        samples.median(Beside.BUFFERED, name) / 1e3,
        samples.median(Beside.DIRECT, name) / 1e3,
        "ms");
  }

  private static Chart chart(Samples<Beside> samples) {
    Chart.Builder chart =
        Chart.bars("Latency of reads", List.of("median", "99 %", "99.9 %"))
            .y("ms, logarithmic")
            .logarithmicY();
    for (Beside beside : Beside.values()) {
      List<Spread> spreads =
          PERCENTILES.stream().map(name -> samples.spread(beside, name)).toList();
      chart.series(
          beside.label,
          spreads.stream().mapToDouble(spread -> spread.median() / 1e3).toArray(),
          spreads.stream().mapToDouble(spread -> spread.min() / 1e3).toArray(),
          spreads.stream().mapToDouble(spread -> spread.max() / 1e3).toArray());
    }
    return chart.build();
  }

  private static ReportTable table(Samples<Beside> samples) {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("variant", "beside the reads")
            .number("read_p50_us", "reads, median", "µs", 0)
            .number("read_p99_us", "99 %", "µs", 0)
            .number("read_p99_us_min", "least", "µs", 0)
            .number("read_p99_us_max", "most", "µs", 0)
            .number("read_p999_us", "99.9 %", "µs", 0)
            .number("read_max_us", "longest", "µs", 0)
            .number("ops_per_s", "reads", "/s", 0)
            .number("compacted_mb_per_s", "compacted, files", "MB/s", 1)
            .number("disk_mb_per_s", "read from the disk", "MB/s", 1)
            .number("disk_reads", "reads of the disk", "", 0);
    for (Beside beside : samples.variants()) {
      Spread p99 = samples.spread(beside, P99);
      table.row(
          beside.label,
          samples.median(beside, "read_p50_us"),
          p99.median(),
          p99.min(),
          p99.max(),
          samples.median(beside, "read_p999_us"),
          samples.median(beside, "read_max_us"),
          samples.median(beside, "ops_per_s"),
          samples.median(beside, "compacted_mb_per_s"),
          samples.median(beside, "disk_mb_per_s"),
          samples.median(beside, "disk_reads"));
    }
    return table.build();
  }
}
