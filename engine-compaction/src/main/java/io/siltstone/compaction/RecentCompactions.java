package io.siltstone.compaction;

import java.util.ArrayDeque;
import java.util.List;

/** The jobs that ended last. Safe for all threads. */
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

  /** The oldest first. */
  synchronized List<CompactionRecord> records() {
    return List.copyOf(records);
  }
}
