package io.siltstone.tools.monitor;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.jmx.CompactionJob;
import io.siltstone.jmx.CompactionMXBean;
import io.siltstone.jmx.DatabaseMXBean;
import io.siltstone.tools.monitor.TopSample.Latencies;
import io.siltstone.tools.monitor.TopSample.TableSample;
import java.io.IOException;
import java.lang.management.MemoryUsage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The output of {@code top} for one database: the present sample, and rates since the previous one.
 */
final class TopView {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String UNKNOWN = "-";

  private final MonitoredDatabase monitoredDatabase;
  private final TopSample before;
  private final TopSample now;
  private final double seconds;

  /**
   * @param before the previous sample, or {@code now} if there is none, in which case there are no
   *     rates
   */
  TopView(MonitoredDatabase monitoredDatabase, TopSample before, TopSample now) {
    this.monitoredDatabase = monitoredDatabase;
    this.before = before;
    this.now = now;
    this.seconds = (now.nanos() - before.nanos()) / NANOS_PER_SECOND;
  }

  private boolean isFirst() {
    return seconds <= 0;
  }

  /** Returns the growth of a counter per second; 0 for a table that was created again. */
  private double rate(long was, long is) {
    return Math.max(0, is - was) / seconds;
  }

  private String rateText(long was, long is) {
    return isFirst() ? "-" : number(rate(was, is));
  }

  private String bytesText(long was, long is) {
    return isFirst() ? "-" : Sizes.perSecond(rate(was, is));
  }

