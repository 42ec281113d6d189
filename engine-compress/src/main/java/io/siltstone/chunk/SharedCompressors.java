package io.siltstone.chunk;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.MemoryReservation;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compressors with which open files are read. Files with the same dictionary share one, so that
 * the dictionary is prepared once, and its bytes are once on the heap; its native memory is counted
 * as {@link MemoryKind#COMPRESSION_DICTIONARY}, and freed with the last of these files.
 *
 * <p>Safe for use by all threads. There is nothing to close: what is in use belongs to the leases.
 */
public final class SharedCompressors {
  /**
   * An estimate of the native memory in bytes that decompression takes besides the dictionary
   * itself: its tables and two contexts. The library does not report it.
   */
  static final int READING_BYTES = 384 << 10;

  private final MemoryBudget budget;
  private final Map<CompressionDictionary, Shared> inUse = new HashMap<>();

  /**
   * @param budget of the native memory, not taken over
   */
  public SharedCompressors(MemoryBudget budget) {
    this.budget = budget;
  }

  /** A use of a compressor, which ends when it is closed. */
  interface Lease extends Closeable {
    Compressor compressor();

    /** Returns the dictionary that all users of the compressor share; null without one. */
    default @Nullable CompressionDictionary dictionary() {
      return null;
    }
  }

  /**
   * Returns a compressor for the files that were written with some options, to be given back by
   * closing the lease.
   *
   * @throws io.siltstone.memory.OutOfBudgetException if the budget has no room for the dictionary
   */
  Lease acquire(CompressionOptions options) {
    CompressionDictionary dictionary = options.dictionary();
    if (dictionary == null) {
      return new Own(options.newCompressor());
    }
    synchronized (inUse) {
      Shared shared = inUse.get(dictionary);
      if (shared == null) {
        MemoryReservation memory =
            budget.reserve(
                MemoryKind.COMPRESSION_DICTIONARY, READING_BYTES + (long) dictionary.length());
        try {
          shared = new Shared(dictionary, options.newCompressor(), memory);
        } catch (Throwable e) {
          memory.close();
          throw e;
        }
        inUse.put(dictionary, shared);
      }
      shared.users++;
      return new SharedLease(shared);
    }
  }

  private void release(Shared shared) throws IOException {
    synchronized (inUse) {
      if (--shared.users > 0) {
        return;
      }
      inUse.remove(shared.dictionary);
    }
    try (shared.memory) {
      shared.compressor.close();
    }
  }

  /** A compressor without a dictionary, which has no native memory of its own. */
  private record Own(Compressor compressor) implements Lease {
    @Override
    public void close() throws IOException {
      compressor.close();
    }
  }

  private static final class Shared {
    private final CompressionDictionary dictionary;
    private final Compressor compressor;
    private final MemoryReservation memory;
    // Guarded by inUse.
    private int users;

    Shared(CompressionDictionary dictionary, Compressor compressor, MemoryReservation memory) {
      this.dictionary = dictionary;
      this.compressor = compressor;
      this.memory = memory;
    }
  }

  private final class SharedLease implements Lease {
    private final Shared shared;
    // Guarded by this.
    private boolean isClosed;

    SharedLease(Shared shared) {
      this.shared = shared;
    }

    @Override
    public Compressor compressor() {
      return shared.compressor;
    }

    @Override
    public CompressionDictionary dictionary() {
      return shared.dictionary;
    }

    @Override
    public void close() throws IOException {
      synchronized (this) {
        if (isClosed) {
          return;
        }
        isClosed = true;
      }
      release(shared);
    }
  }
}
