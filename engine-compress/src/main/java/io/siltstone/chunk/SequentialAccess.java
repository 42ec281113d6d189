package io.siltstone.chunk;

import io.siltstone.files.ReadThrottle;
import io.siltstone.io.ReadIntent;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How a file is read from front to back. Immutable.
 *
 * @param intent {@link ReadIntent#SCAN} or {@link ReadIntent#COMPACTION}
 * @param readAheadBytes read from the file at a time, 0 or more; 0 to read each chunk for itself. A
 *     {@code SCAN} reads less at a time where little is left of the memory budget
 * @param throttle asked before each read of the file
 * @param ahead runs what is read and decompressed before it is asked for; null if all is done when
 *     it is asked for, by the thread that asks. Whatever the executor does (few threads, all of
 *     them busy, refusals, delays), what it has not begun is done by the thread that needs it. A
 *     {@code SCAN} does without it if it is short, or where little is left of the memory budget
 * @param isChecked whether the checksum of each chunk is compared, however seldom others who read
 *     the file have that done
 */
public record SequentialAccess(
    ReadIntent intent,
    int readAheadBytes,
    ReadThrottle throttle,
    @Nullable Executor ahead,
    boolean isChecked) {
  /**
   * What is read at a time by default: one request that a cloud volume counts as one, and moves as
   * fast as it can.
   */
  public static final int DEFAULT_READ_AHEAD_BYTES = 256 * 1024;

  /** For a reader who waits for it, by its own thread. */
  public static final SequentialAccess SCAN =
      new SequentialAccess(
          ReadIntent.SCAN, DEFAULT_READ_AHEAD_BYTES, ReadThrottle.NONE, null, false);

  /** For a merge in the background, by its own thread. */
  public static final SequentialAccess COMPACTION =
      new SequentialAccess(
          ReadIntent.COMPACTION, DEFAULT_READ_AHEAD_BYTES, ReadThrottle.NONE, null, false);

  /** Checks the values. */
  public SequentialAccess {
    Objects.requireNonNull(throttle, "throttle");
    if (intent != ReadIntent.SCAN && intent != ReadIntent.COMPACTION) {
      throw new IllegalArgumentException("read intent " + intent + ", allowed SCAN and COMPACTION");
    }
    if (readAheadBytes < 0) {
      throw new IllegalArgumentException(
          "read-ahead " + readAheadBytes + " bytes, allowed 0 and more");
    }
  }

  /** With another read-ahead. */
  public SequentialAccess withReadAheadBytes(int bytes) {
    return new SequentialAccess(intent, bytes, throttle, ahead, isChecked);
  }

  /** With another throttle. */
  public SequentialAccess withThrottle(ReadThrottle other) {
    return new SequentialAccess(intent, readAheadBytes, other, ahead, isChecked);
  }

  /** With another executor, or null for none. */
  public SequentialAccess withAhead(@Nullable Executor executor) {
    return new SequentialAccess(intent, readAheadBytes, throttle, executor, isChecked);
  }

  /** With the checksum of each chunk compared. */
  public SequentialAccess checked() {
    return new SequentialAccess(intent, readAheadBytes, throttle, ahead, true);
  }
}
