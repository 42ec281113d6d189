package io.siltstone.bench.report;

/** What a chart is drawn on; points are counted from the upper left corner. */
interface Canvas {
  /** What a stroke is for, which decides its colour and width. */
  enum Stroke {
    GRID,
    AXIS,
    REFERENCE,
    SPREAD
  }

  /** Which point of a text is at its place. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** What a text is for, which decides its colour and size. */
  enum Text {
    TITLE,
    LABEL,
    TICK
  }

  void line(double x1, double y1, double x2, double y2, Stroke stroke);

  /** A line in a series' colour. */
  void path(double[] xs, double[] ys, int count, int series);

  /** A point in a series' colour. */
  void point(double x, double y, int series, String tip);

  /** A filled rectangle in a series' colour. */
  void bar(double x, double y, double width, double height, int series, String tip);

  void text(double x, double y, String text, Anchor anchor, Text kind);

  /** Turned to run upwards, its middle at the place. */
  void upwards(double x, double y, String text, Text kind);
}
