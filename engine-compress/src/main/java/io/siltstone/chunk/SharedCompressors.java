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
 * The compressors with which open files are read. Files share one that {@linkplain
 * CompressionOptions#hasContexts keeps native memory}, and free it with the last of them. So those
 * with the same dictionary have it once on the heap, and once prepared; its native memory is
 * counted as {@link MemoryKind#COMPRESSION_DICTIONARY}.
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
  private final Map<Key, Shared> inUse = new HashMap<>();

  /** The settings that decompression depends on; levels and the like are for compression. */
  private record Key(String className, @Nullable CompressionDictionary dictionary) {}

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
    if (!options.hasContexts()) {
      return new Own(options.newCompressor());
    }
    Key key = new Key(options.className(), options.dictionary());
    synchronized (inUse) {
      Shared shared = inUse.get(key);
      if (shared == null) {
        shared = share(key, options);
        inUse.put(key, shared);
      }
      shared.users++;
      return new SharedLease(shared);
    }
  }

  private Shared share(Key key, CompressionOptions options) {
    CompressionDictionary dictionary = options.dictionary();
    if (dictionary == null) {
      return new Shared(key, options.newCompressor(), null);
    }
    MemoryReservation memory =
        budget.reserve(
            MemoryKind.COMPRESSION_DICTIONARY, READING_BYTES + (long) dictionary.length());
    try {
      return new Shared(key, options.newCompressor(), memory);
    } catch (Throwable e) {
      memory.close();
      throw e;
    }
  }

  private void release(Shared shared) throws IOException {
    synchronized (inUse) {
      if (--shared.users > 0) {
        return;
      }
      inUse.remove(shared.key);
    }
    MemoryReservation memory = shared.memory;
    try (memory) {
      shared.compressor.close();
    }
  }

  /** A compressor that has no native memory of its own. */
  private record Own(Compressor compressor) implements Lease {
    @Override
    public void close() throws IOException {
      compressor.close();
    }
  }

  private static final class Shared {
    private final Key key;
    private final Compressor compressor;
    private final @Nullable MemoryReservation memory;
    // Guarded by inUse.
    private int users;

    Shared(Key key, Compressor compressor, @Nullable MemoryReservation memory) {
      this.key = key;
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
    public @Nullable CompressionDictionary dictionary() {
      return shared.key.dictionary();
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
