package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The read-ahead experiment: compaction that reads chunk by chunk, with a buffer of 256 KiB, and
 * with direct I/O in addition; on the disk as it is, and on one that allows 3,000 reads and 125 MiB
 * per second.
 */
final class ReadAheadExperiment implements Experiment {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 96;
  private static final int DIRECT_MIB = 96;
  private static final String SPEED = "stored_mb_per_s";
  private static final String NOT_COUNTED = "not counted";
  private static final List<VolumeLimits> VOLUMES = List.of(VolumeLimits.NONE, VolumeLimits.CLOUD);

  /** How compaction reads its inputs. */
  private enum Way {
    CHUNKS("chunk by chunk", 0, false),
    BUFFER("256 KiB buffer", BUFFER_BYTES, false),
    DIRECT("256 KiB buffer, direct I/O", BUFFER_BYTES, true);

    private final String label;
    private final int readAheadBytes;
    private final boolean isDirect;

    Way(String label, int readAheadBytes, boolean isDirect) {
      this.label = label;
      this.readAheadBytes = readAheadBytes;
      this.isDirect = isDirect;
    }
  }

  /** The combinations that are measured. */
  private record Variant(VolumeLimits volume, Way way) {
    String label() {
      return (volume.limitsReads() ? volume.readsText() : "the disk as it is") + ", " + way.label;
    }
  }

  @Override
  public String name() {
    return "read-ahead";
  }

