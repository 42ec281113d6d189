package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.jmx.CacheFigures;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.jmx.TableMXBean;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints the state of a database in the form of {@code nodetool info}. */
final class DatabaseInfo {
  private static final double MIB = 1 << 20;

  private DatabaseInfo() {}

  static void print(Terminal terminal, List<MonitoredDatabase> all) throws IOException {
    for (MonitoredDatabase each : all) {
      print(terminal, each);
    }
  }

  private static void print(Terminal terminal, MonitoredDatabase monitoredDatabase)
      throws IOException {
    DatabaseMXBean database = monitoredDatabase.database().orElseThrow();
    List<TableMXBean> tables = monitoredDatabase.tables();
    line(terminal, "Path", monitoredDatabase.place());
    line(terminal, "Partitioner", database.getPartitioner());
    line(terminal, "Load", Sizes.bytes(tables.stream().mapToLong(TableMXBean::getLiveBytes).sum()));
    line(
        terminal,
        "Uncompressed load",
        Sizes.bytes(tables.stream().mapToLong(TableMXBean::getDataBytes).sum()));
    line(terminal, "Tables", "" + tables.size());
    line(terminal, "SSTables", "" + tables.stream().mapToInt(TableMXBean::getSSTableCount).sum());
    for (TableMXBean table : tables) {
      if (table.getRetentionFloor() != null) {
        line(terminal, "Retention floor", name(table) + ": " + table.getRetentionFloor());
      }
    }
    Optional<MonitoredDatabase.RunningProcess> process = monitoredDatabase.process();
    if (process.isPresent()) {
      printRunning(terminal, database, process.get());
    }
    terminal.line("");
  }

  private static String name(TableMXBean table) {
    return table.getKeyspace() + "." + table.getName();
  }

  private static void printRunning(
      Terminal terminal, DatabaseMXBean database, MonitoredDatabase.RunningProcess process) {
    MemoryUsage heap = process.memory().getHeapMemoryUsage();
    line(terminal, "Process", process.runtime().getName());
    line(terminal, "Uptime (seconds)", "" + process.runtime().getUptime() / 1000);
    line(terminal, "State", state(database));
    line(terminal, "Heap Memory (MB)", of(heap.getUsed(), heap.getMax()));
    line(
        terminal,
        "Off Heap Memory (MB)",
        of(database.getOffHeapBytes(), database.getOffHeapLimitBytes()));
    line(
        terminal,
        "Memtables (MB)",
        of(database.getMemtableBytes(), database.getMemtableLimitBytes()));
    line(terminal, "Commit Log", Sizes.bytes(database.getCommitLogBytes()));
    line(terminal, "Key Cache", text(database.getKeyCache()));
    line(terminal, "Chunk Cache", text(database.getChunkCache()));
    line(terminal, "Open handles", "" + database.getOpenHandles());
  }

  static String state(DatabaseMXBean database) {
    @Nullable String failure = database.getFailure();
    return failure != null
        ? "takes no more changes: " + failure
        : database.isReadOnly() ? "open for reading only" : "open";
  }

  private static String of(long bytes, long most) {
    return String.format(Locale.ROOT, "%.2f / %.2f", bytes / MIB, most / MIB);
  }

  private static String text(CacheFigures cache) {
    return cache.getCapacityBytes() == 0
        ? "off"
        : String.format(
            Locale.ROOT,
            "entries %d, size %s, capacity %s, %d hits, %d requests, %.3f hit rate",
            cache.getEntries(),
            Sizes.bytes(cache.getBytes()),
            Sizes.bytes(cache.getCapacityBytes()),
            cache.getHits(),
            cache.getHits() + cache.getMisses(),
            cache.getHitRate());
  }

  private static void line(Terminal terminal, String name, String value) {
    terminal.format("%-23s: %s", name, value);
  }

  static void write(JsonGenerator json, List<MonitoredDatabase> all) throws IOException {
    json.writeArrayFieldStart("databases");
    for (MonitoredDatabase each : all) {
      write(json, each);
    }
    json.writeEndArray();
  }

  static void write(JsonGenerator json, MonitoredDatabase monitoredDatabase) throws IOException {
    DatabaseMXBean database = monitoredDatabase.database().orElseThrow();
    List<TableMXBean> tables = monitoredDatabase.tables();
    json.writeStartObject();
    json.writeStringField("path", monitoredDatabase.place());
    json.writeStringField("partitioner", database.getPartitioner());
    json.writeNumberField("load", tables.stream().mapToLong(TableMXBean::getLiveBytes).sum());
    json.writeNumberField(
        "uncompressed_load", tables.stream().mapToLong(TableMXBean::getDataBytes).sum());
    json.writeNumberField("tables", tables.size());
    json.writeNumberField("sstables", tables.stream().mapToInt(TableMXBean::getSSTableCount).sum());
    json.writeObjectFieldStart("retention_floors");
    for (TableMXBean table : tables) {
      if (table.getRetentionFloor() != null) {
        json.writeStringField(name(table), table.getRetentionFloor());
      }
    }
    json.writeEndObject();
    Optional<MonitoredDatabase.RunningProcess> process = monitoredDatabase.process();
    if (process.isPresent()) {
      writeRunning(json, database, process.get());
    }
    json.writeEndObject();
  }

  /** Writes what is known only of an open database as fields of the current object. */
  static void writeRunning(
      JsonGenerator json, DatabaseMXBean database, MonitoredDatabase.RunningProcess process)
      throws IOException {
    MemoryUsage heap = process.memory().getHeapMemoryUsage();
    json.writeStringField("process", process.runtime().getName());
    json.writeNumberField("uptime_seconds", process.runtime().getUptime() / 1000);
    json.writeBooleanField("read_only", database.isReadOnly());
    @Nullable String failure = database.getFailure();
    if (failure != null) {
      json.writeStringField("failure", failure);
    }
    json.writeNumberField("heap_bytes", heap.getUsed());
    json.writeNumberField("heap_limit_bytes", heap.getMax());
    json.writeNumberField("off_heap_bytes", database.getOffHeapBytes());
    json.writeNumberField("off_heap_limit_bytes", database.getOffHeapLimitBytes());
    json.writeObjectFieldStart("off_heap_bytes_by_kind");
    for (Map.Entry<String, Long> each : database.getOffHeapBytesByKind().entrySet()) {
      json.writeNumberField(each.getKey().toLowerCase(Locale.ROOT), each.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("memtable_bytes", database.getMemtableBytes());
    json.writeNumberField("memtable_limit_bytes", database.getMemtableLimitBytes());
    json.writeNumberField("commit_log_bytes", database.getCommitLogBytes());
    FiguresJson.cache(json, "key_cache", database.getKeyCache());
    FiguresJson.cache(json, "chunk_cache", database.getChunkCache());
    json.writeNumberField("open_handles", database.getOpenHandles());
  }
}
