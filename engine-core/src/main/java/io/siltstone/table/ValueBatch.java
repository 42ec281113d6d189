package io.siltstone.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A batch of puts and deletions of entries of one or more key-value tables, which {@link
 * MutationWriter} writes as one record. In addition to the changes that were added, it may search
 * tables for entries to delete, while nobody else writes to them.
 *
 * <p>Of two changes of an entry the one that was added later wins. Those that a search finds come
 * last. Confined to one thread.
 */
public final class ValueBatch {
  private static final int FIRST_CHANGES = 8;

  private final List<TableStore> stores = new ArrayList<>();
  private final List<ValueChange> changes = new ArrayList<>();
  private int[] shards = new int[FIRST_CHANGES];
  private final List<TableStore> searched = new ArrayList<>();
  private final List<Search> searches = new ArrayList<>();

  /** Creates an empty batch. */
  public ValueBatch() {}

  /** A search for changes of one table. */
  @FunctionalInterface
  public interface Search {
    /**
     * Passes on the changes that it finds. Called with the locks of all shards of the table held,
     * perhaps more than once.
     */
    void run(Found found) throws IOException;
  }

  /** Receives the changes that a search finds. */
  @FunctionalInterface
  public interface Found {
    /**
     * Receives a change.
     *
     * @param shard of its key
     */
    void add(int shard, ValueChange change);
  }

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

  /** Adds a search for changes of a table, for which all of the table is locked. */
  public void add(TableStore store, Search search) {
    searched.add(store);
    searches.add(search);
  }

  /** Returns whether the batch has neither changes nor searches. */
  boolean isEmpty() {
    return changes.isEmpty() && searches.isEmpty();
  }

  /** Returns the number of changes that were added. */
  int size() {
    return changes.size();
  }

  /** Returns the shards that the batch may write to. */
  BatchShards targets() {
    BatchShards targets = new BatchShards();
    for (int i = 0; i < changes.size(); i++) {
      targets.add(stores.get(i), shards[i]);
    }
    searched.forEach(targets::addAll);
    return targets;
  }

  /**
   * Passes on all changes, and then those that the searches find. The caller holds the locks of all
   * {@link #targets}.
   */
  void forEach(Visitor visitor) throws IOException {
    for (int i = 0; i < changes.size(); i++) {
      visitor.visit(stores.get(i), shards[i], changes.get(i));
    }
    for (int i = 0; i < searches.size(); i++) {
      TableStore store = searched.get(i);
      searches.get(i).run((shard, change) -> visitor.visit(store, shard, change));
    }
  }
}
