package io.siltstone.history;

import io.siltstone.event.EngineListener.CompactionCompleted;
import io.siltstone.text.JsonLine;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A completed compaction, as a line of JSON in the compaction history. Immutable.
 *
 * <pre>
 *   {"id":"…","keyspace":"…","table":"…","operation":"…","compacted_at":"2026-11-21T10:15:30.123Z",
 *   "duration_ms":…,"sstables_in":…,"sstables_out":…,"bytes_in":…,"bytes_out":…,
 *   "partitions_out":…,"rows_out":…,"partitions_merged":[…]}
 * </pre>
 *
 * It is one line of the file; unknown members are ignored.
 *
 * @param id of the job
 * @param keyspace of the table
 * @param table its name
 * @param operation as in the request, or the strategy's name
 * @param compactedAt time of its end, in milliseconds
 * @param duration since it claimed its inputs, in milliseconds
 * @param sstablesIn number of inputs
 * @param sstablesOut number of outputs
 * @param bytesIn of the inputs' data files
 * @param bytesOut of the outputs' data files
 * @param partitionsOut in the outputs
 * @param rowsOut in the outputs
 * @param partitionsMerged how many partitions were read from one input, from two, and so on; empty
 *     if it is unknown
 */
public record PastCompaction(
    UUID id,
    String keyspace,
    String table,
    String operation,
    Instant compactedAt,
    Duration duration,
    int sstablesIn,
    int sstablesOut,
    long bytesIn,
    long bytesOut,
    long partitionsOut,
    long rowsOut,
    List<Long> partitionsMerged) {

  /** Copies the list, and cuts times to milliseconds. */
  public PastCompaction {
    partitionsMerged = List.copyOf(partitionsMerged);
    compactedAt = Instant.ofEpochMilli(compactedAt.toEpochMilli());
    duration = Duration.ofMillis(duration.toMillis());
  }

  static PastCompaction of(CompactionCompleted event, Instant now) {
    return new PastCompaction(
        event.job(),
        event.table().keyspace(),
        event.table().name(),
        event.operation(),
        now,
        event.duration(),
        event.inputs().size(),
        event.outputs().size(),
        event.bytesRead(),
        event.bytesWritten(),
        event.partitions(),
        event.rows(),
        event.partitionsMerged());
  }

  /** Returns the line of the file, without its end. */
  String toLine() {
    return JsonLine.builder()
        .put("id", id.toString())
        .put("keyspace", keyspace)
        .put("table", table)
        .put("operation", operation)
        .put("compacted_at", compactedAt.toString())
        .put("duration_ms", duration.toMillis())
        .put("sstables_in", sstablesIn)
        .put("sstables_out", sstablesOut)
        .put("bytes_in", bytesIn)
        .put("bytes_out", bytesOut)
        .put("partitions_out", partitionsOut)
        .put("rows_out", rowsOut)
        .put("partitions_merged", partitionsMerged)
        .build();
  }

  /** Parses a line of the file; empty if it is invalid, as after a crash while it was written. */
  static Optional<PastCompaction> ofLine(String text) {
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
              Math.toIntExact(line.number("sstables_in")),
              Math.toIntExact(line.number("sstables_out")),
              line.number("bytes_in"),
              line.number("bytes_out"),
              line.number("partitions_out"),
              line.number("rows_out"),
              line.numbers("partitions_merged")));
    } catch (IllegalArgumentException | ArithmeticException | DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
