package io.siltstone.bench.report;

import java.util.Locale;

/** Draws SVG; colours come from a style sheet, light or dark. Confined to one thread. */
final class SvgCanvas implements Canvas {
  /** The style sheet that the elements need, once in a page. */
  static final String STYLE = style();

  private static final double STEP = 0.1;

  private final int width;
  private final int height;
  private final String title;
  private final StringBuilder body = new StringBuilder();

  SvgCanvas(int width, int height, String title) {
    this.width = width;
    this.height = height;
    this.title = title;
  }

  private static String style() {
    StringBuilder css = new StringBuilder();
    css.append(".chart{");
    variables(css, Palette.INK, Palette.SOFT_INK, Palette.GRID, Palette.GROUND);
    css.append("font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}\n");
    css.append(".chart .ground{fill:var(--ground)}\n")
        .append(".chart text{fill:var(--soft);font-size:12px}\n")
        .append(".chart .title{fill:var(--ink);font-size:15px;font-weight:600}\n")
        .append(".chart .label{fill:var(--ink)}\n")
        .append(".chart .grid{stroke:var(--grid);stroke-width:1}\n")
        .append(".chart .axis{stroke:var(--soft);stroke-width:1}\n")
        .append(".chart .reference{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:6 4}\n")
        .append(".chart .spread{stroke:var(--ink);stroke-width:1.2}\n")
        .append(".chart path{fill:none;stroke-width:2;stroke-linejoin:round}\n");
    for (int i = 0; i < Palette.LIGHT.size(); i++) {
      series(css, i, Palette.LIGHT.get(i));
    }
    css.append("@media (prefers-color-scheme:dark){\n.chart{");
    variables(css, Palette.DARK_INK, Palette.DARK_SOFT_INK, Palette.DARK_GRID, Palette.DARK_GROUND);
    css.append("}\n");
    for (int i = 0; i < Palette.DARK.size(); i++) {
      series(css, i, Palette.DARK.get(i));
    }
    return css.append("}\n").toString();
  }

  private static void variables(
      StringBuilder css, String ink, String soft, String grid, String ground) {
    css.append("--ink:").append(ink).append(";--soft:").append(soft);
    css.append(";--grid:").append(grid).append(";--ground:").append(ground).append(';');
  }

  private static void series(StringBuilder css, int index, String colour) {
    css.append(".chart path.s").append(index).append("{stroke:").append(colour).append("}\n");
    css.append(".chart rect.s").append(index).append(",.chart circle.s").append(index);
    css.append("{fill:").append(colour).append("}\n");
  }

  /** A document of its own. */
  String document() {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        + element("<style>" + STYLE + "</style>\n");
  }

  /** An element of a page. */
  String element() {
    return element("");
  }

  private String element(String style) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\""
        + width
        + "\" height=\""
        + height
        + "\" viewBox=\"0 0 "
        + width
        + " "
        + height
        + "\" aria-label=\""
        + Markup.xml(title)
        + "\">\n"
        + style
        + "<rect class=\"ground\" width=\""
        + width
        + "\" height=\""
        + height
        + "\"/>\n"
        + body
        + "</svg>\n";
  }

  @Override
  public void line(double x1, double y1, double x2, double y2, Stroke stroke) {
    body.append("<line class=\"").append(stroke.name().toLowerCase(Locale.ROOT)).append('"');
    attribute("x1", x1);
    attribute("y1", y1);
    attribute("x2", x2);
    attribute("y2", y2);
    body.append("/>\n");
  }

  @Override
  public void path(double[] xs, double[] ys, int count, int series) {
    body.append("<path class=\"s").append(Palette.index(series)).append("\" d=\"");
    for (int i = 0; i < count; i++) {
      body.append(i == 0 ? "M" : "L").append(number(xs[i])).append(' ').append(number(ys[i]));
    }
    body.append("\"/>\n");
  }

  @Override
  public void point(double x, double y, int series, String tip) {
    body.append("<circle class=\"s").append(Palette.index(series)).append("\" r=\"3.5\"");
    attribute("cx", x);
    attribute("cy", y);
    body.append("><title>").append(Markup.xml(tip)).append("</title></circle>\n");
  }

  @Override
  public void bar(double x, double y, double width, double height, int series, String tip) {
    body.append("<rect class=\"s").append(Palette.index(series)).append('"');
    attribute("x", x);
    attribute("y", y);
    attribute("width", width);
    attribute("height", height);
    body.append("><title>").append(Markup.xml(tip)).append("</title></rect>\n");
  }

  @Override
  public void text(double x, double y, String text, Anchor anchor, Text kind) {
    body.append("<text class=\"").append(kind.name().toLowerCase(Locale.ROOT)).append('"');
    attribute("x", x);
    attribute("y", y);
    anchored(anchor);
    body.append('>').append(Markup.xml(text)).append("</text>\n");
  }

  @Override
  public void upwards(double x, double y, String text, Text kind) {
    body.append("<text class=\"").append(kind.name().toLowerCase(Locale.ROOT)).append('"');
    body.append(" transform=\"translate(").append(number(x)).append(' ').append(number(y));
    body.append(") rotate(-90)\"");
    anchored(Anchor.MIDDLE);
    body.append('>').append(Markup.xml(text)).append("</text>\n");
  }

  private void anchored(Anchor anchor) {
    if (anchor != Anchor.START) {
      body.append(" text-anchor=\"").append(anchor.name().toLowerCase(Locale.ROOT)).append('"');
    }
  }

  private void attribute(String name, double value) {
    body.append(' ').append(name).append("=\"").append(number(value)).append('"');
  }

  /** To a tenth, which is finer than what can be seen. */
  private static String number(double value) {
    long tenths = Math.round(value / STEP);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
  }
}
