package io.siltstone.tools.inspect;

import io.siltstone.bench.report.HtmlWriter;
import io.siltstone.spi.LiveTable;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Units;
import java.util.List;
import java.util.Locale;

/** Draws the charts of the page as SVG, in the colors of the page. */
final class InspectCharts {
  private static final int WIDTH = 1000;
  private static final int LEFT = 150;
  private static final int RIGHT = 12;
  private static final int PLOT = WIDTH - LEFT - RIGHT;
  private static final int TOP = 6;
  private static final int LANE_GAP = 6;
  private static final int MOST_HEIGHT = 900;
  private static final int LEAST_ROW = 3;
  private static final int MOST_ROW = 18;
  private static final int LABEL_HEIGHT = 13;
  private static final int LEAST_LABELLED_ROW = 14;
  private static final int THIN_ROW = 5;
  private static final int LABEL_CHAR = 6;
  private static final int COVERAGE_POINTS = 850;
  private static final int COVERAGE_HEIGHT = 110;
  private static final int SCATTER_HEIGHT = 220;
  private static final int AXIS = 22;
  private static final double[] TOMBSTONE_STEPS = {0, 0.05, 0.2, 0.5};

  private final SSTablesOverview of;
  private final HtmlWriter html;

  InspectCharts(SSTablesOverview of, HtmlWriter html) {
    this.of = of;
    this.html = html;
  }

  /** Returns the CSS class for a share of tombstones. */
  static String shade(double share) {
    int step = 0;
    while (step < TOMBSTONE_STEPS.length && share > TOMBSTONE_STEPS[step]) {
      step++;
    }
    return "t" + step;
  }

  private static double x(double share) {
    return LEFT + share * PLOT;
  }

  private void describe(SSTableFigures file) {
    LiveTable table = file.table();
    html.raw("<title>")
        .text(file.name() + ", " + file.group().name())
        .text("; " + Units.bytes(table.onDiskBytes()) + " on disk")
        .text(", " + table.partitions() + " partitions")
        .text("; " + Math.round(100 * file.tombstones()) + " % tombstones and expired")
        .text("; written " + InspectText.age(of, table) + " ago")
        .text("; overlaps with " + file.overlaps())
        .raw("</title>");
  }

  /** Draws the SSTables over the tokens, with a lane for each group. */
  void tokens() {
    int rows = of.lanes().stream().mapToInt(SSTablesOverview.Lane::rows).sum();
    int gaps = LANE_GAP * of.lanes().size();
    int row = Math.max(LEAST_ROW, Math.min(MOST_ROW, (MOST_HEIGHT - gaps) / Math.max(1, rows)));
    int height = TOP + rows * row + gaps + AXIS;
    html.format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"SSTables over the range of tokens\">",
        WIDTH, height);
    grid(height - AXIS);
    int top = TOP;
    int labelFrom = 0;
    for (SSTablesOverview.Lane lane : of.lanes()) {
      int middle = top + lane.rows() * row / 2;
      if (middle - LABEL_HEIGHT / 2 >= labelFrom || top == TOP) {
        html.format(
                "<text class=\"lane\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, middle + 4)
            .text(shortened(lane.group().name()))
            .raw("<title>")
            .text(lane.group().name() + ": " + CountText.of(lane.files().size(), "SSTable") + ", ")
            .text(Units.bytes(lane.onDiskBytes()))
            .raw("</title></text>");
        labelFrom = middle + LABEL_HEIGHT / 2;
      }
      for (SSTableFigures file : lane.files()) {
        bar(file, top + file.row() * row, row);
      }
      top += lane.rows() * row + LANE_GAP;
    }
    tokenAxis(height);
    html.raw("</svg>");
  }

  private static String shortened(String name) {
    String text = name.startsWith("window of ") ? name.substring("window of ".length()) : name;
    return text.length() <= 22 ? text : text.substring(0, 21) + "\u2026";
  }

  private void bar(SSTableFigures file, int y, int row) {
    double left = x(file.from());
    double width = Math.max(2, x(file.to()) - left);
    // A bar of one key at the right end stays within the chart.
    left = Math.min(left, WIDTH - RIGHT - width);
    String shade = shade(file.tombstones());
    html.format(
            "<rect class=\"bar %s%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\""
                + " rx=\"%d\" data-f=\"",
            shade,
            row <= THIN_ROW ? " thin" : "",
            left,
            y,
            width,
            Math.max(2, row - 1),
            row > THIN_ROW ? 2 : 0)
        .text(file.name())
        .raw("\">");
    describe(file);
    html.raw("</rect>");
    String label = file.name() + ", " + Units.bytes(file.table().onDiskBytes());
    if (row >= LEAST_LABELLED_ROW && width > LABEL_CHAR * (label.length() + 2)) {
      html.format(
              "<text class=\"label l%s\" x=\"%.2f\" y=\"%d\">",
              shade.substring(1), left + LABEL_CHAR, y + row / 2 + 3)
          .text(label)
          .raw("</text>");
    }
  }

