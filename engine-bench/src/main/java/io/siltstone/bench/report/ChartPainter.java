package io.siltstone.bench.report;

import io.siltstone.bench.report.Canvas.Anchor;
import io.siltstone.bench.report.Canvas.Stroke;
import io.siltstone.bench.report.Canvas.Text;
import io.siltstone.bench.report.Chart.Reference;
import io.siltstone.bench.report.Chart.Series;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Puts the parts of a chart in their places. Texts are measured by their number of characters, as
 * the reader's fonts are not known.
 */
final class ChartPainter {
  static final int WIDTH = 760;
  static final int HEIGHT = 360;

  private static final double CHARACTER = 6.8;
  private static final int RIGHT = 24;
  private static final int TITLE_Y = 24;
  private static final int LEGEND_Y = 48;
  private static final int LEGEND_LINE = 18;
  private static final int SWATCH = 10;
  private static final int MOST_POINTS = 40;
  private static final int MOST_VALUES = 24;
  private static final double GROUP_SHARE = 0.75;

  private final Chart chart;
  private final Canvas canvas;
  private final Scale xs;
  private final Scale ys;
  private final double left;
  private final double top;
  private final double right = WIDTH - RIGHT;
  private final double bottom;

  private ChartPainter(Chart chart, Canvas canvas) {
    this.chart = chart;
    this.canvas = canvas;
    ys = yScale(chart);
    xs = chart.isBars() ? Scale.linear(0, chart.categories().size()) : xScale(chart);
    int longest = ys.marks().stream().mapToInt(mark -> Scale.text(mark).length()).max().orElse(1);
    left = 16 + longest * CHARACTER + (chart.y().label().isEmpty() ? 0 : 20);
    bottom = HEIGHT - (chart.x().label().isEmpty() ? 30 : 50);
    top = legend();
  }

  static void paint(Chart chart, Canvas canvas) {
    new ChartPainter(chart, canvas).paint();
  }

  private static Scale yScale(Chart chart) {
    DoubleSummaryStatistics values =
        DoubleStream.concat(
                chart.series().stream()
                    .flatMap(series -> Stream.of(series.ys(), series.highs(), series.lows()))
                    .flatMapToDouble(Arrays::stream),
                chart.references().stream().mapToDouble(Reference::y))
            .filter(y -> Double.isFinite(y) && (!chart.y().isLogarithmic() || y > 0))
            .summaryStatistics();
    if (values.getCount() == 0) {
      return chart.y().isLogarithmic() ? Scale.logarithmic(1, 10) : Scale.linear(0, 1);
    }
    if (!chart.y().isLogarithmic()) {
      return Scale.linear(values.getMin(), values.getMax());
    }
    // A bar of the least value has a height too.
    double least = chart.isBars() ? values.getMin() / 2 : values.getMin();
    return Scale.logarithmic(least, values.getMax());
  }

  private static Scale xScale(Chart chart) {
    boolean isLogarithmic = chart.x().isLogarithmic();
    double[] values =
        chart.series().stream()
            .flatMapToDouble(series -> Arrays.stream(series.xs()))
            .filter(x -> Double.isFinite(x) && (!isLogarithmic || x > 0))
            .sorted()
            .distinct()
            .toArray();
    if (values.length == 0) {
      return isLogarithmic ? Scale.logarithmic(1, 10) : Scale.linear(0, 1);
    }
    double first = values[0];
    double last = values[values.length - 1];
    if (!isLogarithmic) {
      Scale scale = Scale.linear(first, last);
      return scale.cut(first > 0 && first > last / 2 ? first : Math.min(0, first), last);
    }
    Scale scale = Scale.logarithmic(first, last).cut(first, last);
    // Chunk lengths and the like: what was measured is what is marked.
    return values.length <= 12 ? scale.marking(DoubleStream.of(values).boxed().toList()) : scale;
  }

  private double x(double value) {
    return left + xs.share(value) * (right - left);
  }

  private double y(double value) {
    return bottom - ys.share(value) * (bottom - top);
  }

  private void paint() {
    canvas.text(16, TITLE_Y, chart.title(), Anchor.START, Text.TITLE);
    for (double mark : ys.marks()) {
      canvas.line(left, y(mark), right, y(mark), Stroke.GRID);
      canvas.text(left - 8, y(mark) + 4, Scale.text(mark), Anchor.END, Text.TICK);
    }
    canvas.line(left, bottom, right, bottom, Stroke.AXIS);
    if (!chart.y().label().isEmpty()) {
      canvas.upwards(18, (top + bottom) / 2, chart.y().label(), Text.LABEL);
    }
    if (!chart.x().label().isEmpty()) {
      canvas.text((left + right) / 2, HEIGHT - 10, chart.x().label(), Anchor.MIDDLE, Text.LABEL);
    }
    if (chart.isBars()) {
      categories();
    } else {
      marks();
    }
    for (int i = 0; i < chart.series().size(); i++) {
      if (chart.isBars()) {
        bars(i, chart.series().get(i));
      } else {
        lines(i, chart.series().get(i));
      }
    }
    for (Reference reference : chart.references()) {
      if (ys.shows(reference.y())) {
        canvas.line(left, y(reference.y()), right, y(reference.y()), Stroke.REFERENCE);
        canvas.text(right, y(reference.y()) - 6, reference.name(), Anchor.END, Text.LABEL);
      }
    }
  }

