package io.siltstone.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as Markdown, with its charts in files beside it. */
final class ReportMarkdown {
  private final StringBuilder out = new StringBuilder();
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  ReportMarkdown(Report report) {
    line("# " + Markup.markdown(report.title()));
    for (String caution : report.cautions()) {
      out.append('\n');
      line("**Caution:** " + Markup.markdown(caution));
    }
    for (Section section : report.sections()) {
      if (!section.title().isEmpty()) {
        out.append('\n');
        line("## " + Markup.markdown(section.title()));
      }
      section.blocks().forEach(this::write);
    }
    out.append('\n');
    line("## Where");
    out.append('\n');
    report
        .machine()
        .facts()
        .forEach((name, value) -> line("- " + name + ": " + Markup.markdown(value)));
  }

  String text() {
    return out.toString();
  }

  /** The charts by the names of their files. */
  Map<String, Chart> charts() {
    return charts;
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void write(Block block) {
    out.append('\n');
    if (block instanceof Paragraph paragraph) {
      line(Markup.markdown(paragraph.text()));
    } else if (block instanceof Code code) {
      // Indented, so that nothing in it can end it.
      code.text().stripTrailing().lines().forEach(text -> line("    " + text));
    } else if (block instanceof Chart chart) {
      String name = Report.fileName(chart.title());
      String file = name + ".png";
      for (int i = 2; charts.containsKey(file); i++) {
        file = name + "-" + i + ".png";
      }
      charts.put(file, chart);
      line("![" + Markup.markdown(chart.title()) + "](" + file + ")");
    } else if (block instanceof Table table) {
      write(table);
    }
  }

  private void write(Table table) {
    if (!table.title().isEmpty()) {
      line("**" + Markup.markdown(table.title()) + "**");
      out.append('\n');
    }
    line(
        table.columns().stream()
            .map(column -> Markup.markdown(column.fullHead()))
            .collect(Collectors.joining(" | ", "| ", " |")));
    line(
        table.columns().stream()
            .map(column -> column.isNumber() ? "---:" : "---")
            .collect(Collectors.joining(" | ", "| ", " |")));
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < table.columns().size(); column++) {
        cells.add(Markup.markdown(table.shown(row, column)));
      }
      line("| " + String.join(" | ", cells) + " |");
    }
  }
}
