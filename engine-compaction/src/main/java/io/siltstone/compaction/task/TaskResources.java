package io.siltstone.compaction.task;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.files.ReadThrottle;
import io.siltstone.maintenance.OutputVerification;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The resources of compaction tasks: threads, memory, throughput and disk space, which tasks that
 * run at the same time share. Immutable, safe for all threads.
 *
 * @param subCompactions the greatest number of subcompactions, at least 1: token ranges that are
 *     merged in parallel. A job that makes a single SSTable is not divided
 * @param executors the executors that help the calling thread
 * @param outputVerification how thoroughly outputs are verified before they replace the inputs
 * @param readAheadBytes how many bytes of an input are read at a time, 0 to read each chunk by
 *     itself
 * @param throttle the throttle of what is read ({@code compaction_throughput})
 * @param reservations the reservations from which space for the outputs is taken
 */
public record TaskResources(
    int subCompactions,
    PipelineExecutors executors,
    OutputVerification outputVerification,
    int readAheadBytes,
    ReadThrottle throttle,
    DiskReservations reservations) {
  /** For all inputs together; enough for 32 inputs, as many as a strategy merges by default. */
  private static final long MAX_READ_AHEAD_BYTES = 32L << 20;

  /** Per input that executors read: one as stored, and three decompressed. */
  private static final int BUFFERS = 4;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming each value that is wrong, and what is allowed
   */
  public TaskResources {
    Objects.requireNonNull(executors, "executors");
    Objects.requireNonNull(outputVerification, "outputVerification");
    Objects.requireNonNull(throttle, "throttle");
    Objects.requireNonNull(reservations, "reservations");
    List<String> wrong = new ArrayList<>();
    if (subCompactions < 1) {
      wrong.add("subcompactions " + subCompactions + ", allowed 1 or more");
    }
    if (readAheadBytes < 0) {
      wrong.add("read-ahead " + readAheadBytes + " bytes, allowed 0 or more");
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", wrong));
    }
  }

  /** Returns resources of one thread: that of the caller, without a throttle. */
  public static TaskResources ofOneThread() {
    return new TaskResources(
        1,
        PipelineExecutors.NONE,
        OutputVerification.STRUCTURE,
        SequentialAccess.DEFAULT_READ_AHEAD_BYTES,
        ReadThrottle.NONE,
        new DiskReservations());
  }

  /**
   * Returns how a number of inputs are read at the same time. With very many inputs each reads less
   * ahead, so that memory is bounded. Inputs that read nothing ahead are also not decompressed
   * ahead, which takes batches of full size. A thread that waits for the throttle notices a
   * cancellation.
   */
  SequentialAccess access(SharedProgress shared, int inputs) {
    long share = MAX_READ_AHEAD_BYTES / inputs / (executors.work() == null ? 1 : BUFFERS);
    boolean hasRoom = readAheadBytes > 0 || share >= SequentialAccess.DEFAULT_READ_AHEAD_BYTES;
    return SequentialAccess.COMPACTION
        .withReadAheadBytes((int) Math.min(readAheadBytes, share))
        .withThrottle(
            bytes -> {
              shared.check();
              return throttle.acquire(bytes);
            })
        .withAhead(hasRoom ? executors.work() : null);
  }
}
