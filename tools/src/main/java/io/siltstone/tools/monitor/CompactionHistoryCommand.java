package io.siltstone.tools.monitor;

import io.siltstone.bench.report.JsonDocument;
import io.siltstone.jmx.CompactionEntry;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.UsageException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone compactionhistory}: prints completed compactions. */
@Command(
    name = "compactionhistory",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the completed compactions of a database, the last first, in the form of"
          + " nodetool compactionhistory; at least the last 5,000 are kept.",
      "As in Cassandra, rows_merged says how many partitions were merged from how many"
          + " SSTables."
    })
public final class CompactionHistoryCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private MonitorTargets places;

  @Option(
      names = {"-H", "--human-readable"},
      description = "Print sizes in KiB, MiB and so on.")
  private boolean isHuman;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Greatest number of entries, 1 or more (default: all).")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /** Prints to the terminal; SSTables are opened with the memory. */
  public CompactionHistoryCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.places = new MonitorTargets(terminal, memory);
  }

  @Override
  public Integer call() throws IOException {
    if (limit < 1) {
      throw new UsageException("--limit " + limit + ", allowed 1 or more");
    }
    return places.lookAtDatabases("only databases have a compaction history", this::print);
  }

  private void print(List<MonitoredDatabase> all) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (MonitoredDatabase each : all) {
      DatabaseMXBean database = each.database().orElseThrow();
      for (CompactionEntry entry : database.getCompactionHistory()) {
        if (places.isAsked(entry.getKeyspace(), entry.getTable())) {
          entries.add(new Entry(each.place(), entry));
        }
      }
    }
    if (entries.isEmpty()) {
      // The history of a dropped table may still exist.
      places.requireTables(all);
    }
    // The sort is stable: entries of the same millisecond keep their order in the file.
    Collections.reverse(entries);
    entries.sort(
        (left, right) ->
            Long.compare(
                right.entry().getCompactedAtMillis(), left.entry().getCompactedAtMillis()));
    List<Entry> shown = entries.subList(0, Math.min(limit, entries.size()));
    if (isJson) {
      printJson(shown);
    } else {
      printText(shown);
    }
  }

  private record Entry(String place, CompactionEntry entry) {}

  private void printText(List<Entry> entries) {
    terminal.line("Compaction History:");
    if (entries.isEmpty()) {
      terminal.line("There is no compaction history");
      return;
    }
    TextColumns columns = new TextColumns(false);
    columns.add(
        "id",
        "keyspace_name",
        "columnfamily_name",
        "compacted_at",
        "bytes_in",
        "bytes_out",
        "rows_merged",
        "compaction_properties");
    for (Entry each : entries) {
      CompactionEntry entry = each.entry();
      columns.add(
          entry.getId(),
          entry.getKeyspace(),
          entry.getTable(),
          at(entry),
          Sizes.bytes(entry.getBytesIn(), isHuman),
          Sizes.bytes(entry.getBytesOut(), isHuman),
          merged(entry.getPartitionsMerged()),
          String.format(
              Locale.ROOT,
              "{compaction_type: %s, sstables: %d -> %d, rows: %d, duration_ms: %d}",
              entry.getOperation(),
              entry.getSstablesIn(),
              entry.getSstablesOut(),
              entry.getRowsOut(),
              entry.getDurationMillis()));
    }
    columns.print(terminal);
  }

  private static String at(CompactionEntry entry) {
    return Instant.ofEpochMilli(entry.getCompactedAtMillis()).toString();
  }

  /** Formats counts as {@code {1:8, 2:2}}: eight partitions from one SSTable, two from two. */
  private static String merged(List<Long> counts) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) > 0) {
        parts.add(i + 1 + ":" + counts.get(i));
      }
    }
    return "{" + String.join(", ", parts) + "}";
  }

  private void printJson(List<Entry> entries) throws IOException {
    JsonDocument.writeObject(
        terminal.out(),
        json -> {
          json.writeArrayFieldStart("compactions");
          for (Entry each : entries) {
            CompactionEntry entry = each.entry();
            json.writeStartObject();
            json.writeStringField("place", each.place());
            json.writeStringField("id", entry.getId());
            json.writeStringField("keyspace_name", entry.getKeyspace());
            json.writeStringField("columnfamily_name", entry.getTable());
            json.writeStringField("compaction_type", entry.getOperation());
            json.writeStringField("compacted_at", at(entry));
            json.writeNumberField("duration_millis", entry.getDurationMillis());
            json.writeNumberField("sstables_in", entry.getSstablesIn());
            json.writeNumberField("sstables_out", entry.getSstablesOut());
            json.writeNumberField("bytes_in", entry.getBytesIn());
            json.writeNumberField("bytes_out", entry.getBytesOut());
            json.writeNumberField("partitions_out", entry.getPartitionsOut());
            json.writeNumberField("rows_out", entry.getRowsOut());
            json.writeArrayFieldStart("rows_merged");
            for (long count : entry.getPartitionsMerged()) {
              json.writeNumber(count);
            }
            json.writeEndArray();
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
