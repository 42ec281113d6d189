package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.TimeUuids;

/**
 * Generates the paths of list cells: version 1 UUIDs with the load's timestamp, 100 ns apart. A
 * repeated load generates the same paths, so it writes the same cells.
 */
final class RepeatableListPaths {
  /** Length of a path in bytes. */
  static final int LENGTH = TimeUuids.LENGTH;

  private static final long TICKS_PER_MICRO = TimeUuids.TICKS_PER_SECOND / 1_000_000;

  private final byte[] path = new byte[LENGTH];
  private final long firstTicks;
  private long ticks;

  RepeatableListPaths(long timestampMicros) {
    firstTicks = timestampMicros * TICKS_PER_MICRO;
    BigEndian.putLong(path, Long.BYTES, TimeUuids.leastSignificantBits(0));
  }

  /** Begins a list. */
  void begin() {
    ticks = firstTicks;
  }

  /** Returns the next element's path, in an array that is reused. */
  byte[] next() {
    BigEndian.putLong(path, 0, TimeUuids.mostSignificantBits(ticks));
    ticks++;
    return path;
  }
}
