package io.siltstone.compaction;

import java.util.ArrayDeque;
import java.util.List;

/** The records of the jobs that ended last, a bounded number. Safe for all threads. */
final class RecentCompactions {
  private final int size;
  private final ArrayDeque<CompactionRecord> records = new ArrayDeque<>();

  RecentCompactions(int size) {
    this.size = size;
  }

  synchronized void add(CompactionRecord ended) {
    records.addLast(ended);
    while (records.size() > size) {
      records.removeFirst();
    }
  }

  /** Returns the records, oldest first. */
  synchronized List<CompactionRecord> records() {
    return List.copyOf(records);
  }
}
