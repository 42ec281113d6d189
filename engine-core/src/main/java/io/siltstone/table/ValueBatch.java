package io.siltstone.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A batch of puts and deletions of entries, and of deletions of ranges of keys, of one or more
 * key-value tables, which {@link MutationWriter} writes as one record. For the deletion of a range
 * all of its table is locked.
 *
 * <p>Of two changes of an entry the one that was added later wins. Confined to one thread.
 */
public final class ValueBatch {
  private static final int FIRST_CHANGES = 8;

  private final List<TableStore> stores = new ArrayList<>();
  private final List<ValueChange> changes = new ArrayList<>();
  private int[] shards = new int[FIRST_CHANGES];

  /** Creates an empty batch. */
  public ValueBatch() {}

  /** Receives the changes of a batch. */
  @FunctionalInterface
  interface Visitor {
    void visit(TableStore store, int shard, ValueChange change);
  }

  /**
   * Adds a change of a table.
   *
   * @param shard of its key
   */
  public void add(TableStore store, int shard, ValueChange change) {
    int count = changes.size();
    if (count == shards.length) {
      shards = Arrays.copyOf(shards, 2 * count);
    }
    shards[count] = shard;
    stores.add(store);
    changes.add(change);
  }

  /** Returns whether the batch has no changes. */
  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Returns the number of changes that were added. */
  int size() {
    return changes.size();
  }

  /** Returns the shards that the batch writes to: all of a table with the deletion of a range. */
  BatchShards targets() {
    BatchShards targets = new BatchShards();
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i).isOfRange()) {
        targets.addAll(stores.get(i));
      }
    }
    for (int i = 0; i < changes.size(); i++) {
      targets.add(stores.get(i), shards[i]);
    }
    return targets;
  }

  /** Passes on all changes. The caller holds the locks of all {@link #targets}. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < changes.size(); i++) {
      visitor.visit(stores.get(i), shards[i], changes.get(i));
    }
  }
}
