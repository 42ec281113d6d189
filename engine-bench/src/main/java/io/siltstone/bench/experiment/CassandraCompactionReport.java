package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.CompactionLimit;
import io.siltstone.bench.experiment.CassandraCompactionExperiment.Input;
import io.siltstone.bench.experiment.CassandraCompactionExperiment.Side;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Formats the report of {@link CassandraCompactionExperiment}. */
final class CassandraCompactionReport {
  private static final String SPEED = "mb_per_s";

  private final Map<Input, Samples<Side>> samples;
  private final List<Input> inputs;
  private final List<Side> sides;
  private final int cassandraHeapMib;
  private final int warmUps;
  private final int compactions;

  /**
   * @param samples of at least one input
   * @param warmUps number of compactions to warm up, in each JVM
   * @param compactions number of timed compactions
   */
  CassandraCompactionReport(
      Map<Input, Samples<Side>> samples, int cassandraHeapMib, int warmUps, int compactions) {
    this.samples = samples;
    this.cassandraHeapMib = cassandraHeapMib;
    this.warmUps = warmUps;
    this.compactions = compactions;
    inputs = List.copyOf(samples.keySet());
    sides = of(inputs.get(0)).variants();
  }

  Report write(Machine machine, List<String> notes, List<String> cautions) {
    Report.Builder report =
        Report.builder("Compaction beside Cassandra", machine)
            .section("What it shows")
            .text(conclusion())
            .section("Relative to Cassandra")
            .text(
                "How many times as fast Siltstone is, with one thread and with a pipeline"
                    + " of one more, round by round: the median, and in brackets the least and"
                    + " the greatest.")
            .add(ratios())
            .section("Speed")
            .add(chart())
            .section("All figures")
            .add(figures())
            .section("The limit")
            .text(
                "CPU time that reads, checksums, the codec and writes take alone for the same input"
                    + " and output, measured by one thread without a merge, in the same run; and its"
                    + " share of the CPU time that Siltstone's process took to compact, in which"
                    + " compilation by the JVM and the verification of the output are included.")
            .add(limits())
            .section("Configurations");
    cautions.forEach(report::caution);
    for (Side side : sides) {
      report.text(setting(side));
    }
    report.section("How it was measured").text(method());
    notes.forEach(note -> report.text(FigureFormat.sentence(note)));
    return report.build();
  }

  private Samples<Side> of(Input input) {
    return Objects.requireNonNull(samples.get(input));
  }

  private List<Side> others() {
    return sides.stream().filter(side -> !side.isOwn()).toList();
  }

  private String conclusion() {
    String same = "All outputs have the same rows.";
    if (of(inputs.get(0)).of(sides.get(0)).size() == 1) {
      return "Figures of one round allow no conclusion on speed. " + same;
    }
    List<String> sentences = new ArrayList<>();
    for (Side other : others()) {
      sentences.add(
          "Beside "
              + other.label()
              + " Siltstone is "
              + range(Side.OWN.get(0), other)
              + " times as fast with one thread, "
              + range(Side.OWN.get(1), other)
              + " times with a pipeline of one more.");
    }
    sentences.add(same);
    return String.join(" ", sentences);
  }

  /** Returns the least and the greatest of the medians over all inputs. */
  private String range(Side own, Side other) {
    Spread medians =
        Spread.of(inputs.stream().map(input -> ratio(input, own, other).median()).toList());
    return FigureFormat.number(medians.min()) + " to " + FigureFormat.number(medians.max());
  }

  private Spread ratio(Input input, Side own, Side other) {
    return of(input).ratio(own, other, SPEED);
  }

  private ReportTable ratios() {
    ReportTable.Builder table =
        ReportTable.builder("").text("rows", "rows").text("overlap", "overlap");
    for (Side other : others()) {
      String name = other.label().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
      for (Side own : Side.OWN) {
        table.text(
            "pipeline_" + own.pipelineThreads() + "_to_" + name,
            own.threads() + " : " + other.label());
      }
    }
    for (Input input : inputs) {
      List<Object> cells = new ArrayList<>(List.of(input.rows(), input.overlap()));
      for (Side other : others()) {
        Side.OWN.forEach(own -> cells.add(FigureFormat.spread(ratio(input, own, other))));
      }
      table.row(cells.toArray());
    }
    return table.build();
  }

