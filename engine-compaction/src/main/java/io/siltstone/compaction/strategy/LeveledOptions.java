package io.siltstone.compaction.strategy;

import java.math.BigInteger;

/**
 * How large tables and levels are. Names and defaults are those of Cassandra's {@code
 * LeveledCompactionStrategy}.
 *
 * @param sstableBytes about how large a table of a level from 1 on is
 * @param fanout how many times as much a level holds as the one below
 * @param sizeTiered for level 0 when it falls behind
 */
record LeveledOptions(long sstableBytes, int fanout, SizeTieredOptions sizeTiered) {
  static final int DEFAULT_SSTABLE_MIB = 160;
  static final int DEFAULT_FANOUT = 10;

  // Level 0 holds more than it should before the others must wait for it.
  private static final int LEVEL_0_TABLES = 4;

  static LeveledOptions of(OptionValues values) {
    long mib = values.integer("sstable_size_in_mb", DEFAULT_SSTABLE_MIB, 1);
    int fanout = values.integer("fanout_size", DEFAULT_FANOUT, 1);
    BigInteger most =
        BigInteger.valueOf(fanout).pow(Levels.COUNT - 1).multiply(BigInteger.valueOf(mib << 20));
    if (most.bitLength() > 63) {
      values.wrong(
          values.has("fanout_size") ? "fanout_size" : "sstable_size_in_mb",
          "so that level "
              + (Levels.COUNT - 1)
              + " holds less than 2^63 bytes: sstable_size_in_mb times fanout_size to the power of "
              + (Levels.COUNT - 1));
    }
    // Levels are never changed without writing the table anew.
    values.ignore("single_sstable_uplevel");
    return new LeveledOptions(mib << 20, fanout, SizeTieredOptions.of(values));
  }

  /** Bytes that a level should hold at most. */
  long maxBytes(int level) {
    return level == 0
        ? LEVEL_0_TABLES * sstableBytes
        : (long) (Math.pow(fanout, level) * sstableBytes);
  }

  /** The lowest level from 1 on that may hold so many bytes. */
  int levelFor(long bytes) {
    int level = 1;
    while (level < Levels.COUNT - 1 && maxBytes(level) < bytes) {
      level++;
    }
    return level;
  }
}
