package io.siltstone.history;

import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.maintenance.PastCompaction;
import io.siltstone.text.JsonLine;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.UUID;

/**
 * A line of the compaction history: a completed compaction as JSON. Unknown members are ignored.
 *
 * <pre>
 *   {"id":"…","keyspace":"…","table":"…","operation":"…","compacted_at":"2026-11-21T10:15:30.123Z",
 *   "duration_ms":…,"sstables_in":…,"sstables_out":…,"bytes_in":…,"bytes_out":…,
 *   "partitions_out":…,"rows_out":…,"partitions_merged":[…]}
 * </pre>
 */
final class HistoryLine {
  private HistoryLine() {}

  /** Returns what the history keeps of a compaction that completed. */
  static PastCompaction of(CompactionCompleted event, Instant now) {
    CompactionCompleted.Totals totals = event.totals();
    return new PastCompaction(
        event.job(),
        event.table().keyspace(),
        event.table().name(),
        event.operation(),
        now,
        event.duration(),
        new PastCompaction.Inputs(event.inputs().size(), totals.bytesRead()),
        new PastCompaction.Outputs(
            event.outputs().size(), totals.bytesWritten(), totals.partitions(), totals.rows()),
        totals.partitionsMerged());
  }

  /** Returns the line of the file, without its end. */
  static String format(PastCompaction compaction) {
    return JsonLine.builder()
        .put("id", compaction.id().toString())
        .put("keyspace", compaction.keyspace())
        .put("table", compaction.table())
        .put("operation", compaction.operation())
        .put("compacted_at", compaction.compactedAt().toString())
        .put("duration_ms", compaction.duration().toMillis())
        .put("sstables_in", compaction.inputs().sstables())
        .put("sstables_out", compaction.outputs().sstables())
        .put("bytes_in", compaction.inputs().bytes())
        .put("bytes_out", compaction.outputs().bytes())
        .put("partitions_out", compaction.outputs().partitions())
        .put("rows_out", compaction.outputs().rows())
        .put("partitions_merged", compaction.partitionsMerged())
        .build();
  }

  /** Parses a line of the file; empty if it is invalid, as after a crash while it was written. */
  static Optional<PastCompaction> parse(String text) {
    try {
      JsonLine line = JsonLine.parse(text);
      return Optional.of(
          new PastCompaction(
              UUID.fromString(line.string("id")),
              line.string("keyspace"),
              line.string("table"),
              line.string("operation"),
              Instant.parse(line.string("compacted_at")),
              Duration.ofMillis(line.number("duration_ms")),
              new PastCompaction.Inputs(
                  Math.toIntExact(line.number("sstables_in")), line.number("bytes_in")),
              new PastCompaction.Outputs(
                  Math.toIntExact(line.number("sstables_out")),
                  line.number("bytes_out"),
                  line.number("partitions_out"),
                  line.number("rows_out")),
              line.numbers("partitions_merged")));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
