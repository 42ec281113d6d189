package io.siltstone.kafka.streams.table;

import io.siltstone.Database;
import io.siltstone.KeyValueBatch;
import io.siltstone.KeyValueIndexedBatch;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;
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

  /**
   * @param entries the table, not taken over
   * @param transactional whether changes are staged until a commit
   */
  public StateTable(Database database, KeyValueStore entries, boolean transactional) {
    this.entries = entries;
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
    if (staged == null) {
      if (value == null) {
        entries.delete(key);
      } else {
        entries.put(key, value);
      }
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
    byte[] end = KeyForm.of(to);
    if (staged == null) {
      entries.deleteRange(KeyForm.LEAST, end);
    } else {
      staged.deleteRange(entries, KeyForm.LEAST, end);
    }
  }

  /**
   * Begins a restore: changes that are written in batches, and not staged. They come from the
   * changelog, where only committed ones are read, and repeating them changes nothing.
   */
  public Restore restore() {
    return new Restore();
  }

  /**
   * Collects changes and writes them in batches. What Kafka restores at once may be larger than all
   * memtables together, so a batch has {@value #BATCH_BYTES} bytes and one change more at most.
   * Confined to one thread.
   */
  public final class Restore {
    private static final int BATCH_BYTES = 1 << 20;

    private final KeyValueBatch batch = new KeyValueBatch();

    private Restore() {}

    /** Puts an entry, or deletes it if the value is null. */
    public void put(byte[] key, byte @Nullable [] value) throws IOException {
      byte[] form = KeyForm.of(key);
      if (KeyForm.isLong(form)) {
        // The bucket may be changed by what was collected before.
        write();
        Bucket changed = bucket(form, true).with(Bucket.rest(form), value);
        add(KeyForm.stored(form), changed.toValue());
      } else {
        add(form, value);
      }
    }

    private void add(byte[] key, byte @Nullable [] value) throws IOException {
      if (value == null) {
        batch.delete(key);
      } else {
        batch.put(key, value);
      }
      if (batch.dataBytes() >= BATCH_BYTES) {
        write();
      }
    }

    /** Deletes all entries whose keys are before one, as {@link StateTable#deleteBefore}. */
    public void deleteBefore(byte[] to) {
      batch.deleteRange(KeyForm.LEAST, KeyForm.of(to));
    }

    /** Writes what was collected and is not written yet. */
    public void write() throws IOException {
      if (batch.size() > 0) {
        entries.write(batch);
        batch.clear();
      }
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

  /** Writes the state, and all that is staged with it. */
  public void commit(StoreState state) throws IOException {
    if (staged == null) {
      entries.put(KeyForm.STATE, state.toBytes());
    } else {
      staged.put(entries, KeyForm.STATE, state.toBytes());
      staged.commit();
    }
  }

  /** Discards what is staged. The table stays open. */
  @Override
  public void close() {
    if (staged != null) {
      staged.close();
    }
  }
}
