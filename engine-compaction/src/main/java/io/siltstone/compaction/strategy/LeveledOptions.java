package io.siltstone.compaction.strategy;

import java.math.BigInteger;

/**
 * The sizes of SSTables and levels in leveled compaction. Names and defaults are those of
 * Cassandra's {@code LeveledCompactionStrategy}.
 *
 * @param sstableBytes the approximate size of an SSTable from level 1 on ({@code
 *     sstable_size_in_mb})
 * @param fanout how many times as many bytes a level holds as the level before it ({@code
 *     fanout_size})
 * @param sizeTiered for merges within level 0 when it has too many SSTables
 */
record LeveledOptions(long sstableBytes, int fanout, SizeTieredOptions sizeTiered) {
  static final int DEFAULT_SSTABLE_MIB = 160;
  static final int DEFAULT_FANOUT = 10;

  // Level 0 may hold the bytes of this many SSTables before its compaction score exceeds 1.
  private static final int LEVEL_0_TABLES = 4;

  static LeveledOptions of(OptionValues values) {
    long mib = values.integer("sstable_size_in_mb", DEFAULT_SSTABLE_MIB, 1);
    int fanout = values.integer("fanout_size", DEFAULT_FANOUT, 1);
    BigInteger most =
        BigInteger.valueOf(fanout).pow(Levels.COUNT - 1).multiply(BigInteger.valueOf(mib << 20));
    if (most.bitLength() > 63) {
      values.wrong(
          values.has("fanout_size") ? "fanout_size" : "sstable_size_in_mb",
          "values by which level "
              + (Levels.COUNT - 1)
              + " holds less than 2^63 bytes: sstable_size_in_mb times fanout_size to the power of "
              + (Levels.COUNT - 1));
    }
    // A level changes only when an SSTable is written anew, so this option has no effect.
    values.ignore("single_sstable_uplevel");
    return new LeveledOptions(mib << 20, fanout, SizeTieredOptions.of(values));
  }

  /** Returns the target size of a level: the bytes that it holds at a compaction score of 1. */
  long maxBytes(int level) {
    return level == 0
        ? LEVEL_0_TABLES * sstableBytes
        : (long) (Math.pow(fanout, level) * sstableBytes);
  }

  /** Returns the lowest level, from 1 on, that may hold this many bytes. */
  int levelFor(long bytes) {
    int level = 1;
    while (level < Levels.COUNT - 1 && maxBytes(level) < bytes) {
      level++;
    }
    return level;
  }
}
