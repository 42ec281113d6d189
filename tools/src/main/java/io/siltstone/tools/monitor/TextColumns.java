package io.siltstone.tools.monitor;

import io.siltstone.tools.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** Prints rows of cells, with each column as wide as its widest cell. Confined to one thread. */
final class TextColumns {
  private static final int GAP = 2;

  private final List<String[]> lines = new ArrayList<>();
  private final boolean isRight;

  /**
   * @param isRight whether all columns but the first are right-aligned
   */
  TextColumns(boolean isRight) {
    this.isRight = isRight;
  }

  TextColumns add(String... cells) {
    lines.add(cells);
    return this;
  }

  void print(Terminal terminal) {
    lines().forEach(terminal::line);
  }

  List<String> lines() {
    int most = lines.stream().mapToInt(line -> line.length).max().orElse(0);
    int[] widths = new int[most];
    for (String[] line : lines) {
      for (int i = 0; i < line.length; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    List<String> text = new ArrayList<>();
    for (String[] line : lines) {
      StringBuilder cells = new StringBuilder();
      for (int i = 0; i < line.length; i++) {
        String padding = " ".repeat(widths[i] - line[i].length());
        cells.append(i > 0 && isRight ? padding + line[i] : line[i] + padding);
        if (i < line.length - 1) {
          cells.append(" ".repeat(GAP));
        }
      }
      text.add(cells.toString().stripTrailing());
    }
    return text;
  }
}
