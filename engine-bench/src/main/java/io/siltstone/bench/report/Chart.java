package io.siltstone.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A chart of lines over a number, or of groups of bars over categories. Immutable; made by {@link
 * #lines} and {@link #bars}. The same figures give the same image, with the same fonts.
 */
public final class Chart implements Block {
  private final String title;
  private final Axis x;
  private final Axis y;
  private final List<String> categories;
  private final List<Series> series;
  private final List<Reference> references;

  private Chart(Builder builder) {
    title = builder.title;
    x = builder.x;
    y = builder.y;
    categories = builder.categories;
    series = List.copyOf(builder.series);
    references = List.copyOf(builder.references);
  }

  /**
   * An axis.
   *
   * @param label with its unit
   * @param isLogarithmic whether the scale is logarithmic; values up to 0 are then omitted
   */
  record Axis(String label, boolean isLogarithmic) {}

  /**
   * Points of one color; in a chart of bars {@code xs} are the numbers of the categories. A value
   * that is not finite is a gap.
   */
  static final class Series {
    private final String name;
    private final double[] xs;
    private final double[] ys;
    private final double[] lows;
    private final double[] highs;

    Series(String name, double[] xs, double[] ys, double[] lows, double[] highs) {
      this.name = name;
      this.xs = xs;
      this.ys = ys;
      this.lows = lows;
      this.highs = highs;
    }

    String name() {
      return name;
    }

    double[] xs() {
      return xs;
    }

    double[] ys() {
      return ys;
    }

    /** Returns the lowest values; empty without a spread. */
    double[] lows() {
      return lows;
    }

    /** Returns the highest values; empty without a spread. */
    double[] highs() {
      return highs;
    }
  }

  /** A horizontal line with a name. */
  record Reference(String name, double y) {}

  /** Begins a chart of lines. */
  public static Builder lines(String title) {
    return new Builder(title, List.of());
  }

  /**
   * Begins a chart of bars.
   *
   * @param categories labels of the groups of bars, at least one
   */
  public static Builder bars(String title, List<String> categories) {
    if (categories.isEmpty()) {
      throw new IllegalArgumentException("no categories in chart '" + title + "'");
    }
    return new Builder(title, List.copyOf(categories));
  }

  /** Returns the title. */
  public String title() {
    return title;
  }

  Axis x() {
    return x;
  }

  Axis y() {
    return y;
  }

  boolean isBars() {
    return !categories.isEmpty();
  }

  List<String> categories() {
    return categories;
  }

  List<Series> series() {
    return series;
  }

  List<Reference> references() {
    return references;
  }

  /** Returns an image with twice the size in pixels, on white. Needs fonts, and no display. */
  public byte[] png() {
    return ChartImage.png(this);
  }

  /** Collects axes and series. Not safe for threads. */
  public static final class Builder {
    private final String title;
    private final List<String> categories;
    private final List<Series> series = new ArrayList<>();
    private final List<Reference> references = new ArrayList<>();
    private Axis x = new Axis("", false);
    private Axis y = new Axis("", false);

    private Builder(String title, List<String> categories) {
      this.title = title;
      this.categories = categories;
    }

    /** Labels the x axis, with its unit. */
    public Builder x(String label) {
      x = new Axis(label, x.isLogarithmic());
      return this;
    }

    /** Labels the y axis, with its unit. */
    public Builder y(String label) {
      y = new Axis(label, y.isLogarithmic());
      return this;
    }

    /** Makes the x axis of a chart of lines logarithmic. */
    public Builder logarithmicX() {
      if (!categories.isEmpty()) {
        throw new IllegalArgumentException("logarithmic categories in chart '" + title + "'");
      }
      x = new Axis(x.label(), true);
      return this;
    }

    /** Makes the y axis logarithmic, so that it does not begin at 0. */
    public Builder logarithmicY() {
      y = new Axis(y.label(), true);
      return this;
    }

    /**
     * Adds a line.
     *
     * @param xs ascending
     * @param ys the same number of values; one that is not finite is a gap
     */
    public Builder series(String name, double[] xs, double[] ys) {
      if (!categories.isEmpty()) {
        throw new IllegalArgumentException("a line in the chart of bars '" + title + "'");
      }
      return add(name, xs.clone(), ys, new double[0], new double[0]);
    }

    /**
     * Adds a bar to each category.
     *
     * @param values one per category; one that is not finite is a gap
     */
    public Builder series(String name, double[] values) {
      return series(name, values, new double[0], new double[0]);
    }

    /**
     * Adds a bar to each category, with the spread of the measured values.
     *
     * @param lows lowest value per category
     * @param highs highest value per category
     */
    public Builder series(String name, double[] values, double[] lows, double[] highs) {
      double[] xs = new double[categories.size()];
      for (int i = 0; i < xs.length; i++) {
        xs[i] = i;
      }
      return add(name, xs, values, lows, highs);
    }

    private Builder add(String name, double[] xs, double[] ys, double[] lows, double[] highs) {
      boolean hasSpread = lows.length > 0 || highs.length > 0;
      if (xs.length != ys.length
          || (hasSpread && (lows.length != ys.length || highs.length != ys.length))) {
        throw new IllegalArgumentException(
            "series '"
                + name
                + "' of chart '"
                + title
                + "' has "
                + ys.length
                + " values, expected "
                + xs.length);
      }
      series.add(new Series(name, xs, ys.clone(), lows.clone(), highs.clone()));
      return this;
    }

    /** Adds a dashed horizontal line, for a figure to compare with. */
    public Builder reference(String name, double value) {
      references.add(new Reference(name, value));
      return this;
    }

    /** Returns the chart. */
    public Chart build() {
      return new Chart(this);
    }
  }
}
