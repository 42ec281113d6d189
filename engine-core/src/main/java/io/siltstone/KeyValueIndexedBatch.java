package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.keyvalue.EntryCursor;
import io.siltstone.keyvalue.KeyBounds;
import io.siltstone.keyvalue.StagedBatch;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.ValueChange;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A write batch with an index: changes of entries of any {@linkplain KeyValueStore stores} of a
 * database that can be read before they are written, merged with what the stores have. They are
 * written atomically by {@link #commit}.
 *
 * <pre>{@code
 * try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
 *   batch.put(counts, word, one);
 *   byte[] count = batch.get(counts, word);   // what was put
 *   batch.put(offsets, partition, offset);
 *   batch.commit();                           // both, or neither
 * }
 * }</pre>
 *
 * <p><b>Reads</b> of the batch show what is staged: a staged put replaces an entry, a staged
 * deletion of a key or of a range of keys hides it. Everything else is as the store has it at that
 * moment, with what others have written meanwhile. An iterator shows what was staged, and what the
 * store had, when it was opened; later changes, a commit, or the closing of the batch do not change
 * what it shows. Nobody else sees what is staged before it is committed.
 *
 * <p><b>A commit</b> is one record of the commit log, and the batch is empty and can be used again
 * afterwards. Stores that are opened after a crash have all of it or nothing; of stores without a
 * commit log this holds as {@link Database#write(io.siltstone.mutation.Batch)} says. {@link
 * KeyValueSnapshots}, and of one store its snapshots, iterators and {@code multiGet}, show all or
 * nothing of it. Single gets see each entry as it is then, and may see one of the batch before
 * another. The batch detects no conflicts: its changes replace whatever has been written to their
 * keys since they were staged.
 *
 * <p><b>Sizes.</b> What is staged is on the heap, until it is committed or removed. The record may
 * take up as much as that of a {@link KeyValueBatch}; of several changes of a key it has the last.
 *
 * <p><b>Threads and closing.</b> Safe for use by several threads, of which one at a time proceeds.
 * Closing discards what is staged. A batch that is not closed holds nothing but memory of the heap.
 */
public final class KeyValueIndexedBatch implements Closeable {
  private final Engine engine;
  // Guarded by this.
  private final StagedBatch staged = new StagedBatch();
  private boolean closed;

  private KeyValueIndexedBatch(Engine engine) {
    this.engine = engine;
  }

  /** Returns an empty batch for stores of a database, to be closed by the caller. */
  public static KeyValueIndexedBatch of(Database database) {
    return new KeyValueIndexedBatch(database.engine());
  }

  // Staging.

  /** Stages a put of an entry of a store, see {@link KeyValueStore#put(byte[], byte[])}. */
  public void put(KeyValueStore store, byte[] key, byte[] value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    stage(store, ValueChange.put(key.clone(), value.clone()));
  }

