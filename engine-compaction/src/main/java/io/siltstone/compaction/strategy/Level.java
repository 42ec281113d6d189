package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The tables of one level of leveled compaction, from 1 on: no two of them overlap. Built once, in
 * order, then only read; confined to one plan.
 */
final class Level {
  private final List<LiveTable> tables = new ArrayList<>();
  // Of those before each, and of all.
  private long[] bytesBefore = new long[16];
  private long freeBytes;

  /** By first key. */
  List<LiveTable> tables() {
    return Collections.unmodifiableList(tables);
  }

  /** The one that ends last, which there must be. */
  LiveTable last() {
    return tables.get(tables.size() - 1);
  }

  boolean isEmpty() {
    return tables.isEmpty();
  }

  /** Adds one that begins behind the end of all others. */
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

  /** Bytes of those that were free when they were added. */
  long freeBytes() {
    return freeBytes;
  }

  long onDiskBytes() {
    return bytesBefore[tables.size()];
  }

  /** Those that have a key between these two, both inclusive. */
  List<LiveTable> overlapping(PartitionKey first, PartitionKey last) {
    int from = endingBefore(first);
    return tables.subList(from, Math.max(from, beginningTo(last)));
  }

  /** How many end before a key, where so many do; for those who ask for one key after the other. */
  int endingBefore(PartitionKey key, int known) {
    int count = known;
    while (count < tables.size() && tables.get(count).lastKey().compareTo(key) < 0) {
      count++;
    }
    return count;
  }

  /** How many begin at a key or before, likewise. */
  int beginningTo(PartitionKey key, int known) {
    int count = known;
    while (count < tables.size() && tables.get(count).firstKey().compareTo(key) <= 0) {
      count++;
    }
    return count;
  }

  /** Bytes of those from one index to another, that one excluded. */
  long onDiskBytes(int from, int to) {
    return bytesBefore[to] - bytesBefore[from];
  }

  /** How many end before a key. */
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

  /** How many begin at a key or before. */
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