  private Chart chart() {
    Chart.Builder chart =
        Chart.bars("Uncompressed input", inputs.stream().map(Input::label).toList()).y("MB/s");
    for (Side side : sides) {
      List<Spread> speeds = inputs.stream().map(input -> of(input).spread(side, SPEED)).toList();
      SpreadBars.add(chart, side.label(), speeds);
    }
    return chart.build();
  }

  private ReportTable figures() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("rows", "rows")
            .text("overlap", "overlap")
            .text("engine", "engine")
            .number("mb_per_s", "uncompressed input", "MB/s", 1)
            .number("mb_per_s_min", "least", "MB/s", 1)
            .number("mb_per_s_max", "most", "MB/s", 1)
            .number("seconds", "time", "s", 2)
            .number("cpu_s", "CPU", "s", 2)
            .number("allocated_mb", "allocated on the heap", "MB", 1)
            .number("read_calls", "read calls", "", 0)
            .number("data_mb", "input, uncompressed", "MB", 1)
            .number("stored_mb", "input files", "MB", 1)
            .number("output_mb", "output files", "MB", 1)
            .number("row_bytes", "bytes per row", "B", 1);
    for (Input input : inputs) {
      for (Side side : sides) {
        Samples<Side> all = of(input);
        NamedValues made = all.of(side).get(0);
        Spread speed = all.spread(side, SPEED);
        table.row(
            input.rows(),
            input.overlap(),
            side.label(),
            speed.median(),
            speed.min(),
            speed.max(),
            all.median(side, "seconds"),
            all.median(side, "cpu_s"),
            all.median(side, "allocated_mb"),
            all.median(side, "read_calls"),
            made.number("data_mb"),
            made.number("stored_mb"),
            all.median(side, "output_mb"),
            made.number("data_mb") * 1e6 / made.number("rows_in"));
      }
    }
    return table.build();
  }

  private ReportTable limits() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("rows", "rows")
            .text("overlap", "overlap")
            .number("read_s", "read", "s", 3)
            .number("input_crc_s", "checksums of the input", "s", 3)
            .number("decompress_s", "decompression", "s", 3)
            .number("compress_s", "compression", "s", 3)
            .number("output_crc_s", "checksums of the output", "s", 3)
            .number("write_s", "write and sync", "s", 3)
            .number("limit_s", "the limit", "s", 3);
    for (Side own : Side.OWN) {
      table.number("share_" + own.pipelineThreads(), "its share of " + own.threads(), "%", 0);
    }
    Side first = Side.OWN.get(0);
    for (Input input : inputs) {
      Samples<Side> all = of(input);
      List<Double> steps =
          CompactionLimit.STEPS.stream().map(step -> all.median(first, step)).toList();
      double limit = steps.stream().mapToDouble(Double::doubleValue).sum();
      List<Object> cells = new ArrayList<>(List.of(input.rows(), input.overlap()));
      cells.addAll(steps);
      cells.add(limit);
      Side.OWN.forEach(own -> cells.add(100 * limit / all.median(own, "cpu_s")));
      table.row(cells.toArray());
    }
    return table.build();
  }

  private String setting(Side side) {
    NamedValues any = of(inputs.get(0)).of(side).get(0);
    return side.label()
        + ": "
        + any.text("version")
        + "; "
        + any.text("lz4")
        + "; a heap of "
        + FigureFormat.count(
            side.isOwn() ? CassandraCompactionExperiment.HEAP_MIB : cassandraHeapMib)
        + " MiB; "
        + (side.isOwn()
            ? side.pipelineThreads() == 0
                ? "pipelineThreads(0)"
                : "one thread that reads ahead and writes behind, pipelineThreads(1)"
            : "a node in the process, major compaction by one thread, compaction_throughput 0")
        + ".";
  }

  private String method() {
    return "Major compaction of "
        + CassandraCompactionExperiment.TABLES
        + " SSTables of version nb that Siltstone wrote, LZ4 in chunks of "
        + CassandraCompactionExperiment.CHUNK_KIB
        + " KiB, in the page cache: text keys and values, one row per partition, or few"
        + " partitions of which every SSTable has some rows. If they overlap, half of the"
        + " rows are in the next SSTable too. Compactions of each process: to warm up "
        + warmUps
        + ", timed "
        + compactions
        + ", of which the median is used. The engines ran one after the other in each of "
        + FigureFormat.rounds(of(inputs.get(0)).of(sides.get(0)).size())
        + ", each in its own JVM; figures are medians of the rounds. Outputs are synced."
        + " Read calls are those of the process. This engine read all outputs: they have the"
        + " rows of the input, by their number and by a hash over their values and"
        + " timestamps.";
  }
}
