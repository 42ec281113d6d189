package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.keyvalue.KeyBounds;
import io.siltstone.keyvalue.KeyValueTableSnapshot;
import io.siltstone.table.Handles;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all entries of a {@link KeyValueStore}. Entries that expire later are still shown.
 * The memory and files that a snapshot needs are held until it is closed.
 *
 * <p>Safe for use by several threads, but only one of them reads at a time. Closed by its opener,
 * or with the database. Its iterators may be closed before or after it. After it is closed every
 * method except {@link #close} throws an {@link IllegalStateException}.
 */
public final class KeyValueSnapshot implements Closeable {
  // The name of the store, whose text is made only when it is needed.
  private final Object name;
  private final KeyValueTableSnapshot entries;
  private final Engine engine;
  private final Handles.Lease lease;
  private boolean closed;

  private KeyValueSnapshot(Object name, KeyValueTableSnapshot entries, Engine engine) {
    this.name = name;
    this.entries = entries;
    this.engine = engine;
    this.lease = engine.handles.lend("snapshot of ", name, this, entries);
  }

  /** Takes over the entries, which are closed if this throws. */
  static KeyValueSnapshot of(Object name, KeyValueTableSnapshot entries, Engine engine) {
    try {
      return new KeyValueSnapshot(name, entries, engine);
    } catch (Throwable e) {
      Closeables.closeAfter(entries, e);
      throw e;
    }
  }

  private KeyValueTableSnapshot open() {
    if (closed) {
      throw new IllegalStateException("the " + this + " is closed");
    }
    return entries;
  }

  /** Returns the value of a key as {@link KeyValueStore#get(byte[])}. */
  public synchronized byte @Nullable [] get(byte[] key) throws IOException {
    requireNonNull(key, "key");
    return open().get(key, 0, key.length);
  }

  /** Returns the values of many keys as {@link KeyValueStore#multiGet}. */
  public synchronized List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException {
    requireNonNull(keys, "keys");
    return open().multiGet(keys);
  }

  /** Copies the value of a key as {@link KeyValueStore#get(byte[], ByteBuffer)}. */
  public int get(byte[] key, ByteBuffer into) throws IOException {
    requireNonNull(key, "key");
    return get(key, 0, key.length, into);
  }

  /** Copies the value of a key as {@link KeyValueStore#get(byte[], int, int, ByteBuffer)}. */
  public synchronized int get(byte[] key, int offset, int length, ByteBuffer into)
      throws IOException {
    requireNonNull(key, "key");
    requireNonNull(into, "into");
    return open().get(key, offset, length, into);
  }

  /** Returns whether there is an entry as {@link KeyValueStore#contains(byte[])}. */
  public synchronized boolean contains(byte[] key) throws IOException {
    requireNonNull(key, "key");
    return open().contains(key, 0, key.length);
  }

  /** Returns an iterator over all entries, to be closed by the caller. */
  public KeyValueIterator iterator() throws IOException {
    return iterator(null, null);
  }

  /** Returns an iterator over a range of keys as {@link KeyValueStore#iterator(byte[], byte[])}. */
  public KeyValueIterator iterator(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return engine.inside(
        () -> {
          synchronized (this) {
            return KeyValueIterator.over(name, open().cursor(from, to), engine.handles);
          }
        });
  }

  /**
   * Returns an iterator over a range of keys as {@link KeyValueStore#iterator(byte[], boolean,
   * byte[], boolean)}.
   */
  public KeyValueIterator iterator(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive)
      throws IOException {
    KeyBounds bounds = KeyBounds.of(from, fromInclusive, to, toInclusive);
    return iterator(bounds.from(), bounds.to());
  }

  /** Returns an iterator over a prefix as {@link KeyValueStore#iteratorOfPrefix(byte[])}. */
  public KeyValueIterator iteratorOfPrefix(byte[] prefix) throws IOException {
    requireNonNull(prefix, "prefix");
    KeyBounds bounds = KeyBounds.ofPrefix(prefix);
    return iterator(bounds.from(), bounds.to());
  }

  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        entries.close();
      } finally {
        // Ended last, so that the closing of the database waits for all of this.
        lease.end();
      }
    }
  }

  @Override
  public String toString() {
    return "snapshot of " + name;
  }
}
