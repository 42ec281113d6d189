package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The wide partition experiment: one partition of 100,000 to 30 million rows, in heaps down to 64
 * MB.
 */
final class WidePartitionExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int DIRECT_MIB = 384;
  private static final long MEMTABLE_BYTES = 64 * MIB;

  /** The combinations that are measured. */
  private record Variant(int rows, int heapMib) {
    String label() {
      return FigureFormat.count(rows) + " rows, heap " + heapMib + " MB";
    }
  }

  @Override
  public String name() {
    return "wide-partition";
  }

  @Override
  public String description() {
    return "One partition of 100,000 to 30 million rows in heaps down to 64 MB: time, heap,"
        + " collections, latency of a random row and of slices.";
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      return report(setting, experimentRunner, measure(experimentRunner));
    }
  }

  private static List<Variant> variants(ExperimentRunner experimentRunner) {
    return experimentRunner.of(
        List.of(new Variant(2_000, 64), new Variant(5_000, 64)),
        List.of(
            new Variant(100_000, 64), new Variant(1_000_000, 64), new Variant(1_000_000, 1_024)),
        List.of(
            new Variant(100_000, 64),
            new Variant(1_000_000, 64),
            new Variant(10_000_000, 64),
            new Variant(10_000_000, 1_024),
            new Variant(30_000_000, 64),
            new Variant(30_000_000, 1_024)));
  }

  private static Samples<Variant> measure(ExperimentRunner experimentRunner) throws IOException {
    return experimentRunner.inRounds(
        experimentRunner.rounds(1, 2, 1),
        variants(experimentRunner),
        Variant::label,
        variant -> {
          Path directory = Files.createDirectory(experimentRunner.directory().resolve("wide"));
          NamedValues result =
              experimentRunner.measure(
                  WidePartitionMeasurement.class,
                  new NamedValues()
                      .put("directory", directory.toString())
                      .put("database", directory.resolve("database").toString())
                      .put("rows", variant.rows())
                      .put("seconds", experimentRunner.of(0.1, 2.0, 10.0))
                      .put(
                          "memtable_bytes",
                          experimentRunner.of(MIB, MEMTABLE_BYTES, MEMTABLE_BYTES)),
                  experimentRunner.jvm(variant.heapMib(), DIRECT_MIB),
                  VolumeLimits.NONE);
          ExperimentRunner.remove(directory);
          return result;
        },
        result ->
            "loaded in "
                + FigureFormat.number(result.number("load.seconds"))
                + " s, compacted in "
                + FigureFormat.number(result.number("compact.seconds"))
                + " s, a row in "
                + FigureFormat.number(result.number("row.p50_us"))
                + " µs");
  }

  private static Report report(
      ExperimentSetting setting, ExperimentRunner experimentRunner, Samples<Variant> samples) {
    Variant largest = largest(samples);
    Report.Builder report =
        Report.builder("Wide partitions", setting.machine())
            .section("What it shows")
            .text(conclusion(samples));
    new Comparison(
            "Published for Cassandra 3.11.3 and 2.2.13 with a heap of 1 GB: one partition, rows of"
                + " about 400 bytes.")
        .row("10 million rows take", "4 GB", gigabytes(samples, 10_000_000))
        .row("30 million rows take", "12 GB", gigabytes(samples, 30_000_000))
        .row(
            "most rows, and the heap",
            "30 million in 1 GB, then out of memory (3.11.3); 2.2.13 failed at 10 million",
            FigureFormat.count(largest.rows()) + " in " + largest.heapMib() + " MB, none failed")
        .addTo(report);
    report.section("Heap over time");
    for (Variant variant : samples.variants()) {
      report.add(heap(samples, variant));
    }
    List<String> labels = samples.variants().stream().map(Variant::label).toList();
    report
        .section("Time")
        .add(
            Chart.bars("Time per million rows", labels)
                .y("s")
                .series("load", values(samples, "load.seconds", true))
                .series("flush", values(samples, "flush.seconds", true))
                .series("compaction", values(samples, "compact.seconds", true))
                .build())
        .section("Latency")
        .add(
            Chart.bars("A random row, and 100 rows from it", labels)
                .y("µs, logarithmic")
                .logarithmicY()
                .series("row, median", values(samples, "row.p50_us", false))
                .series("row, 99 %", values(samples, "row.p99_us", false))
                .series("100 rows, median", values(samples, "slice.p50_us", false))
                .series("100 rows backward, median", values(samples, "reversed.p50_us", false))
                .build())
        .section("All figures")
        .add(phases(samples))
        .add(reads(samples))
        .section("How it was measured")
        .text(
            "All rows of one partition are written by one thread through the commit log,"
                + " with memtables of "
                + (MEMTABLE_BYTES >> 20)
                + " MiB off the heap; then flushed, then merged into one SSTable without a"
                + " throttle; then read by one thread through a chunk cache of 16 MiB and"
                + " the page cache: a random row, 100 rows from a random one on, and 100"
                + " rows backward from a random one. Each variant ran in its own JVM, "
                + (samples.of(largest).size() == 1
                    ? "once."
                    : "in each of "
                        + FigureFormat.rounds(samples.of(largest).size())
                        + "; figures are medians, the heap over time is that of the first"
                        + " round.")
                + " The heap in use includes garbage, so it reflects how often the garbage"
                + " collector ran rather than the live data.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  /** Returns the variant with most rows, in the smallest heap. */
  private static Variant largest(Samples<Variant> samples) {
    Variant largest = samples.variants().get(0);
    for (Variant variant : samples.variants()) {
      if (variant.rows() > largest.rows()
          || (variant.rows() == largest.rows() && variant.heapMib() < largest.heapMib())) {
        largest = variant;
      }
    }
    return largest;
  }

  private static String gigabytes(Samples<Variant> samples, int rows) {
    for (Variant variant : samples.variants()) {
      if (variant.rows() == rows) {
        return FigureFormat.number(samples.median(variant, "data_mb") / 1e3)
            + " GB, "
            + FigureFormat.number(samples.median(variant, "stored_mb") / 1e3)
            + " GB compressed";
      }
    }
    return "not measured; use --full";
  }

  private static String conclusion(Samples<Variant> samples) {
    Variant least = samples.variants().get(0);
    Variant most = largest(samples);
    double times = (double) most.rows() / least.rows();
    double slower = samples.median(most, "row.p50_us") / samples.median(least, "row.p50_us");
    double load =
        samples.median(most, "load.seconds") / samples.median(least, "load.seconds") / times;
    double collected =
        100
            * (samples.median(most, "load.collection_ms")
                + samples.median(most, "flush.collection_ms")
                + samples.median(most, "compact.collection_ms"))
            / 1e3
            / (samples.median(most, "load.seconds")
                + samples.median(most, "flush.seconds")
                + samples.median(most, "compact.seconds"));
    return "A partition of "
        + FigureFormat.count(most.rows())
        + " rows ("
        + FigureFormat.number(samples.median(most, "data_mb"))
        + " MB) is written, flushed, compacted and read in a heap of "
        + most.heapMib()
        + " MB; garbage collection takes "
        + FigureFormat.number(collected)
        + " % of the time until it is compacted, and the compaction allocates "
        + FigureFormat.number(samples.median(most, "compact.allocated_mb"))
        + " MB. With "
        + FigureFormat.number(times)
        + " times the rows, a row takes "
        + FigureFormat.number(load)
        + " times as long to load, and a random one "
        + FigureFormat.number(slower)
        + " times as long to read ("
        + FigureFormat.change(
            samples.median(least, "row.p50_us"), samples.median(most, "row.p50_us"), "µs")
        + ").";
  }

  private static Chart heap(Samples<Variant> samples, Variant variant) {
    NamedValues first = samples.of(variant).get(0);
    return Chart.lines("Heap in use, " + variant.label())
        .x("s")
        .y("MB")
        .series("heap in use", array(first.series("heap_seconds")), array(first.series("heap_mb")))
        .reference("maximum", first.number("heap_max_mb"))
        .build();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double[] values(Samples<Variant> samples, String name, boolean perMillionRows) {
    return samples.variants().stream()
        .mapToDouble(
            variant -> samples.median(variant, name) / (perMillionRows ? variant.rows() / 1e6 : 1))
        .toArray();
  }

  private static ReportTable phases(Samples<Variant> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Until compacted")
            .text("variant", "variant")
            .number("data_mb", "data", "MB", 0)
            .number("sstables", "flushed SSTables", "", 0)
            .number("load_s", "load", "s", 2)
            .number("flush_s", "flush", "s", 2)
            .number("compact_s", "compaction", "s", 2)
            .number("compact_mb_per_s", "compaction", "MB/s", 1)
            .number("compact_allocated_mb", "allocated by compaction", "MB", 1)
            .number("load_allocated_bytes_per_row", "allocated by the load per row", "B", 0)
            .number("load_heap_peak_mb", "heap peak, load", "MB", 0)
            .number("compact_heap_peak_mb", "compaction", "MB", 0)
            .number("collections", "collections", "", 0)
            .number("collection_ms", "duration of collections", "ms", 0);
    for (Variant variant : samples.variants()) {
      double data = samples.median(variant, "data_mb");
      table.row(
          variant.label(),
          data,
          samples.median(variant, "sstables"),
          samples.median(variant, "load.seconds"),
          samples.median(variant, "flush.seconds"),
          samples.median(variant, "compact.seconds"),
          data / samples.median(variant, "compact.seconds"),
          samples.median(variant, "compact.allocated_mb"),
          1e6 * samples.median(variant, "load.allocated_mb") / variant.rows(),
          samples.median(variant, "load.heap_peak_mb"),
          samples.median(variant, "compact.heap_peak_mb"),
          samples.median(variant, "load.collections")
              + samples.median(variant, "flush.collections")
              + samples.median(variant, "compact.collections"),
          samples.median(variant, "load.collection_ms")
              + samples.median(variant, "flush.collection_ms")
              + samples.median(variant, "compact.collection_ms"));
    }
    return table.build();
  }

  private static ReportTable reads(Samples<Variant> samples) {
    ReportTable.Builder table =
        ReportTable.builder("Reads by one thread")
            .text("variant", "variant")
            .text("kind", "read")
            .number("ops_per_s", "reads", "/s", 0)
            .number("p50_us", "median", "µs", 1)
            .number("p99_us", "99 %", "µs", 1)
            .number("allocated_bytes_per_op", "allocated", "B", 0);
    for (Variant variant : samples.variants()) {
      for (String kind : List.of("row", "slice", "reversed")) {
        table.row(
            variant.label(),
            switch (kind) {
              case "row" -> "a random row";
              case "slice" -> "100 rows from a random one";
              default -> "100 rows backward from a random one";
            },
            samples.median(variant, kind + ".ops_per_s"),
            samples.median(variant, kind + ".p50_us"),
            samples.median(variant, kind + ".p99_us"),
            samples.median(variant, kind + ".allocated_bytes_per_op"));
      }
    }
    return table.build();
  }
}
