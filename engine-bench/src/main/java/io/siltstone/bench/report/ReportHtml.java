package io.siltstone.bench.report;

import java.util.Base64;
import java.util.Map;

/** A report as one HTML page. */
final class ReportHtml {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--page:#fff;--text:#1d2329;--quiet:#57606a;--rule:#dfe3e8;--band:#f5f7f9}
      @media (prefers-color-scheme:dark){:root{--page:#16191d;--text:#e6e9ec;--quiet:#a0a9b3;--rule:#343b43;--band:#1e2328}}
      *{box-sizing:border-box}
      body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}
      main{max-width:960px;margin:0 auto;padding:32px 20px 64px}
      h1{font-size:28px;line-height:1.2;margin:0 0 8px}
      h2{font-size:20px;margin:40px 0 8px;padding-top:12px;border-top:1px solid var(--rule)}
      p{max-width:72ch}
      pre{overflow-x:auto;padding:12px 14px;background:var(--band);font-size:13px;line-height:1.45}
      figure{margin:20px 0;overflow-x:auto}
      figure img{display:block;width:100%;height:auto;min-width:600px;max-width:860px;border-radius:6px}
      .wide{overflow-x:auto;margin:16px 0}
      table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
      caption{text-align:left;font-weight:600;padding:0 0 6px}
      th,td{padding:5px 14px 5px 0;text-align:left;vertical-align:bottom;border-bottom:1px solid var(--rule)}
      th{font-weight:600}
      th small{display:block;font-weight:400;color:var(--quiet)}
      .number{text-align:right}
      tbody tr:hover{background:var(--band)}
      dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;font-size:14px;margin:12px 0}
      dt{color:var(--quiet)}
      dd{margin:0;overflow-wrap:anywhere}
      """;

  private final StringBuilder out = new StringBuilder(1 << 16);

  private ReportHtml() {}

  static String of(Report report) {
    ReportHtml html = new ReportHtml();
    html.page(report);
    return html.out.toString();
  }

  private void page(Report report) {
    String title = Markup.xml(report.title());
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .append("<title>")
        .append(title)
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<main>\n<h1>")
        .append(title)
        .append("</h1>\n");
    for (String caution : report.cautions()) {
      out.append("<p><strong>Caution:</strong> ").append(Markup.xml(caution)).append("</p>\n");
    }
    for (Section section : report.sections()) {
      out.append("<section>\n");
      if (!section.title().isEmpty()) {
        out.append("<h2>").append(Markup.xml(section.title())).append("</h2>\n");
      }
      section.blocks().forEach(this::write);
      out.append("</section>\n");
    }
    out.append("<section>\n<h2>Where</h2>\n<dl>\n");
    for (Map.Entry<String, String> fact : report.machine().facts().entrySet()) {
      out.append("<dt>").append(fact.getKey()).append("</dt><dd>");
      out.append(Markup.xml(fact.getValue())).append("</dd>\n");
    }
    out.append("</dl>\n</section>\n</main>\n</body>\n</html>\n");
  }

  private void write(Block block) {
    if (block instanceof Paragraph paragraph) {
      out.append("<p>").append(Markup.xml(paragraph.text())).append("</p>\n");
    } else if (block instanceof Code code) {
      out.append("<pre>").append(Markup.xml(code.text().stripTrailing())).append("</pre>\n");
    } else if (block instanceof Chart chart) {
      out.append("<figure><img alt=\"")
          .append(Markup.xml(chart.title()))
          .append("\" src=\"data:image/png;base64,")
          .append(Base64.getEncoder().encodeToString(chart.png()))
          .append("\"/></figure>\n");
    } else if (block instanceof Table table) {
      write(table);
    }
  }

  private void write(Table table) {
    out.append("<div class=\"wide\">\n<table>\n");
    if (!table.title().isEmpty()) {
      out.append("<caption>").append(Markup.xml(table.title())).append("</caption>\n");
    }
    out.append("<thead><tr>");
    for (Table.Column column : table.columns()) {
      out.append("<th scope=\"col\"").append(alignment(column)).append('>');
      out.append(Markup.xml(column.head()));
      if (!column.unit().isEmpty()) {
        out.append("<small>").append(Markup.xml(column.unit())).append("</small>");
      }
      out.append("</th>");
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (int row = 0; row < table.rows().size(); row++) {
      out.append("<tr>");
      for (int column = 0; column < table.columns().size(); column++) {
        out.append("<td").append(alignment(table.columns().get(column))).append('>');
        out.append(Markup.xml(table.shown(row, column))).append("</td>");
      }
      out.append("</tr>\n");
    }
    out.append("</tbody>\n</table>\n</div>\n");
  }

  private static String alignment(Table.Column column) {
    return column.isNumber() ? " class=\"number\"" : "";
  }
}
