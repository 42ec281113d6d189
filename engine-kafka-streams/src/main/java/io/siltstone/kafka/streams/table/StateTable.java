package io.siltstone.kafka.streams.table;

import io.siltstone.Database;
import io.siltstone.KeyValueIndexedBatch;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The table of a state store: an ordered map of byte arrays, and the {@link StoreState} that
 * belongs to it.
 *
 * <p>If the table is transactional, changes are staged, and written together with the state by
 * {@link #commit}, as one record that is there as a whole after a crash or not at all. Otherwise
 * each change is written at once. The table has no commit log, so that a crash leaves it as it was
 * at its last flush; the offsets in the state say where the changelog continues.
 *
 * <p>Changes are made by one thread at a time. Reads are safe for all threads: those of what is
 * committed see what was written, all others see what is staged as well.
 */
public final class StateTable implements Closeable {
  private final KeyValueStore entries;
  private final @Nullable KeyValueIndexedBatch staged;
  private final RestorePath restored;

  /**
   * @param entries the table, not taken over
   * @param transactional whether changes are staged until a commit
   * @param restores the permits for restores by bulk loads
   */
  public StateTable(
      Database database, KeyValueStore entries, boolean transactional, Semaphore restores) {
    this.entries = entries;
    this.restored = new RestorePath(entries, restores);
    this.staged = transactional ? KeyValueIndexedBatch.of(database) : null;
  }

  // Reads.

  /**
   * Returns the value of a key; null if there is none.
   *
   * @param committed whether to read only what is committed
   */
  public byte @Nullable [] get(byte[] key, boolean committed) throws IOException {
    byte[] form = KeyForm.of(key);
    return KeyForm.isLong(form)
        ? bucket(form, committed).get(Bucket.rest(form))
        : stored(form, committed);
  }

  private Bucket bucket(byte[] form, boolean committed) throws IOException {
    return Bucket.of(stored(KeyForm.stored(form), committed));
  }

  private byte @Nullable [] stored(byte[] key, boolean committed) throws IOException {
    restored.end();
    return staged == null || committed ? entries.get(key) : staged.get(entries, key);
  }

  /**
   * Returns a cursor over a range of keys, to be closed by the caller.
   *
   * @param from the first key; null for the least of all
   * @param to the last key; null for the greatest of all
   * @param toInclusive whether the last key is part of the range
   * @param forward whether the cursor ascends
   * @param committed whether to read only what is committed
   */
  public StateCursor cursor(
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean toInclusive,
      boolean forward,
      boolean committed)
      throws IOException {
    restored.end();
    KeyRange range = KeyRange.of(from, to, toInclusive);
    byte[] first = range.storedFrom();
    byte[] last = range.storedTo();
    KeyValueIterator iterator =
        staged == null || committed
            ? entries.iterator(first, true, last, range.storedToInclusive())
            : staged.iterator(entries, first, true, last, range.storedToInclusive());
    return new StateCursor(iterator, range, forward);
  }

  /** Estimates the number of entries, as {@link KeyValueStore#estimate}. */
  public long estimatedEntries() throws IOException {
    return entries.estimate(KeyForm.LEAST, null).partitions();
  }

  /** Returns about how many bytes of the heap is staged. */
  public long uncommittedBytes() {
    return staged == null ? 0 : staged.approximateBytes();
  }

  // Changes.

  /** Puts an entry, or deletes it if the value is null. */
  public void put(byte[] key, byte @Nullable [] value) throws IOException {
    byte[] form = KeyForm.of(key);
    if (KeyForm.isLong(form)) {
      Bucket changed = bucket(form, false).with(Bucket.rest(form), value);
      putStored(KeyForm.stored(form), changed.toValue());
    } else {
      putStored(form, value);
    }
  }

  private void putStored(byte[] key, byte @Nullable [] value) throws IOException {
    restored.end();
    if (staged == null) {
      write(entries, key, value);
    } else if (value == null) {
      staged.delete(entries, key);
    } else {
      staged.put(entries, key, value);
    }
  }

  /**
   * Deletes all entries whose keys are before one.
   *
   * @param to the first key that stays, shorter than 65,000 bytes
   */
  public void deleteBefore(byte[] to) throws IOException {
    restored.end();
    byte[] end = KeyForm.of(to);
    if (staged == null) {
      entries.deleteRange(KeyForm.LEAST, end);
    } else {
      staged.deleteRange(entries, KeyForm.LEAST, end);
    }
  }

  /**
   * Begins a restore: changes that are not staged. They come from the changelog, where only
   * committed ones are read, and repeating them changes nothing.
   */
  public Restore restore() {
    return new Restore();
  }

  /** Writes changes of the changelog, see {@link RestorePath}. Confined to one thread. */
  public final class Restore {
    private Restore() {}

    /** Puts an entry, or deletes it if the value is null. */
    public void put(byte[] key, byte @Nullable [] value) throws IOException {
      byte[] form = KeyForm.of(key);
      if (KeyForm.isLong(form)) {
        Bucket changed = bucket(form, true).with(Bucket.rest(form), value);
        restored.write(KeyForm.stored(form), changed.toValue());
      } else {
        restored.write(form, value);
      }
    }

    /** Deletes all entries whose keys are before one, as {@link StateTable#deleteBefore}. */
    public void deleteBefore(byte[] to) throws IOException {
      restored.end();
      entries.deleteRange(KeyForm.LEAST, KeyForm.of(to));
    }
  }

  /** Makes all that was restored a part of the table, as each read and change does, too. */
  public void endRestore() throws IOException {
    restored.end();
  }

  /** Ends a restore as {@link #endRestore} does, if little was restored since the last call. */
  public void endSlowRestore() throws IOException {
    restored.endIfSlow();
  }

  static void write(KeyValueStore entries, byte[] key, byte @Nullable [] value) throws IOException {
    if (value == null) {
      entries.delete(key);
    } else {
      entries.put(key, value);
    }
  }

  // The state.

  /**
   * Reads the committed state.
   *
   * @throws IOException if it cannot be read
   */
  public StoreState state() throws IOException {
    byte[] bytes = entries.get(KeyForm.STATE);
    return bytes == null ? StoreState.NEW : StoreState.of(bytes, entries.toString());
  }

  /** Writes the state, and all that is staged with it; after what is being restored, if it is. */
  public void commit(StoreState state) throws IOException {
    if (restored.keep(state)) {
      return;
    }
    if (staged == null) {
      entries.put(KeyForm.STATE, state.toBytes());
    } else {
      staged.put(entries, KeyForm.STATE, state.toBytes());
      staged.commit();
    }
    restored.written();
  }

  /** Discards what is staged. The table stays open. */
  @Override
  public void close() {
    if (staged != null) {
      staged.close();
    }
  }
}
