package io.siltstone.tools.monitor;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.jmx.DistributionFigures;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone tablehistograms}: prints distributions of latencies and sizes. */
@Command(
    name = "tablehistograms",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the distributions of read and write latencies, partition sizes and cell"
          + " counts of tables, in the form of nodetool tablehistograms.",
      "Latencies and SSTables per read are measured since a running process, named by"
          + " --pid or --jmx, opened the database; sizes and counts come from Statistics.db, so"
          + " they count each SSTable by itself."
    })
public final class TableHistogramsCommand implements Callable<Integer> {
  /** A row of the output. */
  private record Line(String name, ToDoubleFunction<DistributionFigures> of) {}

  private static final List<Line> LINES =
      List.of(
          new Line("50%", DistributionFigures::getMedian),
          new Line("75%", DistributionFigures::getPercentile75),
          new Line("95%", DistributionFigures::getPercentile95),
          new Line("98%", DistributionFigures::getPercentile98),
          new Line("99%", DistributionFigures::getPercentile99),
          new Line("Min", DistributionFigures::getMin),
          new Line("Max", DistributionFigures::getMax));

  private final Terminal terminal;

  @Mixin private MonitorTargets places;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  /**
   * Creates a command that prints to the terminal.
   *
   * @param memory budget that SSTables are opened with
   */
  public TableHistogramsCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
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
              json.writeStartObject();
              json.writeStringField("place", each.place());
              json.writeStringField("keyspace", table.getKeyspace());
              json.writeStringField("table", table.getName());
              for (Column column : columns(table)) {
                FiguresJson.distribution(json, column.field(), column.values());
              }
              json.writeEndObject();
            }
          }
          json.writeEndArray();
        });
  }

  /** A column of the output, with its unit and number format. */
  private record Column(
      String title, String unit, String form, String field, @Nullable DistributionFigures values) {}

  private static List<Column> columns(TableMXBean table) {
    List<Column> columns = new ArrayList<>();
    if (table.isOpen()) {
      columns.add(
          new Column(
              "Read Latency",
              "(micros)",
              "%18.2f",
              "read_latency_micros",
              table.getReadLatencyMicros()));
      columns.add(
          new Column(
              "Write Latency",
              "(micros)",
              "%18.2f",
              "write_latency_micros",
              table.getWriteLatencyMicros()));
      columns.add(
          new Column("SSTables", "", "%18.2f", "sstables_per_read", table.getSSTablesPerRead()));
    }
    columns.add(
        new Column(
            "Partition Size", "(bytes)", "%18.0f", "partition_bytes", table.getPartitionBytes()));
    columns.add(
        new Column(
            "Cell Count", "", "%18.0f", "cells_per_partition", table.getCellsPerPartition()));
    return columns;
  }

  private void printText(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    for (MonitoredDatabase each : all) {
      for (TableMXBean table : places.tables(each)) {
        print(table);
      }
    }
  }

  private void print(TableMXBean table) {
    terminal.format("%s/%s histograms", table.getKeyspace(), table.getName());
    List<Column> columns = columns(table);
    StringBuilder titles = new StringBuilder("Percentile");
    StringBuilder figures = new StringBuilder(" ".repeat(titles.length()));
    for (Column column : columns) {
      titles.append(String.format(Locale.ROOT, "%18s", column.title()));
      figures.append(String.format(Locale.ROOT, "%18s", column.unit()));
    }
    terminal.line(titles.toString());
    terminal.line(figures.toString().stripTrailing());
    for (Line line : LINES) {
      StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-10s", line.name()));
      for (Column column : columns) {
        DistributionFigures values = column.values();
        double value =
            values == null || values.getCount() == 0 ? Double.NaN : line.of().applyAsDouble(values);
        text.append(String.format(Locale.ROOT, column.form(), value));
      }
      terminal.line(text.toString());
    }
    terminal.line("");
  }
}
