package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.keyvalue.EntryCursor;
import io.siltstone.keyvalue.KeyBounds;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.rows.QueryFactory;
import io.siltstone.table.Handles;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over entries of a {@link KeyValueStore} in the order of their keys, forward and
 * backward, as they were at one moment, with those of a {@link KeyValueIndexedBatch} if that has
 * opened it. A new iterator is at no entry: call a {@code seek} method first.
 *
 * <pre>{@code
 * try (KeyValueIterator entries = store.iterator()) {
 *   for (entries.seekToFirst(); entries.isValid(); entries.next()) {
 *     ... entries.key(), entries.value() ...
 *   }
 * }
 * }</pre>
 *
 * <p>A step forward allocates nothing. A step backward costs about twice as much, since up to 1,024
 * entries or 1 MiB are copied at a time. The first steps after a seek read through the caches;
 * later ones read ahead, 256 KiB at a time, without filling the caches.
 *
 * <p>Not safe for use by several threads, except that any thread may {@link #cancel} or close it.
 * Closed by its opener, or with the database. After that every method except {@link #close} and
 * {@link #cancel} throws an {@link IllegalStateException}; so does a move that another thread is
 * making at that moment.
 */
public final class KeyValueIterator implements Closeable {
  // The name of the store, whose text is made only when it is needed.
  private final Object name;
  private final EntryCursor cursor;
  private final CancelSignal cancelSignal;
  private final Handles.Lease lease;
  // Created when they are first asked for, since many iterators only copy.
  private @Nullable ReadOnlyViews keys;
  private @Nullable ReadOnlyViews values;
  private @Nullable Duration timeout;
  private @Nullable QueryCancelledException ended;
  private boolean closed;

  private KeyValueIterator(Object name, EntryCursor cursor, Handles handles) {
    this.name = name;
    this.cursor = cursor;
    this.cancelSignal = cursor.closing();
    this.lease = handles.lend("iterator over ", name, this, cursor);
  }

  /** Takes over the cursor, which is closed if this throws. */
  static KeyValueIterator over(Object name, EntryCursor cursor, Handles handles) {
    try {
      return new KeyValueIterator(name, cursor, handles);
    } catch (Throwable e) {
      Closeables.closeAfter(cursor, e);
      throw e;
    }
  }

  // Moves and copies are synchronized, so that another thread cannot close the cursor meanwhile.
  // Views need no lock: they are of arrays on the heap, which stay valid.

  private EntryCursor open() {
    try {
      cancelSignal.throwIfCancelled();
    } catch (CancellationException e) {
      throw end(e);
    }
    return cursor;
  }

  /** Releases what a cancelled iterator holds, and returns what to throw from now on. */
  private synchronized QueryCancelledException end(CancellationException by) {
    QueryCancelledException thrown = ended;
    if (thrown == null) {
      boolean isTimeout = cancelSignal.isTimedOut();
      thrown =
          new QueryCancelledException(
              name.toString(), cursor.reached(), isTimeout ? timeout : null, "an " + this, by);
      ended = thrown;
      cursor.ended(isTimeout);
      try {
        closeCursor();
      } catch (IOException | RuntimeException e) {
        thrown.addSuppressed(e);
      }
    }
    return thrown;
  }

  private EntryCursor valid() {
    EntryCursor present = open();
    if (!present.isValid()) {
      requireOpen();
      throw new IllegalStateException("the " + this + " stands at no entry: seek one first");
    }
    return present;
  }

  // A cursor that another thread is closing is at no entry either: the lock distinguishes the two.
  private synchronized void requireOpen() {
    open();
  }

  /** Returns whether the iterator is at an entry. */
  public boolean isValid() {
    boolean valid = open().isValid();
    if (!valid) {
      // Otherwise an iterator that another thread closes would seem to have reached its end.
      requireOpen();
    }
    return valid;
  }

  /** Moves to the first entry, if there is one. */
  public synchronized void seekToFirst() throws IOException {
    EntryCursor at = open();
    try {
      at.seekToFirst();
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /** Moves to the last entry, if there is one. */
  public synchronized void seekToLast() throws IOException {
    EntryCursor at = open();
    try {
      at.seekToLast();
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /**
   * Moves to the first entry whose key is greater than or equal to this one, if there is one.
   *
   * @param key 0 to 65,536 bytes
   */
  public synchronized void seek(byte[] key) throws IOException {
    requireNonNull(key, "key");
    KeyBounds.requireBound(key);
    EntryCursor at = open();
    try {
      at.seek(key);
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /**
   * Moves to the last entry whose key is less than or equal to this one, if there is one.
   *
   * @param key 0 to 65,536 bytes
   */
  public synchronized void seekForPrev(byte[] key) throws IOException {
    requireNonNull(key, "key");
    KeyBounds.requireBound(key);
    EntryCursor at = open();
    try {
      at.seekForPrev(key);
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /**
   * Moves to the next entry. After the last one the iterator is at no entry.
   *
   * @throws IllegalStateException if the iterator is at no entry
   */
  public synchronized void next() throws IOException {
    EntryCursor at = valid();
    try {
      at.next();
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /**
   * Moves to the previous entry. Before the first one the iterator is at no entry.
   *
   * @throws IllegalStateException if the iterator is at no entry
   */
  public synchronized void prev() throws IOException {
    EntryCursor at = valid();
    try {
      at.previous();
    } catch (CancellationException e) {
      throw end(e);
    }
  }

  /** Returns a copy of the key of the present entry. */
  public synchronized byte[] key() {
    return valid().copyOfKey();
  }

  /** Returns a copy of the value of the present entry. */
  public synchronized byte[] value() {
    return valid().copyOfValue();
  }

  /**
   * Returns a read-only view of the key, without a copy. Valid until the iterator moves or is
   * closed.
   */
  public ByteBuffer keyView() {
    EntryCursor present = valid();
    ReadOnlyViews views = keys;
    if (views == null) {
      views = new ReadOnlyViews();
      keys = views;
    }
    return views.of(present.keyArray(), present.keyOffset(), present.keyLength());
  }

  /**
   * Returns a read-only view of the value, without a copy. Valid until the iterator moves or is
   * closed.
   */
  public ByteBuffer valueView() {
    EntryCursor present = valid();
    ReadOnlyViews views = values;
    if (views == null) {
      views = new ReadOnlyViews();
      values = views;
    }
    return views.of(present.valueArray(), present.valueOffset(), present.valueLength());
  }

  /**
   * Limits the time for which the iterator can be used, from now on; another call sets another
   * limit. A move that runs when the time is over, or a later one, throws a {@link
   * QueryCancelledException} and releases what the iterator holds. The clock is read once in a
   * while, not for each entry; a move that waits for a file ends when the file has answered.
   *
   * @param limit more than 0, at most 365 days
   */
  public synchronized void timeout(Duration limit) {
    long nanos = QueryFactory.requireTimeout(limit).toNanos();
    open();
    timeout = limit;
    cancelSignal.endAfter(nanos, System::nanoTime);
  }

  /**
   * Cancels the iterator, from any thread and without waiting. The move that another thread is
   * making, or the next one, throws a {@link QueryCancelledException} and releases what the
   * iterator holds. It must still be closed by whoever opened it. Does nothing if it is closed.
   */
  public void cancel() {
    cancelSignal.abort();
  }

  @Override
  public void close() throws IOException {
    cancelSignal.cancel();
    closeCursor();
  }

  private synchronized void closeCursor() throws IOException {
    if (!closed) {
      closed = true;
      try {
        cursor.close();
      } finally {
        // Ended last, so that the closing of the database waits for all of this.
        lease.end();
      }
    }
  }

  @Override
  public String toString() {
    return "iterator over " + name;
  }
}
