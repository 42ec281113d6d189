package io.siltstone.bench.stress;

import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Formats the result of a stress run as a report: figures, and charts over time. */
public final class StressReport {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double MIB = 1 << 20;

  /** The greatest number of points of a chart; more could not be distinguished. */
  private static final int MOST_POINTS = 400;

  /** The least relative length of a last interval; a shorter one is not representative. */
  private static final double LEAST_INTERVAL = 0.2;

  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 100};
  private static final List<String> PERCENTILE_NAMES =
      List.of("p50", "p90", "p99", "p99.9", "p99.99", "max");

  private StressReport() {}

  /** Returns the report. */
  public static Report of(StressResult result, Machine machine) {
    WorkloadResult run = result.run();
    Report.Builder report =
        Report.builder("Stress " + result.options().profile().name(), machine)
            .text(StressText.headline(result.options()))
            .text(verdict(result));
    report.section("Operations").add(latencies(result)).add(rates(run));
    if (run.operations() > 0) {
      report.add(operations(run)).add(percentiles(run)).add(tail(run));
    }
    report.section("Table").add(table(result));
    if (!run.samples().isEmpty()) {
      report.add(disk(run)).add(compaction(run)).section("Memory").add(memory(run));
    }
    return report.section("Schema").code(result.schema().toCql()).build();
  }

  private static String verdict(StressResult result) {
    WorkloadResult run = result.run();
    StringBuilder text = new StringBuilder();
    result
        .populated()
        .ifPresent(
            load ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "Wrote all rows first: %,d in %.1f s, %,.0f per second. ",
                        load.operations(),
                        load.seconds(),
                        load.opsPerSecond())));
    text.append(
        String.format(
            Locale.ROOT,
            "Then %,d operations in %.1f s, %,.0f per second%s. ",
            run.operations(),
            run.seconds(),
            run.opsPerSecond(),
            result.isStopped() ? "; stopped before the end" : ""));
    if (result.options().load().opsPerSecond() > 0) {
      text.append("Latencies are measured from the time at which an operation was due. ");
    }
    if (run.missed() > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "%,d operations should have begun before the end and had not; their waiting"
                  + " time is included. ",
              run.missed()));
    }
    if (result.isRight()) {
      return text.append("No operation failed, and every read returned what was written.")
          .toString();
    }
    List<WorkloadResult> loads = new ArrayList<>();
    result.populated().ifPresent(loads::add);
    loads.add(run);
    text.append(loads.stream().mapToLong(load -> load.failures().errors()).sum())
        .append(" operations failed, ");
    text.append(loads.stream().mapToLong(load -> load.failures().wrongReads()).sum())
        .append(" reads were wrong: ");
    return text.append(
            loads.stream()
                .flatMap(load -> load.failures().first().stream())
                .collect(Collectors.joining("; ")))
        .toString();
  }

  private static ReportTable latencies(StressResult result) {
    ReportTable.Builder table =
        ReportTable.builder("Latencies")
            .text("operation", "Operation")
            .number("count", "Count", "", 0)
            .number("per_second", "Rate", "1/s", 0)
            .number("mean_micros", "Mean", "µs", 1)
            .number("p50_micros", "p50", "µs", 1)
            .number("p99_micros", "p99", "µs", 1)
            .number("p999_micros", "p99.9", "µs", 1)
            .number("max_micros", "Max", "µs", 1);
    result
        .populated()
        .ifPresent(load -> row(table, "populate", load.writeLatency(), load.seconds()));
    row(table, "read", result.run().readLatency(), result.run().seconds());
    row(table, "write", result.run().writeLatency(), result.run().seconds());
    return table.build();
  }

  private static void row(ReportTable.Builder table, String name, Latency latency, double seconds) {
    boolean isEmpty = latency.count() == 0 && latency.maxNanos() == 0;
    table.row(
        name,
        latency.count(),
        latency.count() / seconds,
        isEmpty ? null : latency.meanNanos() / NANOS_PER_MICRO,
        isEmpty ? null : latency.p50Nanos() / NANOS_PER_MICRO,
        isEmpty ? null : latency.p99Nanos() / NANOS_PER_MICRO,
        isEmpty ? null : latency.p999Nanos() / NANOS_PER_MICRO,
        isEmpty ? null : latency.maxNanos() / NANOS_PER_MICRO);
  }

  private static ReportTable rates(WorkloadResult run) {
    ReportTable.Builder table =
        ReportTable.builder("Operations per second")
            .text("over", "Over")
            .number("ops_per_second", "Operations", "1/s", 0);
    table.row("the whole run", run.opsPerSecond());
    for (int minutes : Rates.MINUTES) {
      OptionalDouble rate = Rates.over(minutes, run.samples());
      table.row(
          "the last " + minutes + " min" + (rate.isPresent() ? "" : " (the run is shorter)"),
          rate.isPresent() ? rate.getAsDouble() : null);
    }
    return table.build();
  }

  private static Chart operations(WorkloadResult run) {
    return over(Chart.lines("Operations per second over time").y("operations/s"), run)
        .add("reads", sample -> sample.reads().count() / sample.intervalSeconds())
        .add("writes", sample -> sample.writes().count() / sample.intervalSeconds())
        .build();
  }

  private static Chart percentiles(WorkloadResult run) {
    return over(Chart.lines("Latency over time").y("microseconds").logarithmicY(), run)
        .add("read p50", sample -> sample.reads().p50Nanos() / NANOS_PER_MICRO)
        .add("read p99", sample -> sample.reads().p99Nanos() / NANOS_PER_MICRO)
        .add("read max", sample -> sample.reads().maxNanos() / NANOS_PER_MICRO)
        .add("write p50", sample -> sample.writes().p50Nanos() / NANOS_PER_MICRO)
        .add("write p99", sample -> sample.writes().p99Nanos() / NANOS_PER_MICRO)
        .add("write max", sample -> sample.writes().maxNanos() / NANOS_PER_MICRO)
        .build();
  }

  private static Chart tail(WorkloadResult run) {
    Chart.Builder chart =
        Chart.bars("Latency of the whole run", PERCENTILE_NAMES).y("microseconds").logarithmicY();
    if (run.reads().nanos().getTotalCount() > 0) {
      chart.series("reads", percentiles(run.reads().nanos()));
    }
    if (run.writes().nanos().getTotalCount() > 0) {
      chart.series("writes", percentiles(run.writes().nanos()));
    }
    return chart.build();
  }

  private static double[] percentiles(Histogram nanos) {
    double[] values = new double[PERCENTILES.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = nanos.getValueAtPercentile(PERCENTILES[i]) / NANOS_PER_MICRO;
    }
    return values;
  }

  private static ReportTable table(StressResult result) {
    WorkloadResult run = result.run();
    double operations = Math.max(1, run.operations());
    return ReportTable.builder("At the end")
        .text("figure", "Figure")
        .number("value", "Value", "", 2)
        .text("unit", "Unit")
        .row("SSTables", result.table().sstables().count(), "")
        .row("on disk", result.table().sstables().onDiskBytes() / MIB, "MiB")
        .row("SSTable compression ratio", result.compressionRatio(), "")
        .row("write amplification", result.table().traffic().writeAmplification(), "")
        .row("compactions", result.table().traffic().compactions(), "")
        .row("SSTables per read, mean", result.table().reads().sstables().mean(), "")
        .row("chunk cache hit rate", result.database().chunkCache().hitRate(), "")
        .row(
            "filters, summaries, chunk offsets",
            result.table().sstables().offHeapBytes() / MIB,
            "MiB off heap")
        .row("allocated per operation", run.allocatedBytes() / operations, "bytes of heap")
        .row("read from disks", run.usage().diskReadBytes() / MIB, "MiB")
        .row("written to disks", run.usage().diskWrittenBytes() / MIB, "MiB")
        .row("processor time", run.usage().cpuNanos() / 1e9, "s")
        .row("garbage collection", run.usage().collectionMillis() / 1e3, "s")
        .build();
  }

  private static Chart disk(WorkloadResult run) {
    return over(Chart.lines("Data files over time").y("MiB"), run)
        .add("on disk", sample -> sample.gauges().onDiskBytes() / MIB)
        .add("to be compacted", sample -> sample.gauges().compactionDebtBytes() / MIB)
        .build();
  }

  private static Chart compaction(WorkloadResult run) {
    return over(Chart.lines("SSTables and compactions over time").y("count"), run)
        .add("SSTables", sample -> sample.gauges().sstables())
        .add("compactions waiting", sample -> sample.gauges().pendingCompactions())
        .add("compactions running", sample -> sample.gauges().runningCompactions())
        .build();
  }

  private static Chart memory(WorkloadResult run) {
    return over(Chart.lines("Memory over time").y("MiB"), run)
        .add("heap, with garbage", sample -> sample.gauges().heapBytes() / MIB)
        .add("off-heap", sample -> sample.gauges().offHeapBytes() / MIB)
        .add("memtables", sample -> sample.gauges().memtableBytes() / MIB)
        .build();
  }

  private static OverTime over(Chart.Builder chart, WorkloadResult run) {
    double longest =
        run.samples().stream().mapToDouble(WorkloadSample::intervalSeconds).max().orElse(0);
    List<WorkloadSample> samples =
        run.samples().stream()
            .filter(sample -> sample.intervalSeconds() >= longest * LEAST_INTERVAL)
            .toList();
    return new OverTime(chart.x("seconds"), samples);
  }

  /** Adds the samples to a chart; if there are many, the means of consecutive ones. */
  private record OverTime(Chart.Builder chart, List<WorkloadSample> samples) {
    OverTime add(String name, ToDoubleFunction<WorkloadSample> value) {
      int step = (samples.size() + MOST_POINTS - 1) / MOST_POINTS;
      int count = (samples.size() + step - 1) / step;
      double[] xs = new double[count];
      double[] ys = new double[count];
      for (int i = 0; i < count; i++) {
        List<WorkloadSample> some =
            samples.subList(i * step, Math.min(samples.size(), (i + 1) * step));
        xs[i] = some.get(some.size() - 1).seconds();
        ys[i] = some.stream().mapToDouble(value).average().orElse(Double.NaN);
      }
      chart.series(name, xs, ys);
      return this;
    }

    Chart build() {
      return chart.build();
    }
  }
}