  @Override
  public String description() {
    return "Compaction with and without the 256 KiB read-ahead buffer and with direct I/O, on the"
        + " disk as it is and on a limited volume.";
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

  private static Samples<Variant> measure(ExperimentRunner experimentRunner) throws IOException {
    Path input = experimentRunner.directory().resolve("input");
    Path warmUp = experimentRunner.directory().resolve("warm-up");
    int tables = experimentRunner.of(3, 4, 6);
    experimentRunner.progress("making " + tables + " SSTables");
    make(experimentRunner, input, tables, experimentRunner.of(500, 60_000, 250_000));
    make(experimentRunner, warmUp, tables, experimentRunner.of(200, 5_000, 5_000));
    long hotBytes = experimentRunner.of(1L, 128L, 256L) * MIB;
    // The JVM takes about 150 MiB; the rest is page cache, for less than the input.
    long memory = experimentRunner.of(512L, 352L, 768L) * MIB;
    List<Variant> variants = new ArrayList<>();
    for (VolumeLimits volume : VOLUMES) {
      for (Way way : Way.values()) {
        variants.add(new Variant(volume, way));
      }
    }
    return experimentRunner.inRounds(
        experimentRunner.rounds(1, 3, 5),
        variants,
        Variant::label,
        variant ->
            experimentRunner.measure(
                CompactionMeasurement.class,
                new NamedValues()
                    .put("input", input.toString())
                    .put("warm_up", warmUp.toString())
                    .put("warm_ups", experimentRunner.of(0, 3, 3))
                    .put("read_ahead_bytes", variant.way().readAheadBytes)
                    .put("direct", variant.way().isDirect ? 1 : 0)
                    .put("pipeline_threads", 1)
                    .put("hot_bytes", hotBytes),
                experimentRunner.jvm(HEAP_MIB, DIRECT_MIB),
                variant.volume().withMemory(memory)),
        result ->
            FigureFormat.number(result.number(SPEED))
                + " MB/s of files, "
                + FigureFormat.number(result.number("disk_reads_per_s"))
                + " reads/s");
  }

  private static void make(ExperimentRunner experimentRunner, Path directory, int tables, int keys)
      throws IOException {
    experimentRunner.prepare(
        TextTables.class,
        new NamedValues()
            .put("directory", directory.toString())
            .put("tables", tables)
            .put("keys", keys)
            .put("shared", 0.5)
            .put("chunk_length_kib", 16));
  }

  private static Report report(
      ExperimentSetting setting, ExperimentRunner experimentRunner, Samples<Variant> samples) {
    Variant chunks = new Variant(VolumeLimits.CLOUD, Way.CHUNKS);
    Variant buffer = new Variant(VolumeLimits.CLOUD, Way.BUFFER);
    NamedValues any = samples.of(chunks).get(0);
    Report.Builder report =
        Report.builder("Read-ahead in compaction", setting.machine())
            .section("What it shows")
            .text(conclusion(samples))
            .text(pageCache(samples));
    new Comparison(
            "Published for Cassandra 5.0.4 (CASSANDRA-15452) on a gp3 volume of 3,000 IOPS, with"
                + " chunks of 16 KiB; MB/s are those of the files that are read.")
        .row(
            "MB/s, without and with the buffer",
            "51 → 106",
            FigureFormat.change(samples.median(chunks, SPEED), samples.median(buffer, SPEED), ""))
        .row(
            "reads per second, without and with",
            "3,000 → 500",
            isCounted(samples)
                ? FigureFormat.change(
                    samples.median(chunks, "disk_reads_per_s"),
                    samples.median(buffer, "disk_reads_per_s"),
                    "")
                : NOT_COUNTED)
        .row(
            "mean read",
            "about 14 KiB → 256 KiB",
            isCounted(samples)
                ? FigureFormat.change(meanRead(samples, chunks), meanRead(samples, buffer), "KiB")
                : NOT_COUNTED)
        .addTo(report);
    report
        .section("Speed")
        .add(
            chart("Files read by compaction, MB/s", "MB/s", samples, SPEED, value -> value)
                .reference("published without", 51)
                .reference("published with", 106)
                .build())
        .section("Reads of the disk")
        .add(
            chart(
                    "Reads of the disk per second",
                    "reads/s, logarithmic",
                    samples,
                    "disk_reads_per_s",
                    value -> value)
                .logarithmicY()
                .build())
        .add(
            chart(
                    "Mean size of a read of the disk",
                    "KiB, logarithmic",
                    samples,
                    "disk_mean_read_bytes",
                    value -> value / 1024)
                .logarithmicY()
                .build())
        .section("Page cache")
        .add(
            chart(
                    "Page cache that holds files of the compaction afterwards",
                    "MB",
                    samples,
                    "page_cache_taken_mb",
                    value -> value)
                .build())
        .section("All figures")
        .add(table(samples))
        .section("How it was measured")
        .text(
            "The major compaction of SSTables with "
                + FigureFormat.number(any.number("data_mb"))
                + " MB of text rows of about 900 bytes, "
                + FigureFormat.number(any.number("stored_mb"))
                + " MB in files (LZ4, 16 KiB chunks); each SSTable shares half of its keys"
                + " with the next. One thread merges, one reads ahead and writes behind."
                + " Each figure is the median of "
                + FigureFormat.rounds(samples.of(chunks).size())
                + "; in each round all variants ran one after the other, each in its own"
                + " JVM with "
                + HEAP_MIB
                + " MiB of heap, after small compactions to warm up. Outputs are synced,"
                + " and their writing is not limited.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  private static String conclusion(Samples<Variant> samples) {
    Variant chunks = new Variant(VolumeLimits.CLOUD, Way.CHUNKS);
    Variant buffer = new Variant(VolumeLimits.CLOUD, Way.BUFFER);
    double faster = samples.ratio(buffer, chunks, SPEED).median();
    double fewer =
        samples.median(chunks, "disk_reads") / Math.max(1, samples.median(buffer, "disk_reads"));
    double freely =
        samples
            .ratio(
                new Variant(VolumeLimits.NONE, Way.BUFFER),
                new Variant(VolumeLimits.NONE, Way.CHUNKS),
                SPEED)
            .median();
    return "On the limited volume compaction with the 256 KiB buffer is "
        + FigureFormat.fast(faster)
        + " ("
        + FigureFormat.change(samples.median(chunks, SPEED), samples.median(buffer, SPEED), "MB/s")
        + ", published 51 → 106)"
        + (isCounted(samples)
            ? " with one read of the disk where there were " + FigureFormat.number(fewer)
            : "")
        + "; "
        + (FigureFormat.isMore(faster)
            ? ""
            : "so the limit of reads does not slow compaction down here; ")
        + "on the disk as it is, where the kernel reads ahead too, it is "
        + FigureFormat.fast(freely)
        + ".";
  }

  private static String pageCache(Samples<Variant> samples) {
    double buffered =
        samples.median(new Variant(VolumeLimits.NONE, Way.BUFFER), "page_cache_taken_mb");
    double direct =
        samples.median(new Variant(VolumeLimits.NONE, Way.DIRECT), "page_cache_taken_mb");
    double keptBuffered = samples.median(new Variant(VolumeLimits.NONE, Way.BUFFER), "hot_kept");
    double keptDirect = samples.median(new Variant(VolumeLimits.NONE, Way.DIRECT), "hot_kept");
    return "With direct I/O compaction leaves "
        + FigureFormat.number(direct)
        + " MB of its files in the page cache, without it "
        + FigureFormat.number(buffered)
        + " MB; of a file in use "
        + FigureFormat.number(100 * keptDirect)
        + " % stayed there with direct I/O, "
        + FigureFormat.number(100 * keptBuffered)
        + " % without it.";
  }

  /** Returns whether the kernel counts the reads of the disk. */
  private static boolean isCounted(Samples<Variant> samples) {
    return samples.median(new Variant(VolumeLimits.CLOUD, Way.CHUNKS), "disk_reads") > 0;
  }

  private static double meanRead(Samples<Variant> samples, Variant variant) {
    return samples.median(variant, "disk_mean_read_bytes") / 1024;
  }

  private static Chart.Builder chart(
      String title,
      String unit,
      Samples<Variant> samples,
      String name,
      ToDoubleFunction<Double> scale) {
    Chart.Builder chart =
        Chart.bars(
                title,
                VOLUMES.stream()
                    .map(volume -> volume.limitsReads() ? volume.readsText() : "the disk as it is")
                    .toList())
            .y(unit);
    for (Way way : Way.values()) {
      SpreadBars.add(
          chart,
          way.label,
          VOLUMES.stream()
              .map(volume -> samples.spread(new Variant(volume, way), name))
              .map(
                  spread ->
                      new Spread(
                          scale.applyAsDouble(spread.median()),
                          scale.applyAsDouble(spread.min()),
                          scale.applyAsDouble(spread.max())))
              .toList());
    }
    return chart;
  }

  private static ReportTable table(Samples<Variant> samples) {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("variant", "variant")
            .number("stored_mb_per_s", "files", "MB/s", 1)
            .number("stored_mb_per_s_min", "least", "MB/s", 1)
            .number("stored_mb_per_s_max", "most", "MB/s", 1)
            .number("mb_per_s", "uncompressed", "MB/s", 1)
            .number("disk_reads_per_s", "reads of the disk", "/s", 0)
            .number("disk_mean_read_kib", "mean read", "KiB", 1)
            .number("read_calls", "read calls", "", 0)
            .number("page_cache_taken_mb", "page cache taken", "MB", 0)
            .number("hot_kept_percent", "file in use kept", "%", 0)
            .number("cpu_s", "CPU", "s", 2)
            .number("allocated_mb", "allocated", "MB", 1);
    for (Variant variant : samples.variants()) {
      Spread speed = samples.spread(variant, SPEED);
      table.row(
          variant.label(),
          speed.median(),
          speed.min(),
          speed.max(),
          samples.median(variant, "mb_per_s"),
          samples.median(variant, "disk_reads_per_s"),
          meanRead(samples, variant),
          samples.median(variant, "read_calls"),
          samples.median(variant, "page_cache_taken_mb"),
          100 * samples.median(variant, "hot_kept"),
          samples.median(variant, "cpu_s"),
          samples.median(variant, "allocated_mb"));
    }
    return table.build();
  }
}
