package io.siltstone.chunk;

import io.siltstone.files.ReadThrottle;
import io.siltstone.io.ReadIntent;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a read from front to back: intent, read-ahead, throttle. Immutable.
 *
 * @param intent {@link ReadIntent#SCAN} or {@link ReadIntent#COMPACTION}
 * @param readAheadBytes read from the file at a time, 0 or more; 0 to read each chunk by itself. A
 *     {@code SCAN} reads less at a time when the memory budget is nearly exhausted
 * @param throttle limits the rate; called before each read of the file
 * @param ahead runs prefetching, which reads and decompresses chunks before they are requested;
 *     null if the reading thread does so on request. The reading thread does all work that the
 *     executor has not begun, even if the executor is busy, slow or refuses tasks. A {@code SCAN}
 *     does not prefetch if it is short, or if the memory budget is nearly exhausted
 * @param isChecked whether the checksum of each chunk is compared, even if other readers of the
 *     file compare only some
 * @param isForSalvage whether a read that fails is {@linkplain io.siltstone.files.RepeatedReads
 *     repeated}
 */
public record SequentialAccess(
    ReadIntent intent,
    int readAheadBytes,
    ReadThrottle throttle,
    @Nullable Executor ahead,
    boolean isChecked,
    boolean isForSalvage) {
  /**
   * The default read-ahead: a single request to a cloud volume, which transfers that much at full
   * speed.
   */
  public static final int DEFAULT_READ_AHEAD_BYTES = 256 * 1024;

  /** Access for a scan whose caller waits for it, without prefetching. */
  public static final SequentialAccess SCAN =
      new SequentialAccess(
          ReadIntent.SCAN, DEFAULT_READ_AHEAD_BYTES, ReadThrottle.NONE, null, false, false);

  /** Access for a merge in the background, without prefetching. */
  public static final SequentialAccess COMPACTION =
      new SequentialAccess(
          ReadIntent.COMPACTION, DEFAULT_READ_AHEAD_BYTES, ReadThrottle.NONE, null, false, false);

  /** Checks the values. */
  public SequentialAccess {
    Objects.requireNonNull(throttle, "throttle");
    if (intent != ReadIntent.SCAN && intent != ReadIntent.COMPACTION) {
      throw new IllegalArgumentException("read intent " + intent + ", allowed SCAN and COMPACTION");
    }
    if (readAheadBytes < 0) {
      throw new IllegalArgumentException(
          "read-ahead " + readAheadBytes + " bytes, allowed 0 or more");
    }
  }

  /** Returns a copy with another read-ahead. */
  public SequentialAccess withReadAheadBytes(int bytes) {
    return new SequentialAccess(intent, bytes, throttle, ahead, isChecked, isForSalvage);
  }

  /** Returns a copy with another throttle. */
  public SequentialAccess withThrottle(ReadThrottle other) {
    return new SequentialAccess(intent, readAheadBytes, other, ahead, isChecked, isForSalvage);
  }

  /** Returns a copy with another executor, or null for none. */
  public SequentialAccess withAhead(@Nullable Executor executor) {
    return new SequentialAccess(
        intent, readAheadBytes, throttle, executor, isChecked, isForSalvage);
  }

  /** Returns a copy that compares the checksum of each chunk. */
  public SequentialAccess checked() {
    return new SequentialAccess(intent, readAheadBytes, throttle, ahead, true, isForSalvage);
  }

  /**
   * Returns a copy for the salvage of a damaged file, which reads each chunk by itself, compares
   * its checksum, and repeats a read that fails: what still cannot be read counts as damage.
   */
  public SequentialAccess forSalvage() {
    return new SequentialAccess(intent, 0, throttle, null, true, true);
  }
}
