package io.siltstone.compaction;

import io.siltstone.schema.TableId;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * How far a job is, at one moment.
 *
 * @param job identifies it among all jobs
 * @param operation as in the request, or the strategy's name
 * @param reason why it runs, one sentence
 * @param bytesTotal uncompressed bytes to be read; 0 before it has begun to read
 * @param bytesRead of them that have been read
 * @param bytesWritten uncompressed bytes that have been written
 * @param startedAt when it took its inputs
 * @param elapsed since then
 * @param isPaused whether it has been told to wait
 */
public record RunningCompaction(
    TableId table,
    UUID job,
    String operation,
    String reason,
    List<Descriptor> inputs,
    long bytesTotal,
    long bytesRead,
    long bytesWritten,
    Instant startedAt,
    Duration elapsed,
    boolean isPaused) {
  /** Copies the list. */
  public RunningCompaction {
    inputs = List.copyOf(inputs);
  }

  /** Uncompressed bytes read per second since the beginning; 0 at the very beginning. */
  public double bytesPerSecond() {
    double seconds = elapsed.toNanos() / 1e9;
    return seconds <= 0 ? 0 : bytesRead / seconds;
  }

  /** Seconds to go at the present rate; empty as long as nothing has been read. */
  public OptionalLong remainingSeconds() {
    double rate = bytesPerSecond();
    return rate <= 0
        ? OptionalLong.empty()
        : OptionalLong.of((long) Math.ceil(Math.max(0, bytesTotal - bytesRead) / rate));
  }
}
