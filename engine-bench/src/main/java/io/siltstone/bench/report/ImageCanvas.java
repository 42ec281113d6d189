package io.siltstone.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;

/** Draws an image in light colours, with two pixels for each unit. Confined to one thread. */
final class ImageCanvas implements Canvas {
  private static final int SCALE = 2;

  private final BufferedImage image;
  private final Graphics2D graphics;

  ImageCanvas(int width, int height) {
    image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.scale(SCALE, SCALE);
    graphics.setColor(Color.decode(Palette.GROUND));
    graphics.fillRect(0, 0, width, height);
  }

  /** What was drawn; nothing more can be. */
  BufferedImage image() {
    graphics.dispose();
    return image;
  }

  @Override
  public void line(double x1, double y1, double x2, double y2, Stroke stroke) {
    Shape line = new Line2D.Double(x1, y1, x2, y2);
    switch (stroke) {
      case GRID -> stroke(line, Palette.GRID, new BasicStroke(1));
      case AXIS -> stroke(line, Palette.SOFT_INK, new BasicStroke(1));
      case SPREAD -> stroke(line, Palette.INK, new BasicStroke(1.2f));
      case REFERENCE ->
          stroke(
              line,
              Palette.INK,
              new BasicStroke(
                  1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0));
    }
  }

  @Override
  public void path(double[] xs, double[] ys, int count, int series) {
    Path2D path = new Path2D.Double();
    for (int i = 0; i < count; i++) {
      if (i == 0) {
        path.moveTo(xs[i], ys[i]);
      } else {
        path.lineTo(xs[i], ys[i]);
      }
    }
    stroke(path, colour(series), new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
  }

  @Override
  public void point(double x, double y, int series, String tip) {
    fill(new Ellipse2D.Double(x - 3.5, y - 3.5, 7, 7), colour(series));
  }

  @Override
  public void bar(double x, double y, double width, double height, int series, String tip) {
    fill(new Rectangle2D.Double(x, y, width, height), colour(series));
  }

  @Override
  public void text(double x, double y, String text, Anchor anchor, Text kind) {
    boolean isTitle = kind == Text.TITLE;
    graphics.setFont(
        new Font(Font.SANS_SERIF, isTitle ? Font.BOLD : Font.PLAIN, isTitle ? 15 : 12));
    graphics.setColor(Color.decode(kind == Text.TICK ? Palette.SOFT_INK : Palette.INK));
    double width = graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
    double left =
        switch (anchor) {
          case START -> x;
          case MIDDLE -> x - width / 2;
          case END -> x - width;
        };
    graphics.drawString(text, (float) left, (float) y);
  }

  @Override
  public void upwards(double x, double y, String text, Text kind) {
    AffineTransform before = graphics.getTransform();
    graphics.translate(x, y);
    graphics.rotate(-Math.PI / 2);
    text(0, 0, text, Anchor.MIDDLE, kind);
    graphics.setTransform(before);
  }

  private static String colour(int series) {
    return Palette.LIGHT.get(Palette.index(series));
  }

  private void stroke(Shape shape, String colour, BasicStroke stroke) {
    graphics.setColor(Color.decode(colour));
    graphics.setStroke(stroke);
    graphics.draw(shape);
  }

  private void fill(Shape shape, String colour) {
    graphics.setColor(Color.decode(colour));
    graphics.fill(shape);
  }
}
