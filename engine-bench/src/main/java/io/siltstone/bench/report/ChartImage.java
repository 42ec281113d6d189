package io.siltstone.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a {@link Chart} with XChart, in the style of all reports. */
final class ChartImage {
  static final int WIDTH = 860;
  static final int HEIGHT = 420;
  private static final int SCALE = 2;
  private static final int MOST_MARKERS = 40;
  private static final double SAME = 1e-6;
  private static final String NUMBERS = "#,##0.###";
  private static final double MOST_SPREAD = 0.99;
  private static final Color INK = new Color(0x1d2329);
  private static final Color SOFT_INK = new Color(0x57606a);
  private static final Color GRID = new Color(0xdfe3e8);
  private static final float THINNEST_LINE = 2.2f;
  private static final float LINE_STEP = 2.4f;
  private static final BasicStroke DASHED =
      new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {6, 4}, 0);

  /** Colors that most people can distinguish, with a contrast of 3:1 or more on white. */
  private static final Color[] COLORS = {
    new Color(0x1f6fd1), new Color(0xcf5c10), new Color(0x15845a), new Color(0xa8348f),
    new Color(0x8a6d00), new Color(0x5b53d6), new Color(0xc0392b), new Color(0x5f6b76)
  };

  private ChartImage() {}

  /** Returns a PNG on white, with twice the size in pixels. Needs fonts, and no display. */
  static byte[] png(Chart chart) {
    BufferedImage image =
        new BufferedImage(SCALE * WIDTH, SCALE * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.scale(SCALE, SCALE);
      drawn(chart).paint(graphics, WIDTH, HEIGHT);
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // ImageIO would create a temporary file for a stream, which fails in a process that is ending.
    try (ImageOutputStream images = new MemoryCacheImageOutputStream(out)) {
      ImageIO.write(image, "png", images);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static IChart drawn(Chart chart) {
    return chart.isBars() ? bars(chart) : lines(chart);
  }

  private static XYChart lines(Chart chart) {
    XYChart drawn =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.x().label())
            .yAxisTitle(chart.y().label())
            .build();
    style(drawn.getStyler());
    if (chart.y().isLogarithmic()) {
      drawn.getStyler().setYAxisLogarithmic(true);
      Decades.of(chart)
          .ifPresent(
              all -> {
                drawn.getStyler().setYAxisMin(Math.pow(10, all.from()));
                drawn.getStyler().setYAxisMax(Math.pow(10, all.to()));
              });
    } else {
      drawn.getStyler().setYAxisMin(0.0);
    }
    // XChart marks powers of ten on a logarithmic axis, but chunk lengths lie between them.
    boolean isBinary = isOfPowersOfTwo(chart);
    drawn.getStyler().setXAxisLogarithmic(chart.x().isLogarithmic() && !isBinary);
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    // Each line is wider than the lines drawn over it, so that none hides another.
    float width = THINNEST_LINE + LINE_STEP * (chart.series().size() - 1);
    for (Chart.Series series : chart.series()) {
      BasicStroke stroke = new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
      width -= LINE_STEP;
      double[] xs = shown(series.xs(), chart.x().isLogarithmic());
      if (isBinary) {
        Arrays.setAll(xs, i -> Double.isNaN(xs[i]) ? xs[i] : Math.getExponent(xs[i]));
      }
      double[] ys = shown(series.ys(), chart.y().isLogarithmic());
      int[] points = IntStream.range(0, xs.length).filter(i -> !Double.isNaN(xs[i])).toArray();
      if (points.length == 0 || Arrays.stream(ys).allMatch(Double::isNaN)) {
        continue;
      }
      XYSeries line =
          drawn.addSeries(
              series.name(),
              Arrays.stream(points).mapToDouble(i -> xs[i]).toArray(),
              Arrays.stream(points).mapToDouble(i -> ys[i]).toArray());
      line.setMarker(points.length <= MOST_MARKERS ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
      line.setLineStyle(stroke);
      least = Math.min(least, xs[points[0]]);
      greatest = Math.max(greatest, xs[points[points.length - 1]]);
    }
    if (drawn.getSeriesCollection().isEmpty()) {
      return drawn;
    }
    if (isBinary) {
      drawn.setCustomXAxisTickLabelsFormatter(exponent -> power(2, exponent, 0));
    } else if (!chart.x().isLogarithmic() && least >= 0 && least <= greatest / 2) {
      drawn.getStyler().setXAxisMin(0.0);
    }
    for (Chart.Reference reference : chart.references()) {
      XYSeries line =
          drawn.addSeries(
              reference.name(),
              new double[] {least, greatest},
              new double[] {reference.y(), reference.y()});
      line.setMarker(SeriesMarkers.NONE);
      line.setLineStyle(DASHED);
      line.setLineColor(SOFT_INK);
    }
    return drawn;
  }

  /** Returns whether all values are powers of two, like chunk lengths. */
  private static boolean isOfPowersOfTwo(Chart chart) {
    return chart.x().isLogarithmic()
        && chart.series().stream()
            .flatMapToDouble(series -> Arrays.stream(shown(series.xs(), true)))
            .filter(x -> !Double.isNaN(x))
            .allMatch(x -> x == Math.scalb(1.0, Math.getExponent(x)));
  }

  /**
   * Returns the label of an axis of exponents that begins at one; marks between two powers have
   * none.
   */
  private static String power(int base, double mark, int from) {
    int whole = (int) Math.rint(mark);
    return Math.abs(mark - whole) > SAME
        ? ""
        : new DecimalFormat(NUMBERS, DecimalFormatSymbols.getInstance(Locale.ROOT))
            .format(Math.pow(base, from + whole));
  }

  private static CategoryChart bars(Chart chart) {
    CategoryChart drawn =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.x().label())
            .yAxisTitle(chart.y().label())
            .build();
    style(drawn.getStyler());
    drawn.getStyler().setAvailableSpaceFill(0.8);
    // XChart draws the spread of a bar on a logarithmic axis at the wrong place. Bars are therefore
    // drawn on a linear axis of decades, which is labeled accordingly.
    Optional<Decades> decades = chart.y().isLogarithmic() ? Decades.of(chart) : Optional.empty();
    drawn.getStyler().setYAxisLogarithmic(false);
    drawn.getStyler().setYAxisMin(0.0);
    decades.ifPresent(
        all -> {
          drawn.getStyler().setYAxisMax((double) all.count());
          drawn
              .getStyler()
              .setYAxisTickLabelsFormattingFunction(height -> power(10, height, all.from()));
        });
    DoubleUnaryOperator height =
        decades.isPresent() ? decades.get()::height : DoubleUnaryOperator.identity();
    for (Chart.Series series : chart.series()) {
      double[] ys = heights(series.ys(), chart, height);
      if (Arrays.stream(ys).allMatch(Double::isNaN)) {
        continue;
      }
      if (series.lows().length == 0) {
        drawn.addSeries(series.name(), chart.categories(), boxed(ys));
      } else {
        double[] lows = heights(series.lows(), chart, height);
        double[] highs = heights(series.highs(), chart, height);
        drawn.addSeries(
            series.name(), chart.categories(), boxed(ys), boxed(spreads(lows, ys, highs)));
      }
    }
    if (drawn.getSeriesCollection().isEmpty()) {
      return drawn;
    }
    for (Chart.Reference reference : chart.references()) {
      CategorySeries line =
          drawn.addSeries(
              reference.name(),
              chart.categories(),
              Collections.nCopies(chart.categories().size(), height.applyAsDouble(reference.y())));
      line.setChartCategorySeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Line);
      line.setMarker(SeriesMarkers.NONE);
      line.setLineStyle(DASHED);
      line.setLineColor(SOFT_INK);
    }
    return drawn;
  }

  /**
   * The whole decades that contain all values of a chart, so that bars have a foot and there are
   * marks.
   */
  private record Decades(int from, int to) {
    static Optional<Decades> of(Chart chart) {
      DoubleSummaryStatistics values =
          Stream.concat(
                  chart.series().stream()
                      .flatMap(series -> Stream.of(series.ys(), series.lows(), series.highs())),
                  chart.references().stream().map(reference -> new double[] {reference.y()}))
              .flatMapToDouble(ys -> Arrays.stream(shown(ys, true)))
              .filter(y -> y > 0)
              .summaryStatistics();
      if (values.getCount() == 0) {
        return Optional.empty();
      }
      int from = (int) Math.ceil(Math.log10(values.getMin())) - 1;
      return Optional.of(
          new Decades(from, Math.max(from + 1, (int) Math.ceil(Math.log10(values.getMax())))));
    }

    int count() {
      return to - from;
    }

    double height(double y) {
      return Math.log10(y) - from;
    }
  }

  private static double[] heights(double[] ys, Chart chart, DoubleUnaryOperator height) {
    return Arrays.stream(shown(ys, chart.y().isLogarithmic())).map(height).toArray();
  }

  /**
   * Returns the distance to the farther one of lowest and highest; no bar reaches below all axes.
   */
  private static double[] spreads(double[] lows, double[] ys, double[] highs) {
    double[] spreads = new double[ys.length];
    for (int i = 0; i < spreads.length; i++) {
      double spread = Math.max(ys[i] - lows[i], highs[i] - ys[i]);
      spreads[i] = Double.isNaN(spread) ? 0 : Math.min(spread, MOST_SPREAD * ys[i]);
    }
    return spreads;
  }

  /** Returns the values with NaN, a gap, in place of those that have no place on the axis. */
  private static double[] shown(double[] values, boolean isLogarithmic) {
    return Arrays.stream(values)
        .map(value -> Double.isFinite(value) && (!isLogarithmic || value > 0) ? value : Double.NaN)
        .toArray();
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static void style(AxesChartStyler styler) {
    styler.setSeriesColors(COLORS);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setAxisTickMarksColor(GRID);
    styler.setAxisTickLabelsColor(SOFT_INK);
    styler.setChartFontColor(INK);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setYAxisDecimalPattern(NUMBERS);
    styler.setXAxisDecimalPattern(NUMBERS);
    styler.setErrorBarsColor(INK);
  }
}
