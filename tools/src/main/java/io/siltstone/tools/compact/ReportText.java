package io.siltstone.tools.compact;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.bench.report.JsonDocument;
import io.siltstone.compaction.CompactionRecord;
import io.siltstone.compaction.RunningCompaction;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.event.EngineListener.CompactionFailed;
import io.siltstone.event.EngineListener.CompactionStarted;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.FailureReporter;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.Units;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints the report of a compaction request. */
final class ReportText {
  private final Terminal terminal;
  private final OpenTable table;
  private final Set<String> indexed;
  private final Map<UUID, CompactionRecord> records = new HashMap<>();

  /**
   * @param indexed SSTables that had files of secondary indexes before
   */
  ReportText(
      Terminal terminal, OpenTable table, Set<String> indexed, List<CompactionRecord> history) {
    this.terminal = terminal;
    this.table = table;
    this.indexed = indexed;
    history.forEach(ended -> records.put(ended.job(), ended));
  }

  static String progress(RunningCompaction job) {
    return String.format(
        Locale.ROOT,
        "%s of %s: %s of %s read, %s/s%s",
        job.operation(),
        job.table(),
        Units.bytes(job.progress().bytesRead()),
        Units.bytes(job.progress().bytesTotal()),
        Units.bytes((long) job.bytesPerSecond()),
        job.remainingSeconds().isPresent()
            ? ", " + job.remainingSeconds().getAsLong() + " s to go"
            : "");
  }

  /** Returns the message for a failed job. */
  static String failure(CompactionFailed job) {
    return job.operation()
        + " "
        + names(job.inputs())
        + " failed: "
        + FailureReporter.describe(job.cause());
  }

  /**
   * Returns the message for a request that the user has interrupted.
   *
   * @param ended all jobs that have ended, including cancelled ones
   * @param isAltered whether the table's definition was changed before the first of them
   */
  static String interruption(List<CompactionRecord> ended, boolean isAltered) {
    return interruption(ended)
        + (isAltered ? "; the new compression stays in schema.cql, as after ALTER TABLE" : "");
  }

  private static String interruption(List<CompactionRecord> ended) {
    String done = jobs(ended, true);
    String undone = jobs(ended, false);
    if (done.isEmpty() && undone.isEmpty()) {
      return "interrupted before any SSTable was changed";
    }
    return "interrupted"
        + (undone.isEmpty() ? "" : ", undone: " + undone + "; their files are as they were")
        + (done.isEmpty() ? "" : (undone.isEmpty() ? ", done: " : "; done before: ") + done);
  }

  private static String jobs(List<CompactionRecord> ended, boolean isDone) {
    return ended.stream()
        .filter(job -> job.isDone() == isDone)
        .map(job -> job.operation() + " of " + names(job.inputs()))
        .collect(Collectors.joining("; "));
  }

  /**
   * Prints everything except failures, which are not results.
   *
   * @param isOfJobs whether the request is for jobs, so that none is worth a line
   */
  void print(CompactionReport report, boolean isOfJobs) {
    for (CompactionStarted job : report.planned()) {
      terminal.format(
          "planned: %s %s, %s", job.operation(), names(job.inputs()), Units.bytes(job.bytes()));
    }
    for (CompactionCompleted job : report.completed()) {
      printCompleted(job, reportOf(job.job()));
    }
    report.remarks().forEach(terminal::line);
    List<String> unindexed = unindexed(report);
    if (!unindexed.isEmpty()) {
      terminal.line(
          "the files of secondary indexes of "
              + String.join(", ", unindexed)
              + " are not rebuilt: a Cassandra node rebuilds the index when it loads the"
              + " new SSTables");
    }
    if (isOfJobs
        && report.planned().isEmpty()
        && report.completed().isEmpty()
        && report.failed().isEmpty()
        && table.damaged().isEmpty()) {
      terminal.line("nothing to do for " + table.id() + whyNothing());
    }
  }