  /**
   * Stages a put of an entry that expires, see {@link KeyValueStore#put(byte[], byte[], int)}. The
   * time until then begins when the batch is committed; what is staged does not expire.
   */
  public void put(KeyValueStore store, byte[] key, byte[] value, int ttlSeconds) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    stage(store, ValueChange.put(key.clone(), value.clone(), ttlSeconds));
  }

  /** Stages the deletion of an entry, if there is one with this key. */
  public void delete(KeyValueStore store, byte[] key) {
    requireNonNull(key, "key");
    stage(store, ValueChange.deletion(key.clone()));
  }

  private synchronized void stage(KeyValueStore store, ValueChange change) {
    requireUsable(store);
    staged.add(store.entries(), change);
  }

  /**
   * Stages the deletion of a range of keys: of what is staged, and of all entries that the store
   * has when the batch is committed. What is put into the range later, by this batch or by others
   * after the commit, stays.
   *
   * <p>The record of the commit has the bounds of the range, and nothing of the entries in it; see
   * {@link KeyValueStore#deleteRange(byte[], byte[])}.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them has
   *     more than 65,536 bytes
   */
  public synchronized void deleteRange(
      KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) {
    requireUsable(store);
    staged.deleteRange(store.entries(), from, to);
  }

  /**
   * Stages the deletion of a range of keys with bounds as of {@link KeyValueStore#iterator(byte[],
   * boolean, byte[], boolean)}. Otherwise as {@link #deleteRange(KeyValueStore, byte[], byte[])}.
   */
  public void deleteRange(
      KeyValueStore store,
      byte @Nullable [] from,
      boolean fromInclusive,
      byte @Nullable [] to,
      boolean toInclusive) {
    KeyBounds bounds = KeyBounds.of(from, fromInclusive, to, toInclusive);
    deleteRange(store, bounds.from(), bounds.to());
  }

  /** Removes all that is staged. */
  public synchronized void clear() {
    requireOpen();
    staged.clear();
  }

  // Reads.

  /**
   * Returns a new array with the value of a key: the staged one, or else that of the store; null if
   * there is no entry, or if its deletion is staged.
   */
  public byte @Nullable [] get(KeyValueStore store, byte[] key) throws IOException {
    ValueChange found = find(store, key);
    if (found == null) {
      return store.get(key);
    }
    byte[] value = found.value();
    return value == null ? null : value.clone();
  }

  /** Returns whether there is an entry with this key, as {@link #get}. */
  public boolean contains(KeyValueStore store, byte[] key) throws IOException {
    ValueChange found = find(store, key);
    return found == null ? store.contains(key) : found.value() != null;
  }

  private synchronized @Nullable ValueChange find(KeyValueStore store, byte[] key) {
    requireNonNull(key, "key");
    requireUsable(store);
    return staged.find(store.entries(), key);
  }

  /**
   * Returns an iterator over all entries of a store; see {@link #iterator(KeyValueStore, byte[],
   * byte[])}.
   */
  public KeyValueIterator iterator(KeyValueStore store) throws IOException {
    return iterator(store, null, null);
  }

  /**
   * Returns an iterator over a range of keys of a store, in both directions: the entries of the
   * store merged with what is staged, both as they are at this moment.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @return the iterator, to be closed by the caller, before or after the batch
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them has
   *     more than 65,536 bytes
   * @throws OutOfBudgetException as {@link KeyValueStore#iterator(byte[], byte[])}
   */
  public KeyValueIterator iterator(
      KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    return engine.inside(
        () -> KeyValueIterator.over(store, cursor(store, from, to), engine.handles));
  }

  private synchronized EntryCursor cursor(
      KeyValueStore store, byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    requireUsable(store);
    return staged.cursor(store.entries(), from, to);
  }

  /**
   * Returns an iterator over a range of keys with bounds as of {@link
   * KeyValueStore#iterator(byte[], boolean, byte[], boolean)}. Otherwise as {@link
   * #iterator(KeyValueStore, byte[], byte[])}.
   */
  public KeyValueIterator iterator(
      KeyValueStore store,
      byte @Nullable [] from,
      boolean fromInclusive,
      byte @Nullable [] to,
      boolean toInclusive)
      throws IOException {
    KeyBounds bounds = KeyBounds.of(from, fromInclusive, to, toInclusive);
    return iterator(store, bounds.from(), bounds.to());
  }

  /**
   * Returns an iterator over the keys that begin with a prefix. Otherwise as {@link
   * #iterator(KeyValueStore, byte[], byte[])}.
   *
   * @param prefix empty for all keys, at most 65,535 bytes
   */
  public KeyValueIterator iteratorOfPrefix(KeyValueStore store, byte[] prefix) throws IOException {
    requireNonNull(prefix, "prefix");
    KeyBounds bounds = KeyBounds.ofPrefix(prefix);
    return iterator(store, bounds.from(), bounds.to());
  }

  /**
   * Returns the number of changes that are staged: of keys that a put or a deletion is staged of,
   * and of deleted ranges, of which those that overlap or adjoin are one.
   */
  public synchronized int size() {
    return staged.count();
  }

  /** Returns the size of all staged keys, values and bounds of ranges in bytes. */
  public synchronized long dataBytes() {
    return staged.dataBytes();
  }

  /**
   * Returns about how many bytes of the heap the staged changes take, what they have replaced
   * included, as far as open iterators may still show it.
   */
  public synchronized long approximateBytes() {
    return staged.heapBytes();
  }

  // Writing.

  /**
   * Writes all that is staged atomically, and returns when it is as durable as the sync mode of the
   * commit log promises. The batch is empty then.
   *
   * @throws IllegalArgumentException if the batch exceeds the size given above; nothing is written
   *     then, and what is staged stays so
   * @throws OutOfBudgetException if there is no memory for the changes, even after flushes. Nothing
   *     is written then, what is staged stays so, and the commit can be tried again
   * @throws IllegalStateException if one of the stores was dropped; nothing is written then
   * @throws IOException as {@link Table#write}. If it was thrown while this waited for the sync,
   *     the batch is empty, and readers see the changes; otherwise what is staged stays so
   */
  public void commit() throws IOException {
    engine.run(() -> engine.writePath().write(this::write));
  }

  /**
   * Writes all that is staged atomically, and returns as soon as readers can see it. The batch is
   * empty then, and can be used again. Otherwise as {@link #commit}; for actions that are attached
   * to the stage see {@link Table#writeAsync}.
   *
   * @return completes when the changes are as durable as the sync mode promises
   */
  public CompletionStage<Void> commitAsync() throws IOException {
    return engine.inside(() -> engine.writePath().writeAsync(this::write));
  }

  private synchronized long write(MutationWriter writer) throws IOException {
    requireOpen();
    long position = writer.write(staged.changes());
    staged.clear();
    return position;
  }

  /** Discards what is staged. Iterators stay open. */
  @Override
  public synchronized void close() {
    closed = true;
    staged.clear();
  }

  private void requireUsable(KeyValueStore store) {
    requireOpen();
    engine.requireOwn(store);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the batch is closed");
    }
  }

  /** Returns the number of changes and their size. */
  @Override
  public synchronized String toString() {
    return CountText.of(staged.count(), "change")
        + " of "
        + CountText.of(staged.dataBytes(), "byte");
  }
}
