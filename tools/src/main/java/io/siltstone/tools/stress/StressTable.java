package io.siltstone.tools.stress;

import io.siltstone.bench.stress.Rates;
import io.siltstone.bench.stress.StressListener;
import io.siltstone.bench.workload.Gauges;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.WorkloadSample;
import io.siltstone.tools.terminal.Units;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Prints a line for each sample, and repeats the headings after some lines. Confined to one thread.
 */
final class StressTable implements StressListener {
  private static final int LINES_BETWEEN_HEADS = 20;
  private static final String MARK =
      " ~ before operations/s over the last minutes: the run is shorter, so it is the"
          + " mean since its beginning";
  private static final double NANOS_PER_MICRO = 1_000;

  private final PrintStream out;
  private final List<WorkloadSample> samples = new ArrayList<>();

  StressTable(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begins(Phase phase) {
    samples.clear();
    line((phase == Phase.POPULATE ? "Writing all rows:" : "Running;") + MARK);
  }

  @Override
  public void sampled(WorkloadSample sample) {
    if (samples.size() % LINES_BETWEEN_HEADS == 0) {
      heads();
    }
    samples.add(sample);
    Gauges gauges = sample.gauges();
    StringBuilder text = new StringBuilder();
    text.append(cell(time(sample.seconds()), 8));
    text.append(cell(Units.count(sample.reads().count() / sample.intervalSeconds()), 8));
    text.append(cell(Units.count(sample.writes().count() / sample.intervalSeconds()), 8));
    for (int minutes : Rates.MINUTES) {
      OptionalDouble rate = Rates.over(minutes, samples);
      text.append(
          cell(
              rate.isPresent()
                  ? Units.count(rate.getAsDouble())
                  : "~" + Units.count(Rates.overall(samples)),
              7));
    }
    latencies(text, sample.reads());
    latencies(text, sample.writes());
    text.append(cell(Long.toString(sample.errors() + sample.wrongReads()), 7));
    text.append(cell(Units.bytes(gauges.onDiskBytes()), 10));
    text.append(cell(Integer.toString(gauges.sstables()), 7));
    text.append(cell(gauges.runningCompactions() + "/" + gauges.pendingCompactions(), 6));
    text.append(cell(Units.bytes(gauges.heapBytes()), 10));
    text.append(cell(Units.bytes(gauges.offHeapBytes()), 10));
    line(text.toString());
  }

  private void heads() {
    line(
        "              operations/s    all, over the last            reads, µs                   "
            + "writes, µs                                compact.      memory");
    line(
        "    time   reads  writes   1min   5min  15min    p50    p99   p999    max    p50    p99"
            + "   p999    max wrong    disk    tables    r/w      heap  off-heap");
  }

  private static void latencies(StringBuilder text, Latency latency) {
    long[] nanos = {
      latency.p50Nanos(), latency.p99Nanos(), latency.p999Nanos(), latency.maxNanos()
    };
    for (long value : nanos) {
      text.append(cell(latency.count() == 0 ? "-" : micros(value), 7));
    }
  }

  private static String micros(long nanos) {
    double micros = nanos / NANOS_PER_MICRO;
    return micros < 99.95 ? String.format(Locale.ROOT, "%.1f", micros) : Units.count(micros);
  }

  private static String time(double seconds) {
    long whole = Math.round(seconds);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }

  private static String cell(String text, int width) {
    return " ".repeat(Math.max(1, width - text.length())) + text;
  }

  private void line(String text) {
    out.print(text);
    out.print('\n');
    out.flush();
  }
}
