package io.siltstone.bench.experiment;

import io.siltstone.bench.experiment.IndexExperiment.Group;
import io.siltstone.bench.experiment.IndexExperiment.Side;
import io.siltstone.bench.index.IndexPart;
import io.siltstone.bench.index.IndexPart.Kind;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats the report of {@link IndexExperiment}. */
final class IndexReport {
  private static final String BIG = IndexExperiment.VERSIONS.get(0);
  private static final String BTI = IndexExperiment.VERSIONS.get(1);
  private static final Side OWN_BIG = new Side("", BIG);
  private static final Side OWN_BTI = new Side("", BTI);
  private static final String RATE = ".ops_per_s";

  private static final Map<String, String> WIDE_READS =
      ordered(
          "row", "a random row",
          "slice", "100 rows from a random one",
          "reversed", "100 rows up to a random one, newest first");
  private static final Map<String, String> POINT_READS =
      ordered(
          "KEY_CACHE.found", "a random key, key cache",
          "KEY_CACHE.missing", "a missing key, key cache",
          "NO_KEY_CACHE.found", "a random key, no key cache",
          "NO_KEY_CACHE.missing", "a missing key, no key cache",
          "CHUNK_CACHE.found", "a random key, no key cache, all chunks cached",
          "CHUNK_CACHE.missing", "a missing key, no key cache, all chunks cached");

  private final Map<Group, Samples<Side>> samples;
  private final List<Side> sides;
  private final int cassandraHeapMib;

  /**
   * @param samples of at least one group
   */
  IndexReport(Map<Group, Samples<Side>> samples, int cassandraHeapMib) {
    this.samples = samples;
    this.cassandraHeapMib = cassandraHeapMib;
    sides = IndexExperiment.sides(samples);
  }

  private static Map<String, String> ordered(String... pairs) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  Report write(Machine machine, List<String> notes, List<String> cautions) {
    Report.Builder report = Report.builder("Index formats", machine).section("What it shows");
    conclusions().forEach(report::text);
    for (Group group : groups(Kind.WIDE)) {
      report
          .section("A partition of " + FigureFormat.count(group.wideRows()) + " rows")
          .add(rates("Reads of one partition", group, IndexPart.WIDE, WIDE_READS))
          .add(reads(group, IndexPart.WIDE, WIDE_READS));
    }
    for (Group group : groups(Kind.POINTS)) {
      report
          .section("Point reads")
          .add(rates("Point reads", group, IndexPart.POINTS, POINT_READS))
          .add(reads(group, IndexPart.POINTS, POINT_READS))
          .section("Opening and memory")
          .text(
              "Of one SSTable, per million keys: the time until it is open and a first key has been"
                  + " looked up, in a process that has done so before; the growth of the used heap"
                  + " when it is loaded, and when each key has been read and the key cache has its"
                  + " position; and the off-heap memory of filter, summary and chunk offsets."
                  + " Mapped files count in neither.")
          .add(memory(group));
    }
    report
        .section("Compaction and flush")
        .add(processorTime())
        .add(writes())
        .section("Configurations");
    cautions.forEach(report::caution);
    for (Side side : sides) {
      report.text(setting(side));
    }
    report.section("How it was measured").text(method());
    notes.forEach(note -> report.text(FigureFormat.sentence(note)));
    return report.build();
  }

  private List<Group> groups(Kind kind) {
    return samples.keySet().stream()
        .filter(group -> group.parts().stream().anyMatch(part -> part.kind() == kind))
        .toList();
  }

  private Samples<Side> of(Group group) {
    Samples<Side> found = samples.get(group);
    if (found == null) {
      throw new IllegalArgumentException("no samples of " + group);
    }
    return found;
  }

