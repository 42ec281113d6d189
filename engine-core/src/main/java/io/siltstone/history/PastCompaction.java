package io.siltstone.history;

import io.siltstone.event.EngineListener.CompactionCompleted;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A compaction whose outputs have taken the place of its inputs. Immutable.
 *
 * <pre>
 *   {"id":"…","keyspace":"…","table":"…","operation":"…","compacted_at":"2026-11-21T10:15:30.123Z",
 *   "duration_ms":…,"sstables_in":…,"sstables_out":…,"bytes_in":…,"bytes_out":…,
 *   "partitions_out":…,"rows_out":…,"partitions_merged":[…]}
 * </pre>
 *
 * One line in the file, without spaces; names after those that are known are not looked at.
 *
 * @param id of the job
 * @param keyspace of the table
 * @param table its name
 * @param operation as in the request, or the strategy's name
 * @param compactedAt when it ended, in milliseconds
 * @param duration since it took its inputs, in milliseconds
 * @param sstablesIn how many inputs
 * @param sstablesOut how many outputs
 * @param bytesIn of the inputs' data files
 * @param bytesOut of the outputs' data files
 * @param partitionsOut in the outputs
 * @param rowsOut in the outputs
 * @param partitionsMerged how many partitions were read from one input, from two, and so on; empty
 *     if that is not known
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
  private static final String NUMBER = "(\\d{1,18})";
  private static final String TEXT = "\"([^\"\\\\]*)\"";
  private static final Pattern LINE =
      Pattern.compile(
          "\\{\"id\":\"([0-9a-f-]{36})\",\"keyspace\":"
              + TEXT
              + ",\"table\":"
              + TEXT
              + ",\"operation\":"
              + TEXT
              + ",\"compacted_at\":"
              + TEXT
              + ",\"duration_ms\":"
              + NUMBER
              + ",\"sstables_in\":(\\d{1,9}),\"sstables_out\":(\\d{1,9}),\"bytes_in\":"
              + NUMBER
              + ",\"bytes_out\":"
              + NUMBER
              + ",\"partitions_out\":"
              + NUMBER
              + ",\"rows_out\":"
              + NUMBER
              + ",\"partitions_merged\":\\[((?:\\d{1,18}(?:,\\d{1,18})*)?)\\](?:,.*)?\\}");

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

  /** Returns the line of a file, without its end. */
  String toLine() {
    return "{\"id\":\""
        + id
        + "\",\"keyspace\":"
        + quoted(keyspace)
        + ",\"table\":"
        + quoted(table)
        + ",\"operation\":"
        + quoted(operation)
        + ",\"compacted_at\":\""
        + compactedAt
        + "\",\"duration_ms\":"
        + duration.toMillis()
        + ",\"sstables_in\":"
        + sstablesIn
        + ",\"sstables_out\":"
        + sstablesOut
        + ",\"bytes_in\":"
        + bytesIn
        + ",\"bytes_out\":"
        + bytesOut
        + ",\"partitions_out\":"
        + partitionsOut
        + ",\"rows_out\":"
        + rowsOut
        + ",\"partitions_merged\":["
        + partitionsMerged.stream().map(String::valueOf).collect(Collectors.joining(","))
        + "]}";
  }

  /**
   * Names are letters, digits and underscores; what else there is would only make lines unreadable.
   */
  private static String quoted(String name) {
    return '"' + name.replaceAll("[\"\\\\\\p{Cntrl}]", "_") + '"';
  }

  /** Returns what a line tells; empty if it is none, as after a crash while it was written. */
  static Optional<PastCompaction> ofLine(String line) {
    Matcher part = LINE.matcher(line);
    if (!part.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new PastCompaction(
              UUID.fromString(part.group(1)),
              part.group(2),
              part.group(3),
              part.group(4),
              Instant.parse(part.group(5)),
              Duration.ofMillis(Long.parseLong(part.group(6))),
              Integer.parseInt(part.group(7)),
              Integer.parseInt(part.group(8)),
              Long.parseLong(part.group(9)),
              Long.parseLong(part.group(10)),
              Long.parseLong(part.group(11)),
              Long.parseLong(part.group(12)),
              part.group(13).isEmpty()
                  ? List.of()
                  : Arrays.stream(part.group(13).split(",", -1)).map(Long::valueOf).toList()));
    } catch (IllegalArgumentException | DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