  private void grid(int height) {
    for (int i = 0; i <= 4; i++) {
      double x = x(i / 4.0);
      html.format(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", x, x, height);
    }
  }

  private void tokenAxis(int height) {
    String[] names = {"least token", "", "", "", "greatest token"};
    for (int i = 0; i <= 4; i += 4) {
      html.format(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>",
          x(i / 4.0), height - 6, i == 0 ? "start" : "end", names[i]);
    }
  }

  /** Draws how many SSTables cover each token. */
  void coverage() {
    TokenCoverage coverage = of.coverage();
    int height = COVERAGE_HEIGHT + AXIS;
    int most = Math.max(1, coverage.most());
    html.format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"SSTables that cover each token\">",
        WIDTH, height);
    int step = Math.max(1, niceStep(most));
    for (int value = 0; value <= most; value += step) {
      double y = coverageY(value, most);
      html.format(
          "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>",
          LEFT, y, WIDTH - RIGHT, y, LEFT - 8, y + 4, value);
    }
    String path = coveragePath(coverage, most);
    html.format(
        "<path class=\"area\" d=\"%sV%.1fH%dZ\"/><path class=\"curve\" d=\"%s\"/>",
        path, coverageY(0, most), LEFT, path);
    tokenAxis(height);
    html.raw("</svg>");
  }

  /**
   * Returns the path with the greatest number of SSTables within each pixel, which drops gaps no
   * wider than that.
   */
  private static String coveragePath(TokenCoverage coverage, int most) {
    int[] counts = new int[COVERAGE_POINTS];
    for (TokenCoverage.Step step : coverage.steps()) {
      int from = (int) Math.min(COVERAGE_POINTS - 1, step.from() * COVERAGE_POINTS);
      int to = (int) Math.min(COVERAGE_POINTS - 1, Math.ceil(step.to() * COVERAGE_POINTS) - 1);
      for (int i = from; i <= Math.max(from, to); i++) {
        counts[i] = Math.max(counts[i], step.count());
      }
    }
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < COVERAGE_POINTS; i++) {
      if (i == 0 || counts[i] != counts[i - 1]) {
        path.append(
            String.format(
                Locale.ROOT,
                "%s%.1f %.1f",
                i == 0 ? "M" : String.format(Locale.ROOT, "H%.1fL", xOfPoint(i)),
                xOfPoint(i),
                coverageY(counts[i], most)));
      }
    }
    return path.append(String.format(Locale.ROOT, "H%.1f", x(1))).toString();
  }

  private static double xOfPoint(int point) {
    return x((double) point / COVERAGE_POINTS);
  }

  private static double coverageY(int count, int most) {
    return 6 + (COVERAGE_HEIGHT - 6) * (1 - (double) count / most);
  }

  /** Returns a step of 1, 2, 5, 10, 20 and so on, so that there are few grid lines. */
  private static int niceStep(int most) {
    int step = 1;
    int power = 1;
    while (step * 4 < most) {
      if (step == power) {
        step = 2 * power;
      } else if (step == 2 * power) {
        step = 5 * power;
      } else {
        power *= 10;
        step = power;
      }
    }
    return step;
  }

  /** Draws sizes by age. */
  void ages() {
    List<SSTableFigures> files = of.files();
    LogScale sizes = LogScale.ofBytes(files.stream().mapToLong(f -> f.table().onDiskBytes()));
    LogScale ages = LogScale.ofSeconds(files.stream().mapToLong(this::seconds));
    int height = SCATTER_HEIGHT + AXIS;
    html.format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Size of each SSTable by its age\">",
        WIDTH, height);
    for (LogScale.Tick tick : sizes.ticks()) {
      double y = scatterY(sizes.share(tick.value()));
      html.format(
              "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                  + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
              LEFT, y, WIDTH - RIGHT, y, LEFT - 8, y + 4)
          .text(tick.name())
          .raw("</text>");
    }
    for (LogScale.Tick tick : ages.ticks()) {
      double x = x(ages.share(tick.value()));
      html.format(
              "<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>"
                  + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
              x, x, SCATTER_HEIGHT, x, height - 6, x > WIDTH - LEFT ? "end" : "middle")
          .text(tick.name())
          .raw("</text>");
    }
    for (SSTableFigures file : files) {
      html.format(
              "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\" data-f=\"",
              shade(file.tombstones()),
              x(ages.share(seconds(file))),
              scatterY(sizes.share(file.table().onDiskBytes())))
          .text(file.name())
          .raw("\">");
      describe(file);
      html.raw("</circle>");
    }
    html.raw("</svg>");
  }

  private long seconds(SSTableFigures file) {
    return Math.max(1, (of.nowMillis() - file.table().writtenAt()) / 1000);
  }

  private static double scatterY(double share) {
    return 6 + (SCATTER_HEIGHT - 6) * (1 - share);
  }
}
