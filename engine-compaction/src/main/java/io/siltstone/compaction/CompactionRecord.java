package io.siltstone.compaction;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that has ended. Immutable.
 *
 * @param table the table that was compacted
 * @param job the id of the job
 * @param operation the operation of the request, or the name of the strategy
 * @param reason why the job was begun, as a sentence
 * @param inputs the SSTables that the job was to replace
 * @param startedAt when it took its inputs
 * @param duration the time from then to its end
 * @param report what it has done; null if it failed or was cancelled
 * @param failure why it failed; null if it succeeded. If it failed, its inputs are unchanged
 */
public record CompactionRecord(
    TableId table,
    UUID job,
    String operation,
    String reason,
    List<Descriptor> inputs,
    Instant startedAt,
    Duration duration,
    @Nullable JobReport report,
    @Nullable Throwable failure) {
  /** Copies the list. */
  public CompactionRecord {
    inputs = List.copyOf(inputs);
  }

  /** Returns whether the job succeeded, so that its outputs have replaced its inputs. */
  public boolean isDone() {
    return report != null;
  }
}