  private TableSample before(String table, TableSample present) {
    return before.tables().getOrDefault(table, present);
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Optional<MonitoredDatabase.RunningProcess> process = monitoredDatabase.process();
    lines.add(
        monitoredDatabase.place()
            + process
                .map(
                    of ->
                        ", "
                            + of.runtime().getName()
                            + ", up "
                            + Sizes.time(of.runtime().getUptime()))
                .orElse("")
            + ", "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS));
    if (process.isPresent()) {
      addDatabase(lines, monitoredDatabase.database().orElseThrow(), process.get());
    }
    lines.add("");
    lines.addAll(process.isPresent() ? running() : stored());
    monitoredDatabase.compaction().ifPresent(bean -> addJobs(lines, bean));
    return lines;
  }

  private void addDatabase(
      List<String> lines, DatabaseMXBean database, MonitoredDatabase.RunningProcess process) {
    MemoryUsage heap = process.memory().getHeapMemoryUsage();
    lines.add(
        "heap "
            + of(heap.getUsed(), heap.getMax())
            + ", off heap "
            + of(database.getOffHeapBytes(), database.getOffHeapLimitBytes())
            + ", memtables "
            + of(database.getMemtableBytes(), database.getMemtableLimitBytes())
            + ", commit log "
            + Sizes.bytes(database.getCommitLogBytes()));
    TopSample.Caches was = before.caches();
    TopSample.Caches is = now.caches();
    lines.add(
        "chunk cache "
            + hits(is.chunkHits() - was.chunkHits(), is.chunkMisses() - was.chunkMisses())
            + ", key cache "
            + hits(is.keyHits() - was.keyHits(), is.keyMisses() - was.keyMisses())
            + ", open handles "
            + database.getOpenHandles()
            + ", "
            + DatabaseInfo.state(database));
  }

  private static String of(long bytes, long most) {
    return Sizes.bytes(bytes) + " of " + Sizes.bytes(most);
  }

  private String hits(long hits, long misses) {
    return hits + misses <= 0 || isFirst()
        ? "-"
        : String.format(
            Locale.ROOT,
            "%.1f %% of %.0f/s",
            100.0 * hits / (hits + misses),
            (hits + misses) / seconds);
  }

  private List<String> running() {
    TextColumns columns = new TextColumns(true);
    columns.add(
        "TABLE",
        "READS/S",
        "µs",
        "p99 µs",
        "SSTABLES/READ",
        "WRITES/S",
        "µs",
        "p99 µs",
        "FLUSHED",
        "COMPACTED",
        "SSTABLES",
        "SIZE",
        "RUNNING",
        "PENDING",
        "DEBT");
    for (Map.Entry<String, TableSample> each : now.tables().entrySet()) {
      TableSample is = each.getValue();
      TableSample was = before(each.getKey(), is);
      columns.add(
          each.getKey(),
          rateText(was.reads().count(), is.reads().count()),
          mean(was.reads(), is.reads()),
          number(is.reads().p99Micros()),
          String.format(Locale.ROOT, "%.1f", is.sstablesPerRead()),
          rateText(was.mutations(), is.mutations()),
          mean(was.writes(), is.writes()),
          number(is.writes().p99Micros()),
          bytesText(was.storage().flushedBytes(), is.storage().flushedBytes()),
          bytesText(was.storage().compactedBytes(), is.storage().compactedBytes()),
          "" + is.storage().sstables(),
          Sizes.bytes(is.storage().bytes()),
          "" + is.backlog().running(),
          pending(is),
          debt(is));
    }
    return columns.lines();
  }

  private List<String> stored() {
    TextColumns columns = new TextColumns(true);
    columns.add("TABLE", "SSTABLES", "SIZE", "GROWTH", "PENDING", "DEBT");
    for (Map.Entry<String, TableSample> each : now.tables().entrySet()) {
      TableSample is = each.getValue();
      TableSample was = before(each.getKey(), is);
      columns.add(
          each.getKey(),
          "" + is.storage().sstables(),
          Sizes.bytes(is.storage().bytes()),
          isFirst()
              ? "-"
              : Sizes.perSecond((is.storage().bytes() - was.storage().bytes()) / seconds),
          pending(is),
          debt(is));
    }
    return columns.lines();
  }

  private static String pending(TableSample of) {
    return of.backlog().isKnown() ? "" + of.backlog().pending() : UNKNOWN;
  }

  private static String debt(TableSample of) {
    return of.backlog().isKnown() ? Sizes.bytes(of.backlog().debtBytes()) : UNKNOWN;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static double meanOf(Latencies was, Latencies is) {
    return is.count() <= was.count()
        ? 0
        : (is.sumMicros() - was.sumMicros()) / (is.count() - was.count());
  }

  private static String mean(Latencies was, Latencies is) {
    return is.count() <= was.count()
        ? UNKNOWN
        : String.format(Locale.ROOT, "%.1f", meanOf(was, is));
  }

  private static void addJobs(List<String> lines, CompactionMXBean compaction) {
    List<CompactionJob> running = compaction.getRunning();
    lines.add("");
    lines.add(
        "compactions running: "
            + running.size()
            + " of at most "
            + compaction.getConcurrentCompactors()
            + ", throughput "
            + (compaction.getBytesPerSecond() == 0
                ? "not limited"
                : "at most " + Sizes.bytes(compaction.getBytesPerSecond()) + "/s")
            + (compaction.isPaused() ? ", paused" : ""));
    for (CompactionJob job : running) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s of %s.%s: %s of %s, %s%s",
              job.getOperation(),
              job.getKeyspace(),
              job.getTable(),
              CompactionStatsCommand.progress(job),
              Sizes.bytes(job.getBytesTotal()),
              Sizes.perSecond(job.getBytesRead() * 1000.0 / Math.max(1, job.getElapsedMillis())),
              job.getRemainingMillis() < 0
                  ? ""
                  : ", " + Sizes.time(job.getRemainingMillis()) + " to go"));
    }
  }

  void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("place", monitoredDatabase.place());
    json.writeStringField("time", Instant.now().toString());
    json.writeNumberField("interval_seconds", seconds);
    Optional<MonitoredDatabase.RunningProcess> process = monitoredDatabase.process();
    if (process.isPresent()) {
      DatabaseInfo.writeRunning(json, monitoredDatabase.database().orElseThrow(), process.get());
    }
    json.writeArrayFieldStart("tables");
    for (Map.Entry<String, TableSample> each : now.tables().entrySet()) {
      TableSample is = each.getValue();
      TableSample was = before(each.getKey(), is);
      json.writeStartObject();
      json.writeStringField("table", each.getKey());
      if (is.isOpen()) {
        json.writeNumberField("read_p99_micros", is.reads().p99Micros());
        json.writeNumberField("write_p99_micros", is.writes().p99Micros());
        json.writeNumberField("sstables_per_read", is.sstablesPerRead());
        json.writeNumberField("running_compactions", is.backlog().running());
        if (!isFirst()) {
          writeRates(json, was, is);
        }
      }
      json.writeNumberField("sstable_count", is.storage().sstables());
      json.writeNumberField("space_used_live", is.storage().bytes());
      if (is.backlog().isKnown()) {
        json.writeNumberField("pending_compactions", is.backlog().pending());
        json.writeNumberField("compaction_debt_bytes", is.backlog().debtBytes());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    Optional<CompactionMXBean> compaction = monitoredDatabase.compaction();
    if (compaction.isPresent()) {
      CompactionStatsCommand.write(json, compaction.get());
    }
    json.writeEndObject();
  }

  private void writeRates(JsonGenerator json, TableSample was, TableSample is) throws IOException {
    json.writeNumberField("reads_per_second", rate(was.reads().count(), is.reads().count()));
    json.writeNumberField("read_micros", meanOf(was.reads(), is.reads()));
    json.writeNumberField("writes_per_second", rate(was.mutations(), is.mutations()));
    json.writeNumberField("write_micros", meanOf(was.writes(), is.writes()));
    json.writeNumberField(
        "flushed_bytes_per_second",
        rate(was.storage().flushedBytes(), is.storage().flushedBytes()));
    json.writeNumberField(
        "compacted_bytes_per_second",
        rate(was.storage().compactedBytes(), is.storage().compactedBytes()));
  }
}
