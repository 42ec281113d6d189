package io.siltstone.compaction.strategy;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The tables of one level of leveled compaction, from 1 on: no two of them overlap. Built once, in
 * order, then only read; confined to one plan.
 */
final class Level {
  private final List<LiveTable> tables = new ArrayList<>();
  private long[] bytesBefore = {0};

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

  void add(LiveTable table) {
    tables.add(table);
  }

  void removeLast() {
    tables.remove(tables.size() - 1);
  }

  /** To be called when all are there. */
  void complete() {
    bytesBefore = new long[tables.size() + 1];
    for (int i = 0; i < tables.size(); i++) {
      bytesBefore[i + 1] = bytesBefore[i] + tables.get(i).onDiskBytes();
    }
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
