package io.siltstone;

import io.siltstone.cursor.Closing;
import io.siltstone.table.Closer;
import io.siltstone.table.EntryCursor;
import io.siltstone.table.Handles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks through entries of a {@link KeyValueStore} in the order of their keys, forward and back, as
 * they were at one moment. Stands at no entry until one is sought.
 *
 * <pre>{@code
 * try (KeyValueIterator entries = store.iterator()) {
 *   for (entries.seekToFirst(); entries.isValid(); entries.next()) {
 *     ... entries.key(), entries.value() ...
 *   }
 * }
 * }</pre>
 *
 * <p>A step forward allocates nothing. Going back copies stretches of at most 1,024 entries or 1
 * MiB, and costs about twice as much. The first steps after a seek read through the caches; those
 * after them read ahead, 256 KiB at a time, and leave the caches alone.
 *
 * <p>Confined to one thread; but any thread may close it, which gives up the move that is being
 * made. Closed by its opener, or with the database; such a move, and a call after that, is an
 * {@link IllegalStateException}.
 */
public final class KeyValueIterator implements Closeable {
  private final String name;
  private final EntryCursor cursor;
  private final Closing closing;
  private final Handles.Lease lease;
  private final ReusedViews keys = new ReusedViews();
  private final ReusedViews values = new ReusedViews();
  private boolean closed;

  private KeyValueIterator(String name, EntryCursor cursor, Handles handles) {
    this.name = name;
    this.cursor = cursor;
    this.closing = cursor.closing();
    this.lease = handles.lend(this.toString(), this, cursor);
  }

  /** Takes over the cursor, which is closed if this throws. */
  static KeyValueIterator over(String name, EntryCursor cursor, Handles handles) {
    try {
      return new KeyValueIterator(name, cursor, handles);
    } catch (Throwable e) {
      Closer.closeAfter(cursor, e);
      throw e;
    }
  }

  // Whoever moves or copies holds the lock, so that nobody closes meanwhile. Views need none: they
  // are of arrays on the heap, which stay there.

  private EntryCursor open() {
    closing.check();
    return cursor;
  }

  private EntryCursor valid() {
    EntryCursor present = open();
    if (!present.isValid()) {
      requireOpen();
      throw new IllegalStateException("the " + this + " stands at no entry: seek one first");
    }
    return present;
  }

  // A cursor that is being closed stands nowhere either: the lock tells the two apart.
  private synchronized void requireOpen() {
    open();
  }

  /** Whether it stands at an entry. */
  public boolean isValid() {
    boolean valid = open().isValid();
    if (!valid) {
      // Otherwise one that another thread closes would seem to have come to its end.
      requireOpen();
    }
    return valid;
  }

  /** Moves to the first entry, if there is one. */
  public synchronized void seekToFirst() throws IOException {
    open().seekToFirst();
  }

  /** Moves to the last entry, if there is one. */
  public synchronized void seekToLast() throws IOException {
    open().seekToLast();
  }

  /** Moves to the first entry whose key is {@code key} or behind it, if there is one. */
  public synchronized void seek(byte[] key) throws IOException {
    open().seek(key);
  }

  /** Moves to the last entry whose key is {@code key} or before it, if there is one. */
  public synchronized void seekForPrev(byte[] key) throws IOException {
    open().seekForPrev(key);
  }

  /**
   * Moves to the next entry; behind the last one it stands at none.
   *
   * @throws IllegalStateException if it stands at none
   */
  public synchronized void next() throws IOException {
    valid().next();
  }

  /**
   * Moves to the entry before; before the first one it stands at none.
   *
   * @throws IllegalStateException if it stands at none
   */
  public synchronized void prev() throws IOException {
    valid().previous();
  }

  /** A copy of the key. */
  public synchronized byte[] key() {
    return valid().copyOfKey();
  }

  /** A copy of the value. */
  public synchronized byte[] value() {
    return valid().copyOfValue();
  }

  /** A read-only view of the key without a copy; until the next move or close, not to be kept. */
  public ByteBuffer keyView() {
    EntryCursor present = valid();
    return keys.of(present.keyArray(), present.keyOffset(), present.keyLength());
  }

  /** A read-only view of the value without a copy; until the next move or close, not to be kept. */
  public ByteBuffer valueView() {
    EntryCursor present = valid();
    return values.of(present.valueArray(), present.valueOffset(), present.valueLength());
  }

  @Override
  public void close() throws IOException {
    closing.begin();
    closeCursor();
  }

  private synchronized void closeCursor() throws IOException {
    if (!closed) {
      closed = true;
      try {
        cursor.close();
      } finally {
        // Last, so that a database that is being closed waits for this.
        lease.end();
      }
    }
  }

  @Override
  public String toString() {
    return "iterator over " + name;
  }
}
