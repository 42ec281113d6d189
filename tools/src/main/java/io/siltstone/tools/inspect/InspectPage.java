package io.siltstone.tools.inspect;

import io.siltstone.bench.report.HtmlWriter;
import io.siltstone.spi.LiveTable;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes the SSTables of a table as a self-contained page: no other file, no network, and no script
 * except to sort its table.
 */
final class InspectPage {
  private static final double PERCENT = 100;
  private static final long MICROS = 1_000_000;

  private final SSTablesOverview of;
  private final HtmlWriter html = new HtmlWriter();

  private InspectPage(SSTablesOverview of) {
    this.of = of;
  }

  /**
   * Returns the page.
   *
   * @param damaged a line for each SSTable that was skipped
   */
  static String of(SSTablesOverview of, List<String> damaged) throws IOException {
    InspectPage page = new InspectPage(of);
    page.write(damaged);
    return page.html.toString();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(InspectPage.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void write(List<String> damaged) throws IOException {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
        .text(of.name() + ": SSTables")
        .raw("</title><style>\n")
        .raw(resource("inspect.css"))
        .raw("</style></head><body><h1>")
        .text(of.name())
        .raw("</h1><p>")
        .text(of.strategy() + ", gc_grace_seconds " + of.schema().options().gcGraceSeconds())
        .text(", " + TimeFormat.ofSeconds(of.nowMillis() / 1000))
        .raw("</p>");
    for (String line : damaged) {
      html.raw("<p class=\"damage\">").text(line).raw("</p>");
    }
    tiles();
    if (of.files().isEmpty()) {
      html.raw("<section><p>The table has no SSTables.</p></section>");
    } else {
      charts();
      files();
    }
    html.raw("<footer>siltstone inspect</footer><script>\n")
        .raw(resource("inspect.js"))
        .raw("</script></body></html>\n");
  }

  private void tiles() {
    html.raw("<dl class=\"tiles\">");
    tile("SSTables", Integer.toString(of.files().size()));
    tile("On disk", Units.bytes(of.onDiskBytes()));
    tile(
        "Compressed to",
        of.dataBytes() == 0 ? "-" : percent((double) of.onDiskBytes() / of.dataBytes()));
    tile(
        "SSTables over a token",
        String.format(Locale.ROOT, "%.1f, at most %d", of.coverage().mean(), of.coverage().most()));
    double cells = of.files().stream().mapToDouble(each -> each.table().cells()).sum();
    double dead =
        of.files().stream().mapToDouble(each -> each.tombstones() * each.table().cells()).sum();
    tile("Tombstones and expired", cells == 0 ? "-" : percent(dead / cells));
    if (of.retentionFloor() != null) {
      tile("Retention floor", of.retentionFloor());
      tile("SSTables below it as a whole", Long.toString(of.hidden()));
    }
    html.raw("</dl>");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
  }

  private void tile(String name, String value) {
    html.raw("<div><dt>").text(name).raw("</dt><dd>").text(value).raw("</dd></div>");
  }

  private void charts() {
    InspectCharts charts = new InspectCharts(of, html);
    html.raw("<section><h2>Over the range of tokens</h2>")
        .raw("<p>Each bar is an SSTable, from its first token to its last, in the ")
        .text(groups())
        .raw(" of the compaction strategy. The color is the share of its cells that are")
        .raw(" tombstones or have expired.</p>");
    legend();
    html.raw("<div class=\"plot\">");
    charts.tokens();
    html.raw("</div></section><section><h2>SSTables that cover each token</h2>")
        .raw(
            "<p>A read of a key checks this many bloom filters, and reads the SSTables whose"
                + " filter matches")
        .raw(".</p><div class=\"plot\">");
    charts.coverage();
    html.raw("</div></section><section><h2>Size by age</h2>")
        .raw("<p>When the SSTable was written, which for the output of a compaction is later than")
        .raw(" its data. Both scales are logarithmic.</p><div class=\"plot\">");
    charts.ages();
    html.raw("</div></section>");
  }

  private String groups() {
    return switch (of.strategy()) {
      case "LeveledCompactionStrategy", "UnifiedCompactionStrategy" -> "level";
      case "TimeWindowCompactionStrategy" -> "time window";
      default -> "range of sizes";
    };
  }

  private void legend() {
    String[] names = {"none", "to 5 %", "to 20 %", "to 50 %", "more"};
    html.raw("<ul class=\"legend\"><li>tombstones and expired:</li>");
    for (int i = 0; i < names.length; i++) {
      html.format("<li><i class=\"t%d\"></i>%s</li>", i, names[i]);
    }
    html.raw("</ul>");
  }

  private void files() {
    html.raw("<section><h2>Files</h2><div class=\"scroll\"><table id=\"files\"><thead><tr>");
    for (String name :
        List.of(
            "SSTable",
            "Group",
            "On disk",
            "Compressed to",
            "Partitions",
            "Rows",
            "Tombstones",
            "Droppable",
            "Age",
            "Overlaps",
            "Oldest write",
            "Newest write",
            "Repaired",
            "First token",
            "Last token")) {
      html.format("<th scope=\"col\"%s>", name.equals("Group") ? " class=\"text\"" : "")
          .text(name)
          .raw("</th>");
    }
    html.raw("</tr></thead><tbody>\n");
    of.files().forEach(this::row);
    html.raw("</tbody></table></div></section>");
  }

  private void row(SSTableFigures file) {
    LiveTable table = file.table();
    html.raw("<tr data-f=\"")
        .text(file.name())
        .raw("\"><td>")
        .text(file.name())
        .format("</td><td class=\"text\" data-v=\"%d\">", file.group().order())
        .text(file.group().name())
        .raw("</td>");
    cell(table.onDiskBytes(), Units.bytes(table.onDiskBytes()));
    cell(file.ratio(), percent(file.ratio()));
    cell(table.partitions(), Long.toString(table.partitions()));
    cell(table.rows(), Long.toString(table.rows()));
    cell(file.tombstones(), percent(file.tombstones()));
    cell(file.droppable(), percent(file.droppable()));
    cell(of.nowMillis() - table.writtenAt(), InspectText.age(of, table));
    cell(file.overlaps(), Integer.toString(file.overlaps()));
    cell(table.minTimestamp(), TimeFormat.ofSeconds(table.minTimestamp() / MICROS));
    cell(table.maxTimestamp(), TimeFormat.ofSeconds(table.maxTimestamp() / MICROS));
    long repairedAt = table.repair().repairedAt();
    cell(repairedAt, table.repair().isRepaired() ? TimeFormat.ofSeconds(repairedAt / 1000) : "no");
    cell(table.firstKey().token(), Long.toString(table.firstKey().token()));
    cell(table.lastKey().token(), Long.toString(table.lastKey().token()));
    html.raw("</tr>\n");
  }

  private void cell(Number value, String text) {
    html.format("<td data-v=\"%s\">", value).text(text).raw("</td>");
  }
}
