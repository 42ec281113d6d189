package io.siltstone.compaction.task;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTable;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first and last keys of all inputs, which must come out at the other end of a task, or be
 * known to be dead there. Costs one comparison of keys per partition. Confined to one thread.
 */
final class BoundaryKeyCheck {
  private final PartitionKey[] keys;
  private int next;
  private int missed;
  private @Nullable PartitionKey firstMissed;

  /**
   * @param keys ascending
   */
  private BoundaryKeyCheck(PartitionKey[] keys) {
    this.keys = keys;
  }

  /** Those that lie in a range. */
  static BoundaryKeyCheck of(List<SSTable> inputs, PartitionRange range) {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    for (SSTable input : inputs) {
      keys.add(input.firstKey());
      keys.add(input.lastKey());
    }
    PartitionKey from = range.from();
    PartitionKey to = range.to();
    return new BoundaryKeyCheck(
        keys.stream()
            .filter(key -> from == null || key.compareTo(from) >= 0)
            .filter(key -> to == null || key.compareTo(to) < 0)
            .toArray(PartitionKey[]::new));
  }

  /** A partition is written, or known to be dead; partitions come in order. */
  void pass(PartitionKey key) {
    while (next < keys.length) {
      int order = keys[next].compareTo(key);
      if (order > 0) {
        return;
      }
      if (order < 0 && missed++ == 0) {
        firstMissed = keys[next];
      }
      next++;
    }
  }

  /**
   * That all have been passed.
   *
   * @throws CompactionCheckException naming one that has not
   */
  void check(String what) throws CompactionCheckException {
    if (missed > 0 || next < keys.length) {
      throw new CompactionCheckException(
          what
              + ": "
              + (missed + keys.length - next)
              + " first or last keys of inputs were neither written nor purged, as "
              + (missed > 0 ? firstMissed : keys[next])
              + ", so nothing was changed");
    }
  }
}
