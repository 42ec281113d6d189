package io.siltstone.tools.inspect;

import io.siltstone.spi.LiveTable;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;

/** Prints the SSTables of a table as text. */
final class InspectText {
  private static final int BAR = 40;
  private static final double PERCENT = 100;

  private InspectText() {}

  static void print(SSTablesOverview of, Terminal terminal) {
    int count = of.files().size();
    terminal.format(
        "%s: %s, %s on disk, %s of data, %s",
        of.name(),
        CountText.of(count, "SSTable"),
        Units.bytes(of.onDiskBytes()),
        Units.bytes(of.dataBytes()),
        of.strategy());
    if (of.retentionFloor() != null) {
      terminal.line(
          "retention floor "
              + of.retentionFloor()
              + ": "
              + CountText.of(of.hidden(), "SSTable")
              + " below it as a whole");
    }
    if (count == 0) {
      return;
    }
    TokenCoverage coverage = of.coverage();
    terminal.format(
        "SSTables over a token: %.1f on average, %d at most; %.1f %% of the tokens covered",
        coverage.mean(), coverage.most(), PERCENT * coverage.covered());
    for (SSTablesOverview.Lane lane : of.lanes()) {
      terminal.format(
          "%n%s: %s, %s",
          lane.group().name(),
          CountText.of(lane.files().size(), "SSTable"),
          Units.bytes(lane.onDiskBytes()));
      terminal.format(
          "  %-14s |%-" + BAR + "s| %9s %6s %10s %10s %10s %8s",
          "SSTable",
          "tokens",
          "on disk",
          "ratio",
          "tombstones",
          "droppable",
          "age",
          "overlaps");
      for (SSTableFigures file : lane.files()) {
        LiveTable table = file.table();
        terminal.format(
            "  %-14s |%s| %9s %6.2f %8.1f %% %8.1f %% %10s %8d",
            file.name(),
            bar(file),
            Units.bytes(table.onDiskBytes()),
            file.ratio(),
            PERCENT * file.tombstones(),
            PERCENT * file.droppable(),
            age(of, table),
            file.overlaps());
      }
    }
  }

  static String age(SSTablesOverview of, LiveTable table) {
    return Units.time(Math.max(0, of.nowMillis() - table.writtenAt()) / 1000);
  }

  private static String bar(SSTableFigures file) {
    int from = (int) Math.min(BAR - 1, file.from() * BAR);
    int to = (int) Math.min(BAR - 1, file.to() * BAR);
    return " ".repeat(from) + "#".repeat(to - from + 1) + " ".repeat(BAR - 1 - to);
  }
}
