package io.siltstone.tools.simulate;

import io.siltstone.compaction.simulate.Measure;
import io.siltstone.compaction.simulate.SimulationResult;
import io.siltstone.tools.terminal.Figures;
import io.siltstone.tools.terminal.Terminal;
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
    result.measures().forEach(measure -> rows.add(row(Figures.time(measure.seconds()), measure)));
    rows.add(row("at rest", result.atRest()));
    print(rows);
    terminal.line("  " + groups(result.atRest().groups()));
    terminal.line("  " + sentence(result));
    terminal.line("");
  }

  private static List<String> row(String time, Measure measure) {
    return List.of(
        time,
        Figures.bytes(measure.bytes().ingested()),
        Figures.bytes(measure.bytes().onDisk()),
        String.valueOf(measure.tables()),
        Figures.ratio(measure.writeAmplification()),
        Figures.ratio(measure.spaceAmplification()),
        Figures.ratio(measure.reads().meanTables()),
        String.valueOf(measure.reads().maxTables()),
        Figures.ratio(measure.reads().meanFilters()),
        Figures.bytes(measure.bytes().debt()));
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
                        + group.tables()
                        + (group.tables() == 1 ? " table, " : " tables, ")
                        + Figures.bytes(group.onDiskBytes())));
    return words.isEmpty() ? "no tables" : String.join("; ", words);
  }

  private static String sentence(SimulationResult result) {
    Measure end = result.end();
    long late = result.atRest().seconds() - end.seconds();
    return Figures.bytes(end.bytes().ingested())
        + " in "
        + Figures.time(end.seconds())
        + ": each byte was written "
        + Figures.ratio(end.writeAmplification())
        + " times and takes "
        + Figures.ratio(end.spaceAmplification())
        + " of disk, at most "
        + Figures.bytes(result.maxOnDiskBytes())
        + " in total; a read finds its row in "
        + Figures.ratio(end.reads().meanTables())
        + " tables, at most "
        + end.reads().maxTables()
        + ", of "
        + Figures.ratio(end.reads().meanFilters())
        + " whose filters it checks; "
        + (late <= end.seconds() / 100
            ? "compaction kept up."
            : "compaction fell behind by "
                + Figures.bytes(end.bytes().debt() + end.bytes().running())
                + ", done "
                + Figures.time(late)
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
              Figures.ratio(end.writeAmplification()),
              Figures.ratio(end.spaceAmplification()),
              Figures.bytes(result.maxOnDiskBytes()),
              String.valueOf(result.maxTables()),
              Figures.ratio(end.reads().meanTables()),
              Figures.ratio(end.reads().meanFilters()),
              Figures.bytes(result.maxDebtBytes()),
              Figures.bytes(end.bytes().debt())));
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
