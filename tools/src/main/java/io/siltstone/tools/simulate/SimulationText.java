package io.siltstone.tools.simulate;

import io.siltstone.compaction.simulate.Measure;
import io.siltstone.compaction.simulate.SimulationResult;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.util.ArrayList;
import java.util.List;

/** Prints results of simulations as tables and sentences. */
final class SimulationText {
  private static final int MOST_GROUPS = 12;
  private static final List<String> OVER_TIME =
      List.of(
          "time",
          "ingested",
          "on disk",
          "tables",
          "write amp",
          "space amp",
          "tables/read",
          "most",
          "filters/read",
          "debt");
  private static final List<String> COMPARED =
      List.of(
          "strategy",
          "write amp",
          "space amp",
          "most on disk",
          "most tables",
          "tables/read",
          "filters/read",
          "most debt",
          "debt at end");

  private final Terminal terminal;

  SimulationText(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Prints the result of one strategy. */
  void print(String title, SimulationResult result) {
    terminal.line(title);
    List<List<String>> rows = new ArrayList<>();
    rows.add(OVER_TIME);
    result.measures().forEach(measure -> rows.add(row(Units.time(measure.seconds()), measure)));
    rows.add(row("at rest", result.atRest()));
    print(rows);
    terminal.line("  " + groups(result.atRest().groups()));
    terminal.line("  " + sentence(result));
    terminal.line("");
  }

  private static List<String> row(String time, Measure measure) {
    return List.of(
        time,
        Units.bytes(measure.bytes().ingested()),
        Units.bytes(measure.bytes().onDisk()),
        String.valueOf(measure.tables()),
        Units.ratio(measure.writeAmplification()),
        Units.ratio(measure.spaceAmplification()),
        Units.ratio(measure.reads().meanTables()),
        String.valueOf(measure.reads().maxTables()),
        Units.ratio(measure.reads().meanFilters()),
        Units.bytes(measure.bytes().debt()));
  }

  private static String groups(List<Measure.Group> groups) {
    List<String> words = new ArrayList<>();
    int from = Math.max(0, groups.size() - MOST_GROUPS);
    if (from > 0) {
      words.add(from + " more before");
    }
    groups
        .subList(from, groups.size())
        .forEach(
            group ->
                words.add(
                    group.name()
                        + ": "
                        + CountText.of(group.tables(), "table")
                        + ", "
                        + Units.bytes(group.onDiskBytes())));
    return words.isEmpty() ? "no tables" : String.join("; ", words);
  }

  private static String sentence(SimulationResult result) {
    Measure end = result.end();
    long late = result.atRest().seconds() - end.seconds();
    return Units.bytes(end.bytes().ingested())
        + " in "
        + Units.time(end.seconds())
        + ": each byte was written "
        + Units.ratio(end.writeAmplification())
        + " times and takes "
        + Units.ratio(end.spaceAmplification())
        + " of disk, at most "
        + Units.bytes(result.maxOnDiskBytes())
        + " in total; a read finds its row in "
        + Units.ratio(end.reads().meanTables())
        + " tables, at most "
        + end.reads().maxTables()
        + ", of "
        + Units.ratio(end.reads().meanFilters())
        + " whose filters it checks; "
        + (late <= end.seconds() / 100
            ? "compaction kept up."
            : "compaction fell behind by "
                + Units.bytes(end.bytes().debt() + end.bytes().running())
                + ", done "
                + Units.time(late)
                + " later.");
  }

  /** Compares several strategies after all data was written. */
  void compare(List<String> titles, List<SimulationResult> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(COMPARED);
    for (int i = 0; i < titles.size(); i++) {
      SimulationResult result = results.get(i);
      Measure end = result.end();
      rows.add(
          List.of(
              titles.get(i),
              Units.ratio(end.writeAmplification()),
              Units.ratio(end.spaceAmplification()),
              Units.bytes(result.maxOnDiskBytes()),
              String.valueOf(result.maxTables()),
              Units.ratio(end.reads().meanTables()),
              Units.ratio(end.reads().meanFilters()),
              Units.bytes(result.maxDebtBytes()),
              Units.bytes(end.bytes().debt())));
    }
    print(rows);
  }

  private void print(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append("  ").append(i == 0 ? row.get(i) + pad : pad + row.get(i));
      }
      terminal.line(line.toString());
    }
  }
}
