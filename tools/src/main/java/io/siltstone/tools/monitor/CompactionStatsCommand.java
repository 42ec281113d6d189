package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.jmx.CompactionJob;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code siltstone compactionstats}: prints running and pending compactions. */
@Command(
    name = "compactionstats",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the running and pending compactions of a process, named by --pid or --jmx,"
          + " in the form of nodetool compactionstats.",
      "For files, prints the compactions that the strategies of their tables would do, if"
          + " there is a schema.cql."
    })
public final class CompactionStatsCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;

  private final Terminal terminal;

  @Mixin private MonitorTargets places;

  @Option(
      names = {"-H", "--human-readable"},
      description = "Print sizes in KiB, MiB and so on.")
  private boolean isHuman;

  @Option(names = "--json", description = "Print one JSON document; sizes are bytes.")
  private boolean isJson;

  /** Prints to the terminal; SSTables are opened with the memory. */
  public CompactionStatsCommand(Terminal terminal, Supplier<MemoryBudget> memory) {
    this.terminal = terminal;
    this.places = new MonitorTargets(terminal, memory);
  }

  @Override
  public Integer call() throws IOException {
    return places.look(isJson ? this::printJson : this::printText);
  }

  private void printText(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    for (MonitoredDatabase each : all) {
      if (all.size() > 1) {
        terminal.line(each.place());
      }
      print(each);
    }
  }

  private void print(MonitoredDatabase each) throws IOException {
    List<TableMXBean> tables = places.tables(each);
    Optional<CompactionMXBean> compaction = each.compaction();
    TextColumns columns = new TextColumns(false);
    compaction.ifPresent(
        bean -> columns.add("concurrent compactors", "" + bean.getConcurrentCompactors()));
    printPending(columns, tables);
    if (each.process().isPresent()) {
      columns.add(
          "compactions completed",
          "" + tables.stream().mapToLong(TableMXBean::getCompactions).sum());
      columns.add(
          "compressed data compacted",
          bytes(tables.stream().mapToLong(TableMXBean::getCompactionBytesRead).sum()));
    }
    if (compaction.isPresent()) {
      long limit = compaction.get().getBytesPerSecond();
      columns.add(
          "compaction throughput (MiB/s)",
          limit == 0 ? "throttling disabled (0)" : String.format(Locale.ROOT, "%.1f", limit / MIB));
      if (compaction.get().isPaused()) {
        columns.add("paused", "all jobs wait until compaction is resumed");
      }
      printRunning(columns, compaction.get().getRunning());
    } else if (each.process().isPresent()) {
      columns.add("running", "not known: the process registered no compaction service");
    }
    columns.print(terminal);
  }

  private void printPending(TextColumns columns, List<TableMXBean> tables) {
    List<TableMXBean> known = tables.stream().filter(PendingCompactions::isKnown).toList();
    boolean isAnyKnown = tables.isEmpty() || !known.isEmpty();
    columns.add(
        "pending tasks",
        isAnyKnown
            ? "" + known.stream().mapToInt(TableMXBean::getPendingCompactions).sum()
            : "not known");
    for (TableMXBean table : tables) {
      Optional<String> whyUnknown = PendingCompactions.whyUnknown(table);
      if (whyUnknown.isPresent()) {
        columns.add(table.getKeyspace(), table.getName(), "not known: " + whyUnknown.get());
      } else if (table.getPendingCompactions() > 0) {
        columns.add(table.getKeyspace(), table.getName(), "" + table.getPendingCompactions());
      }
    }
    if (isAnyKnown) {
      columns.add(
          "bytes to compact",
          bytes(known.stream().mapToLong(TableMXBean::getCompactionDebtBytes).sum()));
    }
  }

  private void printRunning(TextColumns columns, List<CompactionJob> running) {
    if (running.isEmpty()) {
      return;
    }
    columns.add(
        "id", "compaction type", "keyspace", "table", "completed", "total", "unit", "progress");
    long left = 0;
    for (CompactionJob job : running) {
      columns.add(
          job.getId(),
          job.getOperation(),
          job.getKeyspace(),
          job.getTable(),
          bytes(job.getBytesRead()),
          bytes(job.getBytesTotal()),
          "bytes",
          progress(job));
      left =
          left < 0 || job.getRemainingMillis() < 0 ? -1 : Math.max(left, job.getRemainingMillis());
    }
    columns.add("active compaction remaining time", left < 0 ? "n/a" : Sizes.time(left));
  }

  static String progress(CompactionJob job) {
    return job.getBytesTotal() == 0
        ? "n/a"
        : String.format(Locale.ROOT, "%.2f%%", 100.0 * job.getBytesRead() / job.getBytesTotal());
  }

  private String bytes(long bytes) {
    return Sizes.bytes(bytes, isHuman);
  }

  private void printJson(List<MonitoredDatabase> all) throws IOException {
    places.requireTables(all);
    JsonDocument.writeObject(
        terminal.out(),
        json -> {
          json.writeArrayFieldStart("places");
          for (MonitoredDatabase each : all) {
            json.writeStartObject();
            json.writeStringField("place", each.place());
            write(json, places.tables(each));
            Optional<CompactionMXBean> compaction = each.compaction();
            if (compaction.isPresent()) {
              write(json, compaction.get());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void write(JsonGenerator json, List<TableMXBean> tables) throws IOException {
    json.writeArrayFieldStart("tables");
    for (TableMXBean table : tables) {
      json.writeStartObject();
      json.writeStringField("keyspace", table.getKeyspace());
      json.writeStringField("table", table.getName());
      if (PendingCompactions.isKnown(table)) {
        json.writeNumberField("pending_tasks", table.getPendingCompactions());
        json.writeNumberField("compaction_debt_bytes", table.getCompactionDebtBytes());
      }
      if (table.isOpen()) {
        json.writeNumberField("compactions_completed", table.getCompactions());
        json.writeNumberField("compaction_bytes_read", table.getCompactionBytesRead());
        json.writeNumberField("compaction_bytes_written", table.getCompactionBytesWritten());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes the limits and the running jobs of compaction as fields of the current object. */
  static void write(JsonGenerator json, CompactionMXBean compaction) throws IOException {
    json.writeNumberField("concurrent_compactors", compaction.getConcurrentCompactors());
    json.writeNumberField("compaction_throughput_bytes_per_second", compaction.getBytesPerSecond());
    json.writeBooleanField("paused", compaction.isPaused());
    json.writeArrayFieldStart("running");
    for (CompactionJob job : compaction.getRunning()) {
      json.writeStartObject();
      json.writeStringField("id", job.getId());
      json.writeStringField("compaction_type", job.getOperation());
      json.writeStringField("reason", job.getReason());
      json.writeStringField("keyspace", job.getKeyspace());
      json.writeStringField("table", job.getTable());
      json.writeNumberField("sstables", job.getSstables());
      json.writeNumberField("completed_bytes", job.getBytesRead());
      json.writeNumberField("total_bytes", job.getBytesTotal());
      json.writeNumberField("written_bytes", job.getBytesWritten());
      json.writeNumberField("elapsed_millis", job.getElapsedMillis());
      if (job.getRemainingMillis() >= 0) {
        json.writeNumberField("remaining_millis", job.getRemainingMillis());
      }
      json.writeBooleanField("paused", job.isPaused());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
