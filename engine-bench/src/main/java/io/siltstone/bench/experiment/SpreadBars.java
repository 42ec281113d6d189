package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Chart;
import java.util.List;

/** Bars of charts for figures that were measured in several rounds: medians with their spread. */
final class SpreadBars {
  private SpreadBars() {}

  /**
   * Adds bars of one color to a chart.
   *
   * @param spreads one for each category
   */
  static void add(Chart.Builder chart, String name, List<Spread> spreads) {
    chart.series(
        name,
        spreads.stream().mapToDouble(Spread::median).toArray(),
        spreads.stream().mapToDouble(Spread::min).toArray(),
        spreads.stream().mapToDouble(Spread::max).toArray());
  }

  /**
   * Returns a chart of one figure with a bar for each variant.
   *
   * @param y the label of the figure, with its unit
   * @param variants that are shown, at least one
   * @param figure its name in the samples
   */
  static Chart of(
      String title, String y, Samples<String> samples, List<String> variants, String figure) {
    Chart.Builder chart = Chart.bars(title, variants).y(y);
    add(
        chart,
        "median, least, most",
        variants.stream().map(variant -> samples.spread(variant, figure)).toList());
    return chart.build();
  }
}
