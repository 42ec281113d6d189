package io.siltstone.tools.stress;

import io.siltstone.bench.stress.Rates;
import io.siltstone.bench.stress.StressResult;
import io.siltstone.bench.stress.StressText;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Prints the result of a stress run as text. */
final class StressSummary {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Terminal terminal;

  StressSummary(Terminal terminal) {
    this.terminal = terminal;
  }

  void print(StressResult result) {
    WorkloadResult run = result.run();
    terminal.line("");
    terminal.line(StressText.headline(result.options()));
    boolean isCutShort = result.isStopped() && run.operations() == 0;
    result
        .populated()
        .ifPresent(
            load ->
                terminal.format(
                    "wrote %s: %,d in %.1f s, %,.0f/s",
                    isCutShort ? "rows, until stopped" : "all rows",
                    load.operations(),
                    load.seconds(),
                    load.opsPerSecond()));
    terminal.format(
        "ran%s %.1f s: %,d operations, %,.0f/s",
        result.isStopped() ? ", until stopped," : "",
        run.seconds(),
        run.operations(),
        run.opsPerSecond());
    terminal.line(rates(run));
    terminal.line("");
    terminal.format(
        "%-10s %14s %10s %10s %10s %10s %10s %10s",
        "", "count", "1/s", "mean µs", "p50", "p99", "p999", "max");
    result.populated().ifPresent(load -> latency("populate", load.writeLatency(), load.seconds()));
    latency("reads", run.readLatency(), run.seconds());
    latency("writes", run.writeLatency(), run.seconds());
    if (run.missed() > 0) {
      terminal.format(
          "%,d more should have begun before the end and had not; their waiting time is"
              + " included",
          run.missed());
    }
    terminal.line("");
    table(result);
    process(run);
    problems(result);
  }

  private static String rates(WorkloadResult run) {
    List<String> rates = new ArrayList<>();
    for (int minutes : Rates.MINUTES) {
      OptionalDouble rate = Rates.over(minutes, run.samples());
      rates.add(
          rate.isPresent()
              ? String.format(Locale.ROOT, "%d min %,.0f/s", minutes, rate.getAsDouble())
              : minutes + " min - (the run is shorter)");
    }
    return "over the last " + String.join(", ", rates);
  }

  private void latency(String name, Latency latency, double seconds) {
    if (latency.count() == 0 && latency.maxNanos() == 0) {
      terminal.format("%-10s %14s", name, "-");
      return;
    }
    terminal.format(
        "%-10s %,14d %,10.0f %,10.1f %,10.1f %,10.1f %,10.1f %,10.1f",
        name,
        latency.count(),
        latency.count() / seconds,
        latency.meanNanos() / NANOS_PER_MICRO,
        latency.p50Nanos() / NANOS_PER_MICRO,
        latency.p99Nanos() / NANOS_PER_MICRO,
        latency.p999Nanos() / NANOS_PER_MICRO,
        latency.maxNanos() / NANOS_PER_MICRO);
  }

  private void table(StressResult result) {
    CacheStatistics cache = result.database().chunkCache();
    terminal.format(
        "%s in %,d %s, compression ratio %s; %s in memtables",
        Units.bytes(result.table().sstables().onDiskBytes()),
        result.table().sstables().count(),
        result.table().sstables().count() == 1 ? "SSTable" : "SSTables",
        share(result.compressionRatio(), result.table().sstables().dataBytes()),
        Units.bytes(result.database().memtables().bytes()));
    terminal.format(
        "%,d flushes, %,d compactions, write amplification %s; SSTables per read %.2f,"
            + " chunk cache hit rate %s",
        result.table().traffic().flushes(),
        result.table().traffic().compactions(),
        Units.ratio(result.table().traffic().writeAmplification()),
        result.table().reads().sstables().mean(),
        share(cache.hitRate(), cache.hits() + cache.misses()));
  }

  /** Formats a share; {@code -} if there is nothing that it is a share of. */
  private static String share(double share, long of) {
    return of == 0 ? "-" : String.format(Locale.ROOT, "%.3f", share);
  }

  private void process(WorkloadResult run) {
    terminal.format(
        "allocated %,.0f bytes per operation; processor %.1f s, garbage collection %.1f"
            + " s; disks: %s read, %s written",
        run.operations() == 0 ? 0.0 : (double) run.allocatedBytes() / run.operations(),
        run.usage().cpuNanos() / NANOS_PER_SECOND,
        run.usage().collectionMillis() / 1e3,
        Units.bytes(run.usage().diskReadBytes()),
        Units.bytes(run.usage().diskWrittenBytes()));
  }

  private void problems(StressResult result) {
    if (result.isRight()) {
      terminal.line("no errors; every read returned what was written");
      return;
    }
    result.populated().ifPresent(load -> problems("populate", load));
    problems("run", result.run());
  }

  private void problems(String phase, WorkloadResult load) {
    if (!load.isRight()) {
      terminal.line(
          String.format(
              Locale.ROOT,
              "%s: %,d errors, %,d wrong reads",
              phase,
              load.failures().errors(),
              load.failures().wrongReads()));
      load.failures().first().forEach(problem -> terminal.line("  " + problem));
    }
  }
}
