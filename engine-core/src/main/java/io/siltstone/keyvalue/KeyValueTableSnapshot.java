package io.siltstone.keyvalue;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.table.read.TableSnapshot;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * All {@link KeyValueTable} of a table as they were at one moment, and as they were seen then: what
 * had not expired does not expire here.
 *
 * <p>Confined to one thread at a time. Closed by its opener; cursors have a life of their own.
 */
public final class KeyValueTableSnapshot implements Closeable {
  private final KeyValueTable of;
  private final TableSnapshot snapshot;
  private final long now;

  /**
   * Takes over the snapshot.
   *
   * @param now in seconds since 1970
   */
  KeyValueTableSnapshot(KeyValueTable of, TableSnapshot snapshot, long now) {
    this.of = of;
    this.snapshot = snapshot;
    this.now = now;
  }

  /** The value of a key in an array of its own, or null. */
  public byte @Nullable [] get(byte[] key, int offset, int length) throws IOException {
    EntryLookup lookup = of.take();
    try (PartitionCursor cursor = snapshot.open(lookup.of(key, offset, length))) {
      return isThere(cursor) ? KeyValueTable.copyOfValue(cursor.unfiltered()) : null;
    } finally {
      of.giveBack(lookup);
    }
  }

  /** See {@link KeyValueTable#get(byte[], int, int, ByteBuffer)}. */
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

  /** Whether there is an entry of that key. */
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
   * A cursor over a range of keys, to be closed by the caller, before or after this.
   *
   * @param from the first key, or null for the beginning; of any length
   * @param to the first key behind, or null for the end; of any length
   * @throws IllegalArgumentException if {@code to} lies before {@code from}
   */
  public EntryCursor cursor(byte @Nullable [] from, byte @Nullable [] to) {
    PartitionRange range = KeyValueTable.range(from, to);
    TableSnapshot shared = snapshot.share();
    try {
      return new EntryCursor(
          shared, range, now, CancelSignal.of("the iterator over " + of + " is closed"));
    } catch (Throwable e) {
      Closeables.closeAfter(shared, e);
      throw e;
    }
  }

  /**
   * A cursor over the keys that begin with a prefix.
   *
   * @param prefix of any length; empty for all keys
   */
  public EntryCursor cursorOfPrefix(byte[] prefix) {
    return cursor(prefix, KeyValueTable.behindPrefix(prefix));
  }

  @Override
  public void close() throws IOException {
    snapshot.close();
  }
}