  /** Draws the names of the series; gives where the plot begins. */
  private double legend() {
    List<Series> series = chart.series();
    if (series.size() < 2) {
      return LEGEND_Y;
    }
    double x = 16;
    double y = LEGEND_Y;
    for (int i = 0; i < series.size(); i++) {
      String name = series.get(i).name();
      double width = SWATCH + 6 + name.length() * CHARACTER + 18;
      if (x > 16 && x + width > WIDTH) {
        x = 16;
        y += LEGEND_LINE;
      }
      canvas.bar(x, y - SWATCH + 1, SWATCH, SWATCH, i, name);
      canvas.text(x + SWATCH + 6, y, name, Anchor.START, Text.LABEL);
      x += width;
    }
    return y + 22;
  }

  private void marks() {
    for (double mark : xs.marks()) {
      canvas.line(x(mark), bottom, x(mark), bottom + 4, Stroke.AXIS);
      canvas.text(x(mark), bottom + 18, Scale.text(mark), Anchor.MIDDLE, Text.TICK);
    }
  }

  private void lines(int index, Series series) {
    int length = series.ys().length;
    double[] px = new double[length];
    double[] py = new double[length];
    int count = 0;
    for (int i = 0; i < length; i++) {
      if (xs.shows(series.xs()[i]) && ys.shows(series.ys()[i])) {
        px[count] = x(series.xs()[i]);
        py[count++] = y(series.ys()[i]);
      } else {
        count = line(px, py, count, index);
      }
    }
    line(px, py, count, index);
    for (int i = 0; i < length && length <= MOST_POINTS; i++) {
      if (xs.shows(series.xs()[i]) && ys.shows(series.ys()[i])) {
        canvas.point(
            x(series.xs()[i]),
            y(series.ys()[i]),
            index,
            tip(series, Scale.text(series.xs()[i]), series.ys()[i]));
      }
    }
  }

  /** Draws what there is of a line before a gap. */
  private int line(double[] px, double[] py, int count, int index) {
    if (count > 1) {
      canvas.path(px, py, count, index);
    }
    return 0;
  }

  private static String tip(Series series, String at, double value) {
    return series.name() + ", " + at + ": " + Scale.text(value);
  }

  private double groupWidth() {
    return (right - left) / chart.categories().size();
  }

  private void categories() {
    List<String> categories = chart.categories();
    int most = (int) (groupWidth() / CHARACTER);
    for (int i = 0; i < categories.size(); i++) {
      String name = categories.get(i);
      // One of two lines each, where they would run into each other.
      boolean isLower = i % 2 == 1 && categories.stream().anyMatch(any -> any.length() > most);
      double half = name.length() * CHARACTER / 2;
      double middle = Math.min(left + (i + 0.5) * groupWidth(), WIDTH - 4 - half);
      canvas.text(middle, bottom + (isLower ? 30 : 16), name, Anchor.MIDDLE, Text.TICK);
    }
  }

  private void bars(int index, Series series) {
    int groups = chart.series().size();
    double width = groupWidth() * GROUP_SHARE / groups;
    boolean showsValues = groups * chart.categories().size() <= MOST_VALUES;
    double base = y(Math.max(ys.low(), Math.min(0, ys.high())));
    if (ys.isLogarithmic()) {
      base = bottom;
    }
    for (int i = 0; i < series.ys().length; i++) {
      double value = series.ys()[i];
      if (!ys.shows(value)) {
        continue;
      }
      double x = left + (i + (1 - GROUP_SHARE) / 2) * groupWidth() + index * width;
      double end = y(value);
      String tip = tip(series, chart.categories().get(i), value);
      canvas.bar(
          x + 1, Math.min(base, end), Math.max(1, width - 2), Math.abs(base - end), index, tip);
      double above = Math.min(base, end);
      if (series.lows().length > 0 && ys.shows(series.lows()[i]) && ys.shows(series.highs()[i])) {
        double middle = x + width / 2;
        canvas.line(middle, y(series.lows()[i]), middle, y(series.highs()[i]), Stroke.SPREAD);
        above = Math.min(above, y(series.highs()[i]));
      }
      if (showsValues) {
        canvas.text(x + width / 2, above - 4, Scale.text(value), Anchor.MIDDLE, Text.TICK);
      }
    }
  }
}
