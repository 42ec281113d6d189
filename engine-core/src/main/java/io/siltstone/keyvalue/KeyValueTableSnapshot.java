package io.siltstone.keyvalue;

import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.table.read.TableSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all entries of a {@link KeyValueTable}. Expiry is evaluated at the time of the
 * snapshot: what had not expired then does not expire here.
 *
 * <p>Confined to one thread at a time. Closed by its opener; cursors may be closed before or after
 * it.
 */
public final class KeyValueTableSnapshot implements Closeable {
  private final KeyValueTable of;
  private final TableSnapshot snapshot;
  private final long now;

  /**
   * Takes over the snapshot.
   *
   * @param now the time at which expiry is evaluated, in seconds since 1970
   */
  KeyValueTableSnapshot(KeyValueTable of, TableSnapshot snapshot, long now) {
    this.of = of;
    this.snapshot = snapshot;
    this.now = now;
  }

  /** Returns a new array with the value of a key; null if there is no entry. */
  public byte @Nullable [] get(byte[] key, int offset, int length) throws IOException {
    return get(snapshot, key, offset, length);
  }

  private byte @Nullable [] get(TableSnapshot from, byte[] key, int offset, int length)
      throws IOException {
    EntryLookup lookup = of.take();
    try (PartitionCursor cursor = from.open(lookup.of(key, offset, length))) {
      return isThere(cursor) ? KeyValueTable.copyOfValue(cursor.unfiltered()) : null;
    } finally {
      of.giveBack(lookup);
    }
  }

  /**
   * Returns new arrays with the values of keys, null for each that has no entry. Reads them in the
   * order of the keys, and each chunk of an SSTable once.
   *
   * @param keys in any order, any number of times each
   * @return as many values as keys, in the order of the list
   */
  public List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException {
    List<Integer> order = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Objects.requireNonNull(keys.get(i), "key");
      order.add(i);
    }
    order.sort((left, right) -> Arrays.compareUnsigned(keys.get(left), keys.get(right)));
    byte[] @Nullable [] values = new byte[keys.size()][];
    try (TableSnapshot reads = snapshot.share()) {
      reads.keepReaders();
      for (int i : order) {
        byte[] key = keys.get(i);
        values[i] = get(reads, key, 0, key.length);
      }
    }
    return Arrays.asList(values);
  }

  /** Copies the value of a key; see {@link KeyValueTable#get(byte[], int, int, ByteBuffer)}. */
  public int get(byte[] key, int offset, int length, ByteBuffer into) throws IOException {
    EntryLookup lookup = of.take();
    try (PartitionCursor cursor = snapshot.open(lookup.of(key, offset, length))) {
      return isThere(cursor)
          ? KeyValueTable.copyValue(cursor.unfiltered(), into)
          : KeyValueTable.MISSING;
    } finally {
      of.giveBack(lookup);
    }
  }

  /** Returns whether there is an entry with this key. */
  public boolean contains(byte[] key, int offset, int length) throws IOException {
    EntryLookup lookup = of.take();
    try (PartitionCursor cursor = snapshot.open(lookup.of(key, offset, length))) {
      return isThere(cursor);
    } finally {
      of.giveBack(lookup);
    }
  }

  private boolean isThere(PartitionCursor cursor) throws IOException {
    return cursor.nextPartition()
        && KeyValueTable.goToValue(cursor)
        && Liveness.isCellLive(cursor.unfiltered(), now);
  }

  /**
   * Returns a cursor over a range of keys. It is closed by the caller, before or after this
   * snapshot.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}
   */
  public EntryCursor cursor(byte @Nullable [] from, byte @Nullable [] to) {
    PartitionRange range = KeyValueTable.range(from, to);
    return of.cursor(snapshot.share(), range, now);
  }

  @Override
  public void close() throws IOException {
    snapshot.close();
  }
}
