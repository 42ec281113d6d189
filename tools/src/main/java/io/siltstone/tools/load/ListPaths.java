package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;

/**
 * The paths of a list's cells: version 1 UUIDs of the load's timestamp, a tenth of a microsecond
 * apart. The same load makes the same paths, as it writes the same cells.
 */
final class ListPaths {
  /** Bytes of a path. */
  static final int LENGTH = 2 * Long.BYTES;

  /** Tenths of microseconds from 1582-10-15, where UUIDs begin, to 1970. */
  private static final long UUID_EPOCH = 0x01B2_1DD2_1381_4000L;

  /** Variant of RFC 4122, clock sequence 0, and a node that is no network card's. */
  private static final long CLOCK_AND_NODE = 0x8000_0100_0000_0000L;

  private final byte[] path = new byte[LENGTH];
  private final long firstTicks;
  private long ticks;

  ListPaths(long timestampMicros) {
    firstTicks = timestampMicros * 10 + UUID_EPOCH;
    BigEndian.putLong(path, Long.BYTES, CLOCK_AND_NODE);
  }

  /** Begins a list. */
  void begin() {
    ticks = firstTicks;
  }

  /** The next element's path, in an array that is reused. */
  byte[] next() {
    long most =
        (ticks << 32) | ((ticks >>> 16) & 0xffff_0000L) | 0x1000L | ((ticks >>> 48) & 0x0fffL);
    BigEndian.putLong(path, 0, most);
    ticks++;
    return path;
  }
}
