package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.keyvalue.KeyBounds;
import io.siltstone.table.ValueBatch;
import io.siltstone.table.ValueChange;
import io.siltstone.text.CountText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of one {@link KeyValueStore}, or of several of one database, that are written atomically.
 * Of two changes of the same key the one added later wins. For example, an entry and a count that
 * belongs to it, in stores of their own:
 *
 * <pre>{@code
 * users.write(
 *     new KeyValueBatch()
 *         .put(id, user)               // of the store that writes the batch
 *         .put(counts, country, one)); // of another one
 * }</pre>
 *
 * <p>After a crash all of the changes are there or none; of stores without a commit log this holds
 * as {@link Database#write(io.siltstone.mutation.Batch)} says. A {@linkplain KeyValueStore#snapshot
 * snapshot}, an iterator and a {@code multiGet} of one store show all of the changes to that store
 * or none, {@link KeyValueSnapshots} all of those to all their stores or none. Single gets see each
 * entry as it is then, and may see one of the batch before another; so do snapshots of several
 * stores that are taken one after the other, and queries of the tables.
 *
 * <p>A batch may take up at most {@link
 * io.siltstone.commitlog.CommitLogOptions#maxMutationBytes()}, 256 MiB by default, where each
 * change takes less than 64 bytes in addition to its key and value, and has to fit into the
 * off-heap memory. A larger one is refused when it is written.
 *
 * <p>Keys and values are copied. A batch may be written several times. One that is to be read
 * before it is written is a {@link KeyValueIndexedBatch}. Not safe for use by several threads.
 */
public final class KeyValueBatch {
  private final List<ValueChange> changes = new ArrayList<>();
  // The store of each change; null for the one that writes the batch.
  private final List<@Nullable KeyValueStore> stores = new ArrayList<>();
  private long bytes;

  /** An empty batch. */
  public KeyValueBatch() {}

  /**
   * Puts an entry into the store that writes the batch, see {@link KeyValueStore#put(byte[],
   * byte[])}.
   */
  public KeyValueBatch put(byte[] key, byte[] value) {
    return add(null, ValueChange.put(copy(key, "key"), copy(value, "value")));
  }

  /** Puts an entry that expires, see {@link KeyValueStore#put(byte[], byte[], int)}. */
  public KeyValueBatch put(byte[] key, byte[] value, int ttlSeconds) {
    return add(null, ValueChange.put(copy(key, "key"), copy(value, "value"), ttlSeconds));
  }

  /** Deletes an entry of the store that writes the batch, see {@link KeyValueStore#delete}. */
  public KeyValueBatch delete(byte[] key) {
    return add(null, ValueChange.deletion(copy(key, "key")));
  }

  /**
   * Deletes a range of keys of the store that writes the batch, see {@link
   * KeyValueStore#deleteRange(byte[], byte[])}: what the batch has put there before is deleted,
   * too, what it puts there later stays.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them has
   *     more than 65,536 bytes
   */
  public KeyValueBatch deleteRange(byte @Nullable [] from, byte @Nullable [] to) {
    return addRange(null, from, to);
  }

  /** Puts an entry into a store, see {@link KeyValueStore#put(byte[], byte[])}. */
  public KeyValueBatch put(KeyValueStore store, byte[] key, byte[] value) {
    requireNonNull(store, "store");
    return add(store, ValueChange.put(copy(key, "key"), copy(value, "value")));
  }

  /** Puts an entry that expires, see {@link KeyValueStore#put(byte[], byte[], int)}. */
  public KeyValueBatch put(KeyValueStore store, byte[] key, byte[] value, int ttlSeconds) {
    requireNonNull(store, "store");
    return add(store, ValueChange.put(copy(key, "key"), copy(value, "value"), ttlSeconds));
  }

  /** Deletes an entry of a store, see {@link KeyValueStore#delete}. */
  public KeyValueBatch delete(KeyValueStore store, byte[] key) {
    requireNonNull(store, "store");
    return add(store, ValueChange.deletion(copy(key, "key")));
  }

  /** Deletes a range of keys of a store, see {@link #deleteRange(byte[], byte[])}. */
  public KeyValueBatch deleteRange(
      KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) {
    requireNonNull(store, "store");
    return addRange(store, from, to);
  }

  private KeyValueBatch addRange(
      @Nullable KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) {
    ValueChange deletion = KeyBounds.deletionOf(from, to);
    // No entry can be in an empty range, so that there is nothing to write.
    return deletion == null ? this : add(store, deletion);
  }

  private static byte[] copy(byte[] bytes, String name) {
    return requireNonNull(bytes, name).clone();
  }

  private KeyValueBatch add(@Nullable KeyValueStore store, ValueChange change) {
    changes.add(change);
    stores.add(store);
    bytes += change.dataBytes();
    return this;
  }

  /**
   * Returns the changes with their stores.
   *
   * @param writer the store of those that name none
   * @throws IllegalArgumentException if one is of a store of another database
   */
  ValueBatch changesBy(KeyValueStore writer) {
    ValueBatch all = new ValueBatch();
    for (int i = 0; i < changes.size(); i++) {
      KeyValueStore named = stores.get(i);
      if (named != null) {
        writer.engine().requireOwn(named);
      }
      (named == null ? writer : named).entries().addTo(all, changes.get(i));
    }
    return all;
  }

  /** Returns the number of changes. */
  public int size() {
    return changes.size();
  }

  /**
   * Returns the size of all keys and values in bytes. The limit above applies to this and the
   * overhead.
   */
  public long dataBytes() {
    return bytes;
  }

  /** Returns the number of changes and their size. */
  @Override
  public String toString() {
    return CountText.of(changes.size(), "change") + " of " + CountText.of(bytes, "byte");
  }

  /** Removes all changes. */
  public void clear() {
    changes.clear();
    stores.clear();
    bytes = 0;
  }
}
