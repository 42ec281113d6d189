package io.siltstone.compaction;

import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The progress of a running job at one moment. Immutable.
 *
 * @param table the table that is compacted
 * @param job the id of the job, for {@link CompactionService#cancel}
 * @param operation the operation of the request, or the name of the strategy
 * @param reason why the job was begun, as a sentence
 * @param inputs the SSTables that the job reads and will replace
 * @param progress how much it has read and written
 * @param startedAt when it took its inputs
 * @param elapsed the time since then
 * @param isPaused whether it has been told to pause
 */
public record RunningCompaction(
    TableId table,
    UUID job,
    String operation,
    String reason,
    List<Descriptor> inputs,
    Progress progress,
    Instant startedAt,
    Duration elapsed,
    boolean isPaused) {
  /** Copies the list. */
  public RunningCompaction {
    inputs = List.copyOf(inputs);
  }

  /**
   * The progress of a job, in uncompressed bytes.
   *
   * @param bytesTotal the bytes that the job reads in all; 0 until it begins to read
   * @param bytesRead the bytes that it has read so far
   * @param bytesWritten the bytes that it has written so far
   */
  public record Progress(long bytesTotal, long bytesRead, long bytesWritten) {}

  /**
   * Returns the uncompressed bytes read per second since the job began; 0 if no time has passed.
   */
  public double bytesPerSecond() {
    double seconds = elapsed.toNanos() / 1e9;
    return seconds <= 0 ? 0 : progress.bytesRead() / seconds;
  }

  /**
   * Returns the time until the job is done if its rate stays the same; empty if nothing has been
   * read yet.
   */
  public OptionalLong remainingSeconds() {
    double rate = bytesPerSecond();
    return rate <= 0
        ? OptionalLong.empty()
        : OptionalLong.of(
            (long) Math.ceil(Math.max(0, progress.bytesTotal() - progress.bytesRead()) / rate));
  }
}
