package io.siltstone.sstable;

import io.siltstone.threads.Closeables;
import io.siltstone.threads.Failures;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of point readers of all SSTables of a database: creating one costs several times as much
 * as a read.
 *
 * <pre>
 *   PartitionReader reader = readers.acquire(table);
 *   try { ... } finally { readers.release(reader); }
 * </pre>
 *
 * Each pooled reader has a place in an array, which is searched from an index that depends on
 * thread and SSTable; no lock is taken, and threads rarely access the same place. When all places
 * are taken, a released reader replaces another one, which is closed. Any number of threads can
 * read at once: if the pool has no reader, a new one is created.
 *
 * <p>Safe for use by all threads. The owner closes it, before the SSTables; an SSTable that is
 * closed earlier is {@linkplain #evict evicted} first.
 */
public final class PartitionReaders implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionReaders.class);

  // Places are so far from each other that each has a cache line of its own.
  private static final int DISTANCE = 16;

  private final AtomicReferenceArray<@Nullable PartitionReader> idle;
  private final int places;
  private volatile boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param places maximum number of pooled readers, 1 or more
   */
  public PartitionReaders(int places) {
    if (places < 1) {
      throw new IllegalArgumentException(places + " readers at rest, allowed 1 or more");
    }
    this.places = places;
    this.idle = new AtomicReferenceArray<>(places * DISTANCE);
  }

  /**
   * Returns a reader of the SSTable, pooled or new, for the current thread, which has to {@link
   * #release} it.
   */
  public PartitionReader acquire(SSTable table) throws IOException {
    if (closed) {
      throw new IllegalStateException("readers are closed");
    }
    int place = firstPlace(table);
    for (int i = 0; i < places; i++) {
      PartitionReader reader = idle.get(place);
      if (reader != null && reader.table() == table && idle.compareAndSet(place, reader, null)) {
        return reader;
      }
      place = next(place);
    }
    return table.reader();
  }

  /** Returns a reader to the pool, or closes it. The caller must not use its content any more. */
  public void release(PartitionReader reader) throws IOException {
    reader.releaseBuffers();
    PartitionReader displaced = rest(reader);
    if (closed) {
      close();
    }
    if (displaced != null) {
      displaced.close();
    }
  }

  private @Nullable PartitionReader rest(PartitionReader reader) {
    int first = firstPlace(reader.table());
    int place = first;
    for (int i = 0; i < places; i++) {
      if (idle.get(place) == null && idle.compareAndSet(place, null, reader)) {
        return null;
      }
      place = next(place);
    }
    return idle.getAndSet(first, reader);
  }

  private int firstPlace(SSTable table) {
    long mixed =
        System.identityHashCode(table) * 0x9e37_79b9_7f4a_7c15L
            + Thread.currentThread().getId() * 0xc2b2_ae3d_27d4_eb4fL;
    return (int) (((mixed >>> 32) * places) >>> 32) * DISTANCE;
  }

  private int next(int place) {
    return place + DISTANCE == idle.length() ? 0 : place + DISTANCE;
  }

  /** Returns the number of pooled readers. */
  public int size() {
    int count = 0;
    for (int place = 0; place < idle.length(); place += DISTANCE) {
      count += idle.get(place) == null ? 0 : 1;
    }
    return count;
  }

  /** Closes the pooled readers of an SSTable; none of its readers may be in use any more. */
  public void evict(SSTable table) throws IOException {
    closeAll(table);
  }

  /** Closes the pooled readers, to free their memory. */
  public void clear() {
    try {
      closeAll(null);
    } catch (IOException e) {
      LOG.warn("a reader at rest could not be closed", e);
    }
  }

  /** Closes the pooled readers, and those in use when they are released. */
  @Override
  public void close() throws IOException {
    closed = true;
    closeAll(null);
  }

  private void closeAll(@Nullable SSTable table) throws IOException {
    Throwable failure = null;
    for (int place = 0; place < idle.length(); place += DISTANCE) {
      PartitionReader reader = idle.get(place);
      if (reader != null
          && (table == null || reader.table() == table)
          && idle.compareAndSet(place, reader, null)) {
        failure = Closeables.close(reader, failure);
      }
    }
    Failures.rethrow(failure);
  }
}