  private Samples<Side> of(IndexPart part) {
    return samples.entrySet().stream()
        .filter(entry -> entry.getKey().parts().contains(part))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  private List<String> conclusions() {
    List<String> sentences = new ArrayList<>();
    for (Group group : groups(Kind.WIDE)) {
      Samples<Side> of = of(group);
      StringBuilder text =
          new StringBuilder(
              "Of a partition of " + FigureFormat.count(group.wideRows()) + " rows, Siltstone");
      for (Side other : sides) {
        if (!other.equals(OWN_BTI)) {
          text.append(text.indexOf(":") < 0 ? " with " + BTI + " reads, beside " : "; beside ")
              .append(other.label())
              .append(": ")
              .append(ratio(of, "WIDE.row" + RATE, OWN_BTI, other))
              .append(" times as many random rows, ")
              .append(ratio(of, "WIDE.slice" + RATE, OWN_BTI, other))
              .append(" times as many slices and ")
              .append(ratio(of, "WIDE.reversed" + RATE, OWN_BTI, other))
              .append(" times as many reversed ones");
        }
      }
      text.append("; a reversed slice is ")
          .append(
              FigureFormat.number(
                  of.median(OWN_BTI, "WIDE.reversed" + RATE)
                      / of.median(OWN_BTI, "WIDE.slice" + RATE)))
          .append(" times as fast as a forward one.");
      sentences.add(text.toString());
    }
    Samples<Side> points = of(IndexPart.POINTS);
    sentences.add(
        "A point read from "
            + BTI
            + " is "
            + ratioOf(points, "POINTS.NO_KEY_CACHE.found", "POINTS.KEY_CACHE.found")
            + " times as fast as from "
            + BIG
            + " with its key cached, "
            + ratioOf(points, "POINTS.NO_KEY_CACHE.found", "POINTS.NO_KEY_CACHE.found")
            + " times as fast as from "
            + BIG
            + " without, and a missing key "
            + ratioOf(points, "POINTS.NO_KEY_CACHE.missing", "POINTS.NO_KEY_CACHE.missing")
            + " times.");
    List<String> writes = new ArrayList<>();
    for (IndexPart part : writeParts()) {
      writes.add(
          part.label()
              + " "
              + FigureFormat.spread(of(part).ratio(OWN_BTI, OWN_BIG, part + ".cpu_s")));
    }
    sentences.add(
        "Processor time of Siltstone with "
            + BTI
            + " as a multiple of that with "
            + BIG
            + ": "
            + String.join(", ", writes)
            + ".");
    return sentences;
  }

  private static String ratio(Samples<Side> of, String name, Side side, Side to) {
    return FigureFormat.number(of.ratio(side, to, name).median());
  }

  private static String ratioOf(Samples<Side> points, String bti, String big) {
    return FigureFormat.number(
        points.median(OWN_BTI, bti + RATE) / points.median(OWN_BIG, big + RATE));
  }

  private Chart rates(String title, Group group, IndexPart part, Map<String, String> reads) {
    Chart.Builder chart =
        Chart.bars(title, List.copyOf(reads.values())).y("reads per second, logarithmic");
    chart.logarithmicY();
    for (Side side : sides) {
      List<Spread> rates =
          reads.keySet().stream()
              .map(read -> of(group).spread(side, part + "." + read + RATE))
              .toList();
      SpreadBars.add(chart, side.label(), rates);
    }
    return chart.build();
  }

  private ReportTable reads(Group group, IndexPart part, Map<String, String> reads) {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("read", "read")
            .text("side", "engine and version")
            .number("ops_per_s", "reads", "/s", 0)
            .number("ops_per_s_min", "least", "/s", 0)
            .number("ops_per_s_max", "most", "/s", 0)
            .number("p50_us", "median", "µs", 1)
            .number("p99_us", "99 %", "µs", 1)
            .number("cpu_us_per_op", "CPU", "µs", 1)
            .number("allocated_bytes_per_op", "allocated", "B", 0);
    reads.forEach(
        (read, label) -> {
          for (Side side : sides) {
            String name = part + "." + read;
            Spread rate = of(group).spread(side, name + RATE);
            table.row(
                label,
                side.label(),
                rate.median(),
                rate.min(),
                rate.max(),
                of(group).median(side, name + ".p50_us"),
                of(group).median(side, name + ".p99_us"),
                of(group).median(side, name + ".cpu_us_per_op"),
                of(group).median(side, name + ".allocated_bytes_per_op"));
          }
        });
    return table.build();
  }

  private ReportTable memory(Group group) {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("side", "engine and version")
            .number("open_ms", "opening", "ms", 2)
            .number("heap_mb", "heap", "MB", 2)
            .number("heap_with_keys_mb", "heap, with key cache", "MB", 2)
            .number("off_heap_mb", "off heap", "MB", 2);
    for (Side side : sides) {
      table.row(
          side.label(),
          of(group).median(side, "POINTS.open_ms"),
          of(group).median(side, "POINTS.memory.heap_mb"),
          of(group).median(side, "POINTS.memory.heap_with_keys_mb"),
          of(group).median(side, "POINTS.memory.off_heap_mb"));
    }
    return table.build();
  }

  private List<IndexPart> writeParts() {
    return samples.keySet().stream()
        .flatMap(group -> group.parts().stream())
        .filter(part -> part.kind() == Kind.COMPACTION || part.kind() == Kind.FLUSH)
        .toList();
  }

  private Chart processorTime() {
    Chart.Builder chart =
        Chart.bars("Processor time", writeParts().stream().map(IndexPart::label).toList()).y("s");
    for (Side side : sides) {
      SpreadBars.add(
          chart,
          side.label(),
          writeParts().stream().map(part -> of(part).spread(side, part + ".cpu_s")).toList());
    }
    return chart.build();
  }

  private ReportTable writes() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("what", "what")
            .text("side", "engine and version")
            .number("cpu_s", "CPU", "s", 3)
            .number("cpu_s_min", "least", "s", 3)
            .number("cpu_s_max", "most", "s", 3)
            .text("to_big", "to that with " + BIG)
            .number("seconds", "time", "s", 3)
            .number("allocated_mb", "allocated on the heap", "MB", 1);
    for (IndexPart part : writeParts()) {
      for (Side side : sides) {
        Spread cpu = of(part).spread(side, part + ".cpu_s");
        table.row(
            part.label(),
            side.label(),
            cpu.median(),
            cpu.min(),
            cpu.max(),
            FigureFormat.spread(
                of(part).ratio(side, new Side(side.cassandra(), BIG), part + ".cpu_s")),
            of(part).median(side, part + ".seconds"),
            of(part).median(side, part + ".allocated_mb"));
      }
    }
    return table.build();
  }

  private String setting(Side side) {
    return side.label()
        + ": "
        + of(IndexPart.POINTS).of(side).get(0).text("engine")
        + "; a heap of "
        + FigureFormat.count(side.isOwn() ? IndexExperiment.HEAP_MIB : cassandraHeapMib)
        + " MiB; "
        + (side.isOwn()
            ? "chunk cache of 16 MiB unless said otherwise, compaction by one thread"
            : "a node in the process without a chunk cache, as by default, which reads by CQL that"
                + " is executed locally")
        + ".";
  }

  private String method() {
    return "Siltstone wrote the SSTables that are read, one for each version, and those that are"
        + " compacted, "
        + IndexExperiment.TABLES
        + " of version nb without common rows, in LZ4 with chunks of "
        + IndexExperiment.CHUNK_KIB
        + " KiB; both engines use links to them, from the page cache. Reads are by one thread, of"
        + " uniformly random keys, after a warm-up of the same length, and checked for the number"
        + " of rows. CPU is that of the process, of a compaction or flush the median of several in"
        + " one process after some to warm up. The engines ran one after the other in each of "
        + FigureFormat.rounds(of(IndexPart.POINTS).of(OWN_BTI).size())
        + ", each in its own JVM; figures are medians of the rounds.";
  }
}
