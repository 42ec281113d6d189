package io.siltstone.tools.metadata;

import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import io.siltstone.tools.terminal.Terminal;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Formats a histogram as bars of letters, with percentiles below.
 *
 * <p>Source: Cassandra {@code Util.TermHistogram}. Percentiles are those of its {@code
 * EstimatedHistogram} of 165 buckets, in which the buckets of dates are coarse.
 */
final class HistogramText {
  private static final int BAR_WIDTH = 30;
  private static final int BUCKETS = 165;
  private static final int LEAST_COUNT_WIDTH = 5;
  private static final double[] SHARES = {0.5, 0.75, 0.95, 0.98, 0.99};
  private static final String[] SHARE_NAMES = {"50th", "75th", "95th", "98th", "99th"};

  private final SortedMap<Long, Long> counts;
  private final String title;
  private final LongFunction<String> name;

  private HistogramText(SortedMap<Long, Long> counts, String title, LongFunction<String> name) {
    this.counts = counts;
    this.title = title;
    this.name = name;
  }

  /**
   * Formats a histogram of sizes or counts.
   *
   * @param title of the column of numbers
   * @param name formats a number
   */
  static HistogramText of(EstimatedHistogram histogram, String title, LongFunction<String> name) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < histogram.buckets(); i++) {
      if (histogram.countIn(i) > 0) {
        counts.put(histogram.limit(i), histogram.countIn(i));
      }
    }
    return new HistogramText(counts, title, name);
  }

  /**
   * Formats a histogram of deletion times; see {@link #of(EstimatedHistogram, String,
   * LongFunction)}.
   */
  static HistogramText of(TombstoneHistogram histogram, String title, LongFunction<String> name) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    for (int i = 0; i < histogram.size(); i++) {
      counts.put(histogram.time(i), (long) histogram.countAt(i));
    }
    return new HistogramText(counts, title, name);
  }

  void print(Terminal terminal) {
    long max = 0;
    double sum = 0;
    int numberWidth = title.length();
    int countWidth = LEAST_COUNT_WIDTH;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      long count = entry.getValue();
      max = Math.max(max, count);
      sum += count;
      numberWidth = Math.max(numberWidth, name.apply(entry.getKey()).length());
      countWidth = Math.max(countWidth, Long.toString(count).length());
    }
    terminal.format(
        "   %-" + numberWidth + "s | %-" + countWidth + "s  (%%)  Histogram ", title, "Count");
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      long count = entry.getValue();
      terminal.format(
          "   %-" + numberWidth + "s | %" + countWidth + "d (%3d) %s",
          name.apply(entry.getKey()),
          count,
          (int) (100 * (count / sum)),
          bar((double) count / max * BAR_WIDTH));
    }
    printPercentiles(terminal);
  }

  private static String bar(double width) {
    int whole = (int) width;
    double rest = width - whole;
    return "O".repeat(whole) + (rest >= 0.75 ? "o" : rest >= 0.3 ? "." : "");
  }

  private void printPercentiles(Terminal terminal) {
    long[] limits = new long[BUCKETS];
    limits[0] = 1;
    for (int i = 1; i < BUCKETS; i++) {
      limits[i] = Math.max(Math.round(limits[i - 1] * 1.2), limits[i - 1] + 1);
    }
    long[] buckets = new long[BUCKETS];
    long total = 0;
    for (Map.Entry<Long, Long> entry : counts.entrySet()) {
      int found = Arrays.binarySearch(limits, entry.getKey());
      // A value greater than all buckets is counted in the last one.
      buckets[Math.min(BUCKETS - 1, found < 0 ? -found - 1 : found)] += entry.getValue();
      total += entry.getValue();
    }
    terminal.line("   Percentiles");
    for (int i = 0; i < SHARES.length; i++) {
      printPercentile(
          terminal,
          SHARE_NAMES[i],
          percentile(limits, buckets, (long) Math.ceil(total * SHARES[i])));
    }
    int first = 0;
    while (first < BUCKETS && buckets[first] == 0) {
      first++;
    }
    long min = total == 0 || first == 0 ? 0 : limits[first - 1] + 1;
    printPercentile(terminal, "Min", min);
    printPercentile(terminal, "Max", percentile(limits, buckets, total));
  }

  /** Returns the limit of the bucket in which the wanted count is reached; 0 if there is none. */
  private static long percentile(long[] limits, long[] buckets, long wanted) {
    long seen = 0;
    for (int i = 0; wanted > 0 && i < buckets.length; i++) {
      seen += buckets[i];
      if (seen >= wanted) {
        return limits[i];
      }
    }
    return 0;
  }

  private void printPercentile(Terminal terminal, String label, long value) {
    terminal.format("   %-10s%s", label, name.apply(value));
  }
}
