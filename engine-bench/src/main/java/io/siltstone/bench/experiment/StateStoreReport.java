package io.siltstone.bench.experiment;

import static io.siltstone.bench.state.StateStorePeer.KAFKA;
import static io.siltstone.bench.state.StateStorePeer.OWN;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.experiment.StateStoreExperiment.Variant;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Machine;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.state.StateMemoryMeasurement;
import io.siltstone.bench.state.StateWorkload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Formats the report of {@link StateStoreExperiment}. */
final class StateStoreReport {
  private static final List<String> ENGINES = List.of(OWN, KAFKA);
  private static final List<Variant> SPEEDS = List.of(Variant.SMALL, Variant.LARGE);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Samples<Variant> samples;
  private final Sizes sizes;
  private final NamedValues engines;

  /**
   * The sizes of the experiment.
   *
   * @param entries of a store
   * @param restored number of records of the restore
   * @param stores number of stores of a process for memory, and of those that are created
   * @param entriesPerStore entries of each store of a process for memory
   * @param seconds duration of a timed workload
   */
  record Sizes(long entries, long restored, int stores, long entriesPerStore, double seconds) {}

  /**
   * @param engines what {@link io.siltstone.bench.state.StateStorePeers} returns
   */
  StateStoreReport(Samples<Variant> samples, Sizes sizes, NamedValues engines) {
    this.samples = samples;
    this.sizes = sizes;
    this.engines = engines;
  }

  /** A workload with entries of one size. */
  private record Case(StateWorkload workload, Variant variant) {
    String label() {
      return workload.label() + ", " + FigureFormat.count(variant.valueBytes()) + " B";
    }
  }

  private static List<Case> cases(Variant variant) {
    return variant.equals(Variant.RESTORE)
        ? List.of(new Case(StateWorkload.RESTORE, variant))
        : Stream.of(StateWorkload.values())
            .filter(workload -> workload != StateWorkload.RESTORE)
            .map(workload -> new Case(workload, variant))
            .toList();
  }

  private static List<Case> cases() {
    return Stream.of(Variant.SMALL, Variant.RESTORE, Variant.LARGE)
        .flatMap(variant -> cases(variant).stream())
        .toList();
  }

  Report write(Machine machine, List<String> notes, List<String> cautions) {
    Report.Builder report =
        Report.builder("State stores of Kafka Streams", machine)
            .section("What it shows")
            .text(conclusion())
            .section("Siltstone relative to RocksDB")
            .text(
                "How many times as many operations Siltstone's stores do as Kafka's, per second of"
                    + " processor time of the process and per second of time, round by round: the"
                    + " median, and in brackets the least and the greatest. More than 1 is faster.")
            .add(ratios());
    for (Variant variant : SPEEDS) {
      report.add(chart(variant));
    }
    report
        .section("Rates")
        .add(rates())
        .section("Creating and opening stores")
        .add(openings())
        .section("Memory and threads of " + sizes.stores() + " stores")
        .text(
            "The growth is that over the same process without stores, of memory that is not of"
                + " mapped files and not of the heap, whose size is fixed; the heap is what is in"
                + " use after a collection. Threads are those of the process in the end, and the most"
                + " that it had while the stores were written to and read. What is reported is read from the metrics of the"
                + " stores, as an application has them.")
        .add(memory())
        .add(memoryChart());
    report.section("Configuration of each engine, and differences");
    for (String engine : ENGINES) {
      report.text(
          engine
              + " ("
              + engines.text(engine + ".version")
              + "): "
              + engines.text(engine + ".setting")
              + ".");
    }
    report.section("How it was measured").text(method());
    notes.forEach(note -> report.text(FigureFormat.sentence(note)));
    cautions.forEach(report::caution);
    return report.build();
  }

  private int rounds() {
    return samples.of(Variant.SMALL).size();
  }

