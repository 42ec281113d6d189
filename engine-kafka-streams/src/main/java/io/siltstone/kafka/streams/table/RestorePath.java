package io.siltstone.kafka.streams.table;

import io.siltstone.KeyValueStore;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The path that restored entries take into the table of a store. The first ones are written as all
 * others are. If there are more than a few megabytes, those that follow are collected in a {@link
 * BulkRestore}, which ends with the next read or change of the store, when it is large, or when the
 * restore does not go on.
 *
 * <p>Offsets that are committed meanwhile are written after the entries: if a crash comes before
 * that, the table has the offsets of before, and the changelog is read from there again. If a bulk
 * restore fails, the offsets must never be written, and the entries that are missing must not be
 * taken for deleted, so that every commit, read and change fails until the store is opened again.
 *
 * <p>Safe for use by all threads.
 */
final class RestorePath {
  /** The size of what is restored entry by entry, and that a bulk restore is worth. */
  static final long LEAST_BULK_BYTES = 4L << 20;

  // Bounds what a crash can make to be restored again, and the temporary files.
  private static final long MOST_BULK_BYTES = 128L << 20;

  /** The size of what is restored entry by entry after a bulk restore that was ended early. */
  static final long EARLY_END_BYTES = 64L << 20;

  private final KeyValueStore entries;
  private final Semaphore permits;

  // Changed with the lock of this held.
  private volatile @Nullable BulkRestore bulk;
  // Guarded by this.
  private long written;
  private @Nullable StoreState committed;
  // True if a bulk restore has become durable and the offsets that belong to it have not.
  private boolean isAhead;
  // Changed with the lock of this held.
  private volatile @Nullable Throwable failure;

  RestorePath(KeyValueStore entries, Semaphore permits) {
    this.entries = entries;
    this.permits = permits;
  }

  /** Restores an entry, or its deletion if the value is null. */
  synchronized void write(byte[] key, byte @Nullable [] value) throws IOException {
    requireIntact();
    BulkRestore present = bulk;
    if (present == null) {
      written += key.length + (value == null ? 0 : value.length);
      if (written >= LEAST_BULK_BYTES) {
        present = BulkRestore.begin(entries, permits);
        bulk = present;
      }
    }
    if (present == null) {
      StateTable.write(entries, key, value);
      return;
    }
    try {
      present.write(key, value);
    } catch (Throwable e) {
      failed(present, e);
      throw e;
    }
    if (present.bytes() >= MOST_BULK_BYTES) {
      end(present);
    }
  }

  /** Makes all that was restored visible. Called before each read and change. */
  void end() throws IOException {
    if (bulk != null || failure != null) {
      endPresent();
    }
  }

  private synchronized void endPresent() throws IOException {
    requireIntact();
    BulkRestore present = bulk;
    if (present != null) {
      if (present.bytes() < LEAST_BULK_BYTES) {
        // It has cost more than it has saved, and so would the next one as long as there are reads.
        written = LEAST_BULK_BYTES - EARLY_END_BYTES;
      }
      end(present);
    }
  }

  /**
   * Ends a bulk restore to which little has come since the last call. The next one begins when more
   * has come again.
   */
  synchronized void endIfSlow() throws IOException {
    BulkRestore present = bulk;
    if (present != null && present.isSlow()) {
      written = 0;
      end(present);
    }
  }

  private void end(BulkRestore present) throws IOException {
    try (present) {
      present.commit();
      bulk = null;
      StoreState state = committed;
      committed = null;
      if (state != null) {
        entries.put(KeyForm.STATE, state.toBytes());
        entries.table().flush();
      }
      isAhead = state == null;
    } catch (Throwable e) {
      bulk = null;
      failure = e;
      throw e;
    }
  }

  private void failed(BulkRestore present, Throwable e) {
    bulk = null;
    failure = e;
    try {
      present.close();
    } catch (IOException | RuntimeException also) {
      e.addSuppressed(also);
    }
  }

  /**
   * Keeps the state until the entries that belong to it are in the table.
   *
   * @return false if they are already, so that the state is to be written now
   */
  synchronized boolean keep(StoreState state) throws IOException {
    requireIntact();
    if (bulk == null) {
      return false;
    }
    committed = state;
    return true;
  }

  /**
   * Called when a state was written that was not kept. It is flushed if it is the first one after
   * entries that are durable already, which would all be restored again after a crash otherwise.
   */
  synchronized void written() throws IOException {
    if (isAhead) {
      entries.table().flush();
      isAhead = false;
    }
  }

  private void requireIntact() throws IOException {
    Throwable e = failure;
    if (e != null) {
      throw new IOException(
          "a restore into "
              + entries
              + " has failed before, so that the store has to be opened again",
          e);
    }
  }
}
