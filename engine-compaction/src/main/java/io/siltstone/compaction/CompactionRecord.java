package io.siltstone.compaction;

import io.siltstone.compaction.task.TaskReport;
import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job that has ended.
 *
 * @param operation as in the request, or the strategy's name
 * @param reason why it ran, one sentence
 * @param inputs that it was to replace
 * @param report what it has done; null if it failed
 * @param failure why it failed, null if it did not; then the inputs are still live
 */
public record CompactionRecord(
    TableId table,
    UUID job,
    String operation,
    String reason,
    List<Descriptor> inputs,
    Instant startedAt,
    Duration duration,
    @Nullable TaskReport report,
    @Nullable Throwable failure) {
  /** Copies the list. */
  public CompactionRecord {
    inputs = List.copyOf(inputs);
  }

  /** Whether its outputs have taken the place of its inputs. */
  public boolean isDone() {
    return report != null;
  }
}
