package io.siltstone.liveset;

import io.siltstone.partitioner.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key ranges that contain a key, for one key after the other: a sweep over the ranges.
 * While keys ascend, each range is entered when it begins and left when it has ended, and no others
 * are inspected. A key that is less than the one before starts the sweep again. Nothing is
 * allocated per key. Confined to one thread. Source: Cassandra {@code utils.OverlapIterator}.
 *
 * @param <T> an object with a range of keys, both ends inclusive
 */
final class OverlapSweep<T> {
  private final List<T> byFirstKey;
  private final Function<T, PartitionKey> firstKey;
  private final Function<T, PartitionKey> lastKey;
  private final List<T> met;
  private int next;
  // The greatest last key of the ranges that were left.
  private @Nullable PartitionKey left;

  OverlapSweep(
      List<T> byFirstKey, Function<T, PartitionKey> firstKey, Function<T, PartitionKey> lastKey) {
    this.byFirstKey = byFirstKey;
    this.firstKey = firstKey;
    this.lastKey = lastKey;
    this.met = new ArrayList<>();
  }

  /**
   * Moves to a key.
   *
   * @return the objects whose ranges contain it; after a key that was greater, perhaps also some
   *     whose ranges begin after it. In no order, valid until the next call
   */
  List<T> at(PartitionKey key) {
    PartitionKey end = left;
    if (end != null && key.compareTo(end) <= 0) {
      met.clear();
      next = 0;
      left = null;
    }
    while (next < byFirstKey.size() && firstKey.apply(byFirstKey.get(next)).compareTo(key) <= 0) {
      met.add(byFirstKey.get(next));
      next++;
    }
    for (int i = met.size() - 1; i >= 0; i--) {
      if (lastKey.apply(met.get(i)).compareTo(key) < 0) {
        leave(i);
      }
    }
    return met;
  }

  private void leave(int index) {
    PartitionKey end = lastKey.apply(met.get(index));
    PartitionKey before = left;
    if (before == null || before.compareTo(end) < 0) {
      left = end;
    }
    T last = met.remove(met.size() - 1);
    if (index < met.size()) {
      met.set(index, last);
    }
  }
}
