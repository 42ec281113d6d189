package io.siltstone.compaction.task;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.SSTable;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no boundary key is lost: the first and last key of each input must be written by the
 * task, or be known to have been purged. It costs one comparison of keys per partition. Confined to
 * one thread.
 */
final class BoundaryKeyCheck {
  private final PartitionKey[] keys;
  private int next;
  private int missed;
  private @Nullable PartitionKey firstMissed;

  /**
   * @param keys in ascending order
   */
  private BoundaryKeyCheck(PartitionKey[] keys) {
    this.keys = keys;
  }

  /** Returns a check for the boundary keys of the inputs that lie in a range. */
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

  /**
   * Notes that a partition was written, or that nothing was left of it. Partitions come in order.
   */
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
   * Checks that all boundary keys were passed.
   *
   * @throws CompactionCheckException naming one that was not
   */
  void check(String what) throws CompactionCheckException {
    if (missed > 0 || next < keys.length) {
      throw new CompactionCheckException(
          what
              + ": "
              + (missed + keys.length - next)
              + " first or last keys of inputs were neither written nor purged, among them "
              + (missed > 0 ? firstMissed : keys[next])
              + ", so nothing was changed");
    }
  }
}