  private String conclusion() {
    if (rounds() == 1) {
      return "Figures of one round allow no conclusion.";
    }
    List<String> faster = new ArrayList<>();
    List<String> slower = new ArrayList<>();
    List<String> unclear = new ArrayList<>();
    for (Case each : cases()) {
      Spread ratio = perProcessorSecond(each);
      // If one round says faster and another slower, neither is reported.
      List<String> to = ratio.min() > 1 ? faster : ratio.max() < 1 ? slower : unclear;
      to.add(each.label() + " (" + FigureFormat.number(ratio.median()) + ")");
    }
    return "Per second of processor time, Siltstone's stores do more than Kafka's over RocksDB at: "
        + (faster.isEmpty() ? "nothing" : String.join("; ", faster))
        + ". Fewer at: "
        + (slower.isEmpty() ? "nothing" : String.join("; ", slower))
        + (unclear.isEmpty() ? "" : ". Rounds do not agree on: " + String.join("; ", unclear))
        + ".";
  }

  private Spread ratio(Variant variant, String own, String other) {
    return Spread.of(
        samples.of(variant).stream()
            .map(values -> values.number(own) / values.number(other))
            .toList());
  }

  private Spread perProcessorSecond(Case each) {
    return ratio(
        each.variant(),
        each.workload().perProcessorSecond(OWN),
        each.workload().perProcessorSecond(KAFKA));
  }

