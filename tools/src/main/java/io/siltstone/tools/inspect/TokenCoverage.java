package io.siltstone.tools.inspect;

import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The number of SSTables that cover each token: those that a read has to search, before bloom
 * filters.
 *
 * @param steps from the least token on; no two neighbors have the same count
 * @param most greatest number of SSTables over one token
 * @param mean mean number of SSTables over a token, of those that any SSTable covers
 * @param covered share of the scale that any SSTable covers
 */
record TokenCoverage(List<Step> steps, int most, double mean, double covered) {

  /**
   * A range of tokens with the same count.
   *
   * @param from share of the scale, 0 to 1
   * @param to share of the scale
   * @param count SSTables that cover it
   */
  record Step(double from, double to, int count) {}

  TokenCoverage {
    steps = List.copyOf(steps);
  }

  static TokenCoverage of(List<LiveTable> tables, TokenScale scale) {
    long[] firsts = tables.stream().mapToLong(each -> each.firstKey().token()).sorted().toArray();
    long[] lasts = tables.stream().mapToLong(each -> each.lastKey().token()).sorted().toArray();
    List<Step> steps = new ArrayList<>();
    int begun = 0;
    int ended = 0;
    int most = 0;
    double covered = 0;
    double weighed = 0;
    double at = 0;
    while (ended < lasts.length) {
      // An SSTable that ends at a token still covers it.
      boolean begins = begun < firsts.length && firsts[begun] <= lasts[ended];
      double next = scale.share(begins ? firsts[begun] : lasts[ended]);
      int count = begun - ended;
      if (next > at) {
        add(steps, new Step(at, next, count));
        covered += count > 0 ? next - at : 0;
        weighed += count * (next - at);
        at = next;
      }
      if (begins) {
        begun++;
      } else {
        ended++;
      }
      most = Math.max(most, begun - ended);
    }
    if (at < 1) {
      add(steps, new Step(at, 1, 0));
    }
    double mean = covered > 0 ? weighed / covered : Arrays.stream(firsts).count();
    return new TokenCoverage(steps, most, mean, covered);
  }

  private static void add(List<Step> steps, Step step) {
    int last = steps.size() - 1;
    if (last >= 0 && steps.get(last).count() == step.count()) {
      steps.set(last, new Step(steps.get(last).from(), step.to(), step.count()));
    } else {
      steps.add(step);
    }
  }
}
