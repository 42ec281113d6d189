package io.siltstone.memtable;

import io.siltstone.cursor.Unfiltered;

/**
 * The versions of a row in an arena, newest first.
 *
 * <pre>
 *   version   sequence   int   number of the update that made it
 *             previous   int   the version before it, for readers of older sequence numbers
 *             base       int   NONE if these bytes are the whole row; else the version to be merged with
 *             length     int
 *             bytes            the row in serialized form
 * </pre>
 *
 * A change of a small row is merged with its newest version into a whole row. A change that is
 * small compared to the row becomes a version with a base: many small changes of a large row (a
 * growing collection) then do not copy the row each time. A base is longer than the versions above
 * it by a factor, so that a row has at most about as many bases as the logarithm of its length.
 */
final class RowVersions {
  static final int BYTES = 16;

  /** Maximum length in bytes of a version that is merged with any change, however small. */
  static final int SMALL_BYTES = 512;

  /** The factor by which a version must be longer than a change to become its base. */
  static final int BASE_FACTOR = 2;

  private static final int SEQUENCE = 0;
  private static final int PREVIOUS = 4;
  private static final int BASE = 8;
  private static final int LENGTH = 12;

  private RowVersions() {}

  /** Returns the most bytes that a version with that many bytes takes. */
  static long space(int length) {
    return Arena.padded(BYTES + (long) length);
  }

  /** Returns the newest version of a chain that readers of that sequence number see, or NONE. */
  static int visible(Arena arena, int newest, int sequence) {
    int version = newest;
    while (version != Arena.NONE
        && Integer.compareUnsigned(arena.getInt(version, SEQUENCE), sequence) > 0) {
      version = arena.getInt(version, PREVIOUS);
    }
    return version;
  }

  static int base(Arena arena, int version) {
    return arena.getInt(version, BASE);
  }

  static int length(Arena arena, int version) {
    return arena.getInt(version, LENGTH);
  }

  /** Writes a version to the piece at {@code version}, which no reader sees yet. */
  static void write(
      Arena arena, int version, int sequence, int previous, int base, Unfiltered row) {
    int length = row.end() - row.from();
    arena.putInt(version, SEQUENCE, sequence);
    arena.putInt(version, PREVIOUS, previous);
    arena.putInt(version, BASE, base);
    arena.putInt(version, LENGTH, length);
    arena.write(version, BYTES, row.bytes(), row.from(), length);
  }
}
