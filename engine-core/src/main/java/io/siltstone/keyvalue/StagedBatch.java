package io.siltstone.keyvalue;

import io.siltstone.table.TableStore;
import io.siltstone.table.ValueBatch;
import io.siltstone.table.ValueChange;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The write batch with index: changes of entries of several tables that are staged until they are
 * written as one record, and read until then, merged with what the tables have.
 *
 * <p>Guarded by a lock of the owner. Cursors are confined to one thread at a time, which may be
 * another one than stages; they show what was staged when they were opened.
 */
public final class StagedBatch {
  private static final byte[] LEAST = {};

  private final Map<TableStore, StagedChanges> tables = new LinkedHashMap<>();

  /** Creates an empty batch. */
  public StagedBatch() {}

  /** Stages a put or a deletion, which nobody changes. */
  public void add(KeyValueTable table, ValueChange change) {
    of(table).add(change);
  }

  /**
   * Stages the deletion of a range of keys.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException as {@link KeyValueTable#range}
   */
  public void deleteRange(KeyValueTable table, byte @Nullable [] from, byte @Nullable [] to) {
    KeyBounds.requireOrder(from, to);
    of(table).deleteRange(copy(from), to == null ? null : to.clone());
  }

  private static byte[] copy(byte @Nullable [] from) {
    return from == null ? LEAST : from.clone();
  }

  private StagedChanges of(KeyValueTable table) {
    return tables.computeIfAbsent(table.store(), any -> new StagedChanges(table));
  }

  /**
   * Returns what is staged of a key, which may be a deletion; null for nothing.
   *
   * @throws IllegalArgumentException if no entry can have the key
   */
  public @Nullable ValueChange find(KeyValueTable table, byte[] key) {
    ValueChange.requireKeyLength(key.length);
    StagedChanges staged = tables.get(table.store());
    return staged == null ? null : staged.find(key);
  }

  /**
   * Returns a cursor over a range of keys of a table, merged with what is staged for it now. It is
   * closed by the caller.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException as {@link KeyValueTable#range}
   */
  public EntryCursor cursor(KeyValueTable table, byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    EntryCursor stored = table.cursor(from, to);
    StagedChanges staged = tables.get(table.store());
    if (staged == null || staged.count() == 0) {
      return stored;
    }
    try {
      return new MergedEntries(stored, staged.view(), copy(from), to == null ? null : to.clone());
    } catch (Throwable e) {
      Closeables.closeAfter(stored, e);
      throw e;
    }
  }

  /** Returns the number of puts and deletions, of which a range of keys is one. */
  public int count() {
    return tables.values().stream().mapToInt(StagedChanges::count).sum();
  }

  /** Returns the size of all keys, values and bounds of ranges in bytes. */
  public long dataBytes() {
    return tables.values().stream().mapToLong(StagedChanges::dataBytes).sum();
  }

  /** Returns about how many bytes of the heap all that is staged takes. */
  public long heapBytes() {
    return tables.values().stream().mapToLong(StagedChanges::heapBytes).sum();
  }

  /** Returns all that is staged, to be written before anything else is staged. */
  public ValueBatch changes() {
    ValueBatch changes = new ValueBatch();
    tables.values().forEach(staged -> staged.addTo(changes));
    return changes;
  }

  /** Removes all that is staged. Cursors that are open go on to show it. */
  public void clear() {
    tables.clear();
  }
}
