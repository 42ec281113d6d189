package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;

/** The section of a report that compares published figures with the measured ones. */
final class Comparison {
  private final ReportTable.Builder table;
  private final String source;

  /**
   * Begins the section.
   *
   * @param source who published the figures, and for what
   */
  Comparison(String source) {
    this.source = source;
    table =
        ReportTable.builder("")
            .text("figure", "figure")
            .text("published", "published")
            .text("measured", "here");
  }

  Comparison row(String figure, String published, String here) {
    table.row(figure, published, here);
    return this;
  }

  void addTo(Report.Builder report) {
    report.section("Beside the published figures").text(source).add(table.build());
  }
}
