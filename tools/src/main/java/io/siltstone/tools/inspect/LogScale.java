package io.siltstone.tools.inspect;

import io.siltstone.tools.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A logarithmic scale that ends at the ticks around the values.
 *
 * @param ticks ascending, 2 or more
 */
record LogScale(List<Tick> ticks) {
  private static final int MOST_TICKS = 9;

  private static final List<Tick> AGES =
      List.of(
          new Tick(1, "1 s"),
          new Tick(10, "10 s"),
          new Tick(60, "1 min"),
          new Tick(600, "10 min"),
          new Tick(3600, "1 h"),
          new Tick(6 * 3600, "6 h"),
          new Tick(86_400, "1 day"),
          new Tick(7 * 86_400, "1 week"),
          new Tick(30 * 86_400, "30 days"),
          new Tick(365 * 86_400, "1 year"),
          new Tick(3650L * 86_400, "10 years"),
          new Tick(36_500L * 86_400, "100 years"));

  /**
   * A labeled value.
   *
   * @param name the label
   */
  record Tick(long value, String name) {}

  LogScale {
    ticks = List.copyOf(ticks);
  }

  static LogScale ofSeconds(LongStream values) {
    return around(values, AGES);
  }

  static LogScale ofBytes(LongStream values) {
    List<Tick> sizes = new ArrayList<>();
    for (long bytes = 1; bytes > 0; bytes *= 4) {
      sizes.add(new Tick(bytes, Units.bytes(bytes)));
    }
    return around(values, sizes);
  }

  private static LogScale around(LongStream values, List<Tick> all) {
    long[] sorted = values.sorted().toArray();
    long least = sorted.length == 0 ? 1 : Math.max(1, sorted[0]);
    long most = sorted.length == 0 ? 1 : Math.max(1, sorted[sorted.length - 1]);
    int from = 0;
    while (from + 2 < all.size() && all.get(from + 1).value() <= least) {
      from++;
    }
    int to = from + 1;
    while (to + 1 < all.size() && all.get(to).value() < most) {
      to++;
    }
    List<Tick> ticks = all.subList(from, to + 1);
    if (ticks.size() <= MOST_TICKS) {
      return new LogScale(ticks);
    }
    // Every other one, with both ends.
    List<Tick> fewer = new ArrayList<>();
    for (int i = ticks.size() - 1; i > 0; i -= 2) {
      fewer.add(0, ticks.get(i));
    }
    fewer.add(0, ticks.get(0));
    return new LogScale(fewer);
  }

  /** Returns the position of a value, 0 to 1. */
  double share(long value) {
    double least = Math.log((double) ticks.get(0).value());
    double most = Math.log((double) ticks.get(ticks.size() - 1).value());
    return Math.min(
        1, Math.max(0, (Math.log((double) Math.max(1, value)) - least) / (most - least)));
  }
}
