package io.siltstone.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats a report as Markdown, with its charts in files beside it. */
final class ReportMarkdown {
  private static final String SPECIAL = "\\`*_{}[]<>#|~!&";

  private final StringBuilder out = new StringBuilder();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  ReportMarkdown(Report report) {
    line("# " + escaped(report.title()));
    for (String caution : report.cautions()) {
      out.append('\n');
      line("**Caution:** " + escaped(caution));
    }
    for (Section section : report.sections()) {
      if (!section.title().isEmpty()) {
        out.append('\n');
        line("## " + escaped(section.title()));
      }
      section.blocks().forEach(this::write);
    }
    out.append('\n');
    line("## Where");
    out.append('\n');
    report.machine().facts().forEach((name, value) -> line("- " + name + ": " + escaped(value)));
  }

  String text() {
    return out.toString();
  }

  /** Returns the charts by the names of their files. */
  Map<String, Chart> charts() {
    return charts;
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void write(Block block) {
    out.append('\n');
    if (block instanceof Paragraph paragraph) {
      line(escaped(paragraph.text()));
    } else if (block instanceof CodeBlock code) {
      // Indented, so that nothing in the code can end the block.
      code.text().stripTrailing().lines().forEach(text -> line("    " + text));
    } else if (block instanceof Chart chart) {
      String name = Report.fileName(chart.title());
      String file = name + ".png";
      for (int i = 2; charts.containsKey(file); i++) {
        file = name + "-" + i + ".png";
      }
      charts.put(file, chart);
      line("![" + escaped(chart.title()) + "](" + file + ")");
    } else if (block instanceof ReportTable table) {
      write(table);
    }
  }

  private void write(ReportTable table) {
    if (!table.title().isEmpty()) {
      line("**" + escaped(table.title()) + "**");
      out.append('\n');
    }
    line(
        table.columns().stream()
            .map(column -> escaped(column.fullHead()))
            .collect(Collectors.joining(" | ", "| ", " |")));
    line(
        table.columns().stream()
            .map(column -> column.isNumber() ? "---:" : "---")
            .collect(Collectors.joining(" | ", "| ", " |")));
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < table.columns().size(); column++) {
        cells.add(escaped(table.shown(row, column)));
      }
      line("| " + String.join(" | ", cells) + " |");
    }
  }

  /** Escapes text for a line of Markdown, so that it is shown as it is. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        escaped.append(' ');
      } else {
        if (SPECIAL.indexOf(c) >= 0) {
          escaped.append('\\');
        }
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
