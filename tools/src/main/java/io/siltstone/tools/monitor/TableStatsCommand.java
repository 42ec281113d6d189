package io.siltstone.tools.monitor;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone tablestats}: prints statistics of tables. */
@Command(
    name = "tablestats",
    mixinStandardHelpOptions = true,
    description = {
      "Prints statistics of tables in the form of nodetool tablestats.",
      "For a running process, named by --pid or --jmx, also prints the reads and writes"
          + " since it opened the database.",
      "Sizes are bytes."
    })
public final class TableStatsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private MonitorTargets places;

  @Option(
      names = {"-H", "--human-readable"},
      description = "Print sizes in KiB, MiB and so on.")
  private boolean isHuman;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory budget that SSTables are opened with
   */
  public TableStatsCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.places = new MonitorTargets(terminal, memory);
  }

  @Override
  public Integer call() throws IOException {
    return places.look(isJson ? this::printJson : this::printText);
  }

  private void printJson(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    JsonDocument.writeObject(
        terminal.out(),
        json -> {
          json.writeArrayFieldStart("tables");
          for (MonitoredDatabase each : all) {
            for (TableMXBean table : places.tables(each)) {
              TableJson.write(json, each.place(), table);
            }
          }
          json.writeEndArray();
        });
  }

  private void printText(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    TableStatsText text = new TableStatsText(terminal, isHuman);
    for (MonitoredDatabase each : all) {
      Map<String, List<TableMXBean>> keyspaces = new TreeMap<>();
      for (TableMXBean table : places.tables(each)) {
        keyspaces.computeIfAbsent(table.getKeyspace(), name -> new ArrayList<>()).add(table);
      }
      if (all.size() > 1) {
        terminal.line(each.place());
      }
      terminal.line(
          "Total number of tables: " + keyspaces.values().stream().mapToInt(List::size).sum());
      terminal.line("----------------");
      keyspaces.forEach(text::print);
    }
  }
}