  private ReportTable ratios() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("workload", "workload")
            .number("value_bytes", "values", "B", 0)
            .text("per_cpu_s", "per second of processor time")
            .text("per_s", "per second");
    for (Case each : cases()) {
      table.row(
          each.workload().label(),
          each.variant().valueBytes(),
          FigureFormat.spread(perProcessorSecond(each)),
          FigureFormat.spread(
              ratio(
                  each.variant(),
                  each.workload().perSecond(OWN),
                  each.workload().perSecond(KAFKA))));
    }
    return table.build();
  }

  private Chart chart(Variant variant) {
    List<Case> cases =
        variant.equals(Variant.SMALL)
            ? Stream.of(variant, Variant.RESTORE).flatMap(one -> cases(one).stream()).toList()
            : cases(variant);
    Chart.Builder chart =
        Chart.bars(
                "Values of " + FigureFormat.count(variant.valueBytes()) + " bytes",
                cases.stream().map(each -> each.workload().label()).toList())
            .y("per second of processor time, logarithmic")
            .logarithmicY();
    for (String engine : ENGINES) {
      SpreadBars.add(
          chart,
          engine,
          cases.stream()
              .map(
                  each ->
                      samples.spread(each.variant(), each.workload().perProcessorSecond(engine)))
              .toList());
    }
    return chart.build();
  }

  private ReportTable rates() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("workload", "workload")
            .number("value_bytes", "values", "B", 0)
            .text("engine", "engine")
            .number("per_cpu_s", "per second of processor time", "/s", 0)
            .number("per_cpu_s_min", "least", "/s", 0)
            .number("per_cpu_s_max", "most", "/s", 0)
            .number("per_s", "per second", "/s", 0)
            .number("cpu_us", "processor time of one", "µs", 2);
    for (Case each : cases()) {
      for (String engine : ENGINES) {
        Spread rate = samples.spread(each.variant(), each.workload().perProcessorSecond(engine));
        table.row(
            each.workload().label(),
            each.variant().valueBytes(),
            engine,
            rate.median(),
            rate.min(),
            rate.max(),
            samples.median(each.variant(), each.workload().perSecond(engine)),
            NANOS_PER_SECOND / rate.median() / 1e3);
      }
    }
    return table.build();
  }

  private ReportTable openings() {
    ReportTable.Builder table =
        ReportTable.builder("").text("what", "what").text("ratio", "relative to RocksDB");
    ENGINES.forEach(engine -> table.number(engine.toLowerCase(Locale.ROOT), engine, "ms", 2));
    addOpening(table, "create a store, each of " + sizes.stores(), Variant.STORES, "create_ms");
    addOpening(table, "open " + sizes.stores() + " stores again", Variant.STORES, "reopen_all_ms");
    for (Variant variant : SPEEDS) {
      addOpening(
          table,
          "open a store again, "
              + FigureFormat.count(sizes.entries())
              + " values of "
              + FigureFormat.count(variant.valueBytes())
              + " bytes",
          variant,
          "reopen_ms");
    }
    return table.build();
  }

  private void addOpening(ReportTable.Builder table, String label, Variant variant, String figure) {
    table.row(
        label,
        FigureFormat.spread(ratio(variant, OWN + "." + figure, KAFKA + "." + figure)),
        samples.median(variant, OWN + "." + figure),
        samples.median(variant, KAFKA + "." + figure));
  }

  /** Returns how much more a process with stores has of something than one without, by round. */
  private Spread growth(String engine, String figure) {
    return growthOf(engine, figure, "");
  }

  /** Returns the growth as a multiple of another figure of the process, unless that is empty. */
  private Spread growthOf(String engine, String figure, String divisor) {
    List<NamedValues> with = samples.of(Variant.memoryOf(engine));
    List<NamedValues> without = samples.of(Variant.WITHOUT);
    List<Double> growths = new ArrayList<>();
    for (int i = 0; i < with.size(); i++) {
      double growth = with.get(i).number(figure) - without.get(i).number(figure);
      growths.add(divisor.isEmpty() ? growth : growth / with.get(i).number(divisor));
    }
    return Spread.of(growths);
  }

  private ReportTable memory() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("process", "process")
            .number("threads", "threads", "", 0)
            .number("more_threads", "more", "", 0)
            .number("more_threads_under_load", "more under load", "", 0)
            .number("resident_mb", "resident", "MB", 0)
            .number("growth_mb", "growth", "MB", 1)
            .number("reported_mb", "reported", "MB", 1)
            .text("growth_of_reported", "growth : reported")
            .number("heap_growth_mb", "growth of the heap", "MB", 1);
    table.row(
        StateMemoryMeasurement.NONE,
        samples.median(Variant.WITHOUT, "threads"),
        0,
        0,
        samples.median(Variant.WITHOUT, "resident_mb"),
        0,
        0,
        "–",
        0);
    for (String engine : ENGINES) {
      Variant variant = Variant.memoryOf(engine);
      table.row(
          engine,
          samples.median(variant, "threads"),
          growth(engine, "threads").median(),
          growth(engine, "most_threads").median(),
          samples.median(variant, "resident_mb"),
          growth(engine, "resident_mb").median(),
          samples.median(variant, "reported_mb"),
          FigureFormat.spread(growthOf(engine, "resident_mb", "reported_mb")),
          growth(engine, "heap_mb").median());
    }
    return table.build();
  }

  private Chart memoryChart() {
    Chart.Builder chart = Chart.bars("Memory of " + sizes.stores() + " stores", ENGINES).y("MB");
    SpreadBars.add(
        chart, "growth", ENGINES.stream().map(engine -> growth(engine, "resident_mb")).toList());
    SpreadBars.add(
        chart,
        "reported",
        ENGINES.stream()
            .map(engine -> samples.spread(Variant.memoryOf(engine), "reported_mb"))
            .toList());
    return chart.build();
  }

  private String method() {
    return "One process has the stores of both engines, which take turns: A, B, A, B. The first"
        + " turns warm up, the second are measured; each turn has an empty directory. Keys have 16"
        + " bytes. A load puts "
        + FigureFormat.count(sizes.entries())
        + " entries in random order; then the store is closed, opened again and read, "
        + FigureFormat.number(sizes.seconds())
        + " s of each after a warm-up until the JIT compiler has little to do, then written to. All"
        + " reads are checked. Processor time is that of the"
        + " process until nothing runs in the background any more, flushes, compaction, the"
        + " collection of garbage and the JIT compiler included. A restore is of "
        + FigureFormat.count(sizes.restored())
        + " records in batches of 500, as a consumer has them. Opening ends with a first read. The"
        + " stores whose memory is measured got "
        + FigureFormat.count(sizes.entriesPerStore())
        + " entries of 1,000 bytes each, in turn, and were read. Stores are not transactional, have"
        + " neither Kafka's cache nor a changelog, and serialize nothing. Everything was repeated in"
        + " "
        + FigureFormat.rounds(rounds())
        + ", each in new processes; figures are medians.";
  }
}
