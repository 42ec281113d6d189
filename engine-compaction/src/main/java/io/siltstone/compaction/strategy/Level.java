package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The SSTables of one level of leveled compaction, from level 1 on, where no two of them overlap.
 * Built once, in the order of keys, then only read; confined to one plan.
 */
final class Level {
  private final List<LiveTable> tables = new ArrayList<>();
  // At index i, the bytes of the first i SSTables.
  private long[] bytesBefore = new long[16];
  private long freeBytes;

  /** Returns the SSTables in the order of their first keys. */
  List<LiveTable> tables() {
    return Collections.unmodifiableList(tables);
  }

  /** Returns the SSTable with the greatest keys. The level must not be empty. */
  LiveTable last() {
    return tables.get(tables.size() - 1);
  }

  boolean isEmpty() {
    return tables.isEmpty();
  }

  /** Adds an SSTable that begins after the end of all others. */
  void add(LiveTable table, boolean isFree) {
    int before = tables.size();
    tables.add(table);
    if (tables.size() == bytesBefore.length) {
      bytesBefore = Arrays.copyOf(bytesBefore, 2 * bytesBefore.length);
    }
    bytesBefore[before + 1] = bytesBefore[before] + table.onDiskBytes();
    freeBytes += isFree ? table.onDiskBytes() : 0;
  }

  void removeLast(boolean isFree) {
    LiveTable last = tables.remove(tables.size() - 1);
    freeBytes -= isFree ? last.onDiskBytes() : 0;
  }

  /** Returns the bytes of those SSTables that were free when they were added. */
  long freeBytes() {
    return freeBytes;
  }

  long onDiskBytes() {
    return bytesBefore[tables.size()];
  }

  /** Returns the SSTables whose key range overlaps this one; both ends are inclusive. */
  List<LiveTable> overlapping(PartitionKey first, PartitionKey last) {
    int from = endingBefore(first);
    return tables.subList(from, Math.max(from, beginningTo(last)));
  }

  /**
   * Returns how many SSTables end before a key. The search starts at {@code known}, a result for a
   * smaller key, so that a caller with ascending keys reads the level once.
   */
  int endingBefore(PartitionKey key, int known) {
    int count = known;
    while (count < tables.size() && tables.get(count).lastKey().compareTo(key) < 0) {
      count++;
    }
    return count;
  }

  /**
   * Returns how many SSTables begin at a key or before it, and starts at {@code known} likewise.
   */
  int beginningTo(PartitionKey key, int known) {
    int count = known;
    while (count < tables.size() && tables.get(count).firstKey().compareTo(key) <= 0) {
      count++;
    }
    return count;
  }

  /** Returns the bytes of the SSTables from one index (inclusive) to another (exclusive). */
  long onDiskBytes(int from, int to) {
    return bytesBefore[to] - bytesBefore[from];
  }

  /** Returns how many SSTables end before a key, by binary search. */
  private int endingBefore(PartitionKey key) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).lastKey().compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns how many SSTables begin at a key or before it, by binary search. */
  private int beginningTo(PartitionKey key) {
    int low = 0;
    int high = tables.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tables.get(middle).firstKey().compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