  /**
   * Returns the inputs that lose their indexes. One that only changes its level keeps its files.
   */
  private List<String> unindexed(CompactionReport report) {
    Stream<Descriptor> planned = report.planned().stream().flatMap(job -> job.inputs().stream());
    Stream<Descriptor> completed =
        report.completed().stream()
            .flatMap(job -> job.inputs().stream().filter(each -> !job.outputs().contains(each)));
    return Stream.concat(planned, completed)
        .map(Descriptor::toString)
        .filter(indexed::contains)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Returns the reason why nothing was done. Without it, a wrong directory would look like a table
   * in good order.
   */
  private String whyNothing() {
    return table.live().tables().isEmpty() ? ", there are no SSTables in " + table.files() : "";
  }

  private void printCompleted(CompactionCompleted job, @Nullable JobReport what) {
    double seconds = Math.max(1, job.duration().toNanos()) / 1e9;
    long data = what == null ? job.totals().bytesRead() : what.read().dataBytes();
    terminal.format(
        "%s %s, %s -> %s, %s, in %.1f s, %s/s of data; %s, %s%s",
        job.operation(),
        names(job.inputs()),
        Units.bytes(job.totals().bytesRead()),
        job.outputs().isEmpty() ? "nothing" : names(job.outputs()),
        Units.bytes(job.totals().bytesWritten()),
        seconds,
        Units.bytes((long) (data / seconds)),
        CountText.of(job.totals().partitions(), "partition"),
        CountText.of(job.totals().rows(), "row"),
        table.schema().staticColumns().isEmpty() ? "" : " including static rows");
    if (what == null) {
      return;
    }
    JobReport.Purged purged = what.purge();
    if (purged.tombstones() + purged.keptForGrace() + purged.keptForOverlap() > 0) {
      terminal.format(
          "  tombstones: %d purged, %d kept for gc_grace_seconds, %d kept as they may shadow other"
              + " data",
          purged.tombstones(), purged.keptForGrace(), purged.keptForOverlap());
    }
    if (purged.notPurgeable() > 0) {
      terminal.format(
          "  tombstones: %d kept, as this operation purges none or an SSTable is not repaired",
          purged.notPurgeable());
    }
    if (!what.expired().isEmpty()) {
      terminal.format(
          "  dropped without being read, fully expired or below the retention floor: %s",
          names(what.expired()));
    }
  }

  private @Nullable JobReport reportOf(UUID job) {
    CompactionRecord ended = records.get(job);
    return ended == null ? null : ended.report();
  }

  private static String names(List<Descriptor> tables) {
    return tables.stream().map(Descriptor::toString).collect(Collectors.joining(", "));
  }

  void json(CompactionReport report) throws IOException {
    JsonDocument.write(terminal.out(), json -> write(json, report));
  }

  private void write(JsonGenerator json, CompactionReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", table.id().toString());
    json.writeArrayFieldStart("planned");
    for (CompactionStarted job : report.planned()) {
      json.writeStartObject();
      json.writeStringField("operation", job.operation());
      array(json, "inputs", job.inputs());
      json.writeNumberField("bytes", job.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("completed");
    for (CompactionCompleted job : report.completed()) {
      completed(json, job, reportOf(job.job()));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("failed");
    for (CompactionFailed job : report.failed()) {
      json.writeStartObject();
      json.writeStringField("operation", job.operation());
      array(json, "inputs", job.inputs());
      json.writeStringField("cause", FailureReporter.describe(job.cause()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("remarks");
    for (String remark : report.remarks()) {
      json.writeString(remark);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("indexes_dropped");
    for (String name : unindexed(report)) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void completed(
      JsonGenerator json, CompactionCompleted job, @Nullable JobReport what) throws IOException {
    json.writeStartObject();
    json.writeStringField("operation", job.operation());
    array(json, "inputs", job.inputs());
    array(json, "outputs", job.outputs());
    json.writeNumberField("bytes_read", job.totals().bytesRead());
    json.writeNumberField("bytes_written", job.totals().bytesWritten());
    json.writeNumberField("partitions", job.totals().partitions());
    json.writeNumberField("rows", job.totals().rows());
    json.writeNumberField("milliseconds", job.duration().toMillis());
    if (what != null) {
      json.writeArrayFieldStart("rows_merged");
      for (Long rows : what.rowsMerged()) {
        json.writeNumber(rows);
      }
      json.writeEndArray();
      json.writeNumberField("tombstones_purged", what.purge().tombstones());
      json.writeNumberField("tombstones_kept_for_grace", what.purge().keptForGrace());
      json.writeNumberField("tombstones_kept_for_overlap", what.purge().keptForOverlap());
      json.writeNumberField("tombstones_not_purgeable", what.purge().notPurgeable());
      array(json, "dropped_expired", what.expired());
    }
    json.writeEndObject();
  }

  private static void array(JsonGenerator json, String name, List<Descriptor> tables)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Descriptor each : tables) {
      json.writeString(each.toString());
    }
    json.writeEndArray();
  }
}
