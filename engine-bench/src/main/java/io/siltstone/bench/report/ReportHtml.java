package io.siltstone.bench.report;

import java.util.Base64;

/** Formats a report as one HTML page. */
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

  private final HtmlWriter html = new HtmlWriter();

  private ReportHtml() {}

  static String of(Report report) {
    ReportHtml page = new ReportHtml();
    page.write(report);
    return page.html.toString();
  }

  private void write(Report report) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .raw("<title>")
        .text(report.title())
        .raw("</title>\n<style>\n")
        .raw(STYLE)
        .raw("</style>\n</head>\n<body>\n<main>\n<h1>")
        .text(report.title())
        .raw("</h1>\n");
    for (String caution : report.cautions()) {
      html.raw("<p><strong>Caution:</strong> ").text(caution).raw("</p>\n");
    }
    for (Section section : report.sections()) {
      html.raw("<section>\n");
      if (!section.title().isEmpty()) {
        html.raw("<h2>").text(section.title()).raw("</h2>\n");
      }
      section.blocks().forEach(this::write);
      html.raw("</section>\n");
    }
    html.raw("<section>\n<h2>Where</h2>\n<dl>\n");
    report
        .machine()
        .facts()
        .forEach(
            (name, value) ->
                html.raw("<dt>").text(name).raw("</dt><dd>").text(value).raw("</dd>\n"));
    html.raw("</dl>\n</section>\n</main>\n</body>\n</html>\n");
  }

  private void write(Block block) {
    if (block instanceof Paragraph paragraph) {
      html.raw("<p>").text(paragraph.text()).raw("</p>\n");
    } else if (block instanceof CodeBlock code) {
      html.raw("<pre>").text(code.text().stripTrailing()).raw("</pre>\n");
    } else if (block instanceof Chart chart) {
      html.raw("<figure><img alt=\"")
          .text(chart.title())
          .raw("\" src=\"data:image/png;base64,")
          .raw(Base64.getEncoder().encodeToString(chart.png()))
          .raw("\"/></figure>\n");
    } else if (block instanceof ReportTable table) {
      write(table);
    }
  }

  private void write(ReportTable table) {
    html.raw("<div class=\"wide\">\n<table>\n");
    if (!table.title().isEmpty()) {
      html.raw("<caption>").text(table.title()).raw("</caption>\n");
    }
    html.raw("<thead><tr>");
    for (ReportTable.Column column : table.columns()) {
      html.raw("<th scope=\"col\"").raw(alignment(column)).raw(">").text(column.head());
      if (!column.unit().isEmpty()) {
        html.raw("<small>").text(column.unit()).raw("</small>");
      }
      html.raw("</th>");
    }
    html.raw("</tr></thead>\n<tbody>\n");
    for (int row = 0; row < table.rows().size(); row++) {
      html.raw("<tr>");
      for (int column = 0; column < table.columns().size(); column++) {
        html.raw("<td").raw(alignment(table.columns().get(column))).raw(">");
        html.text(table.shown(row, column)).raw("</td>");
      }
      html.raw("</tr>\n");
    }
    html.raw("</tbody>\n</table>\n</div>\n");
  }

  private static String alignment(ReportTable.Column column) {
    return column.isNumber() ? " class=\"number\"" : "";
  }
}
