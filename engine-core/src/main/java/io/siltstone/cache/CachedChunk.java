package io.siltstone.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A decompressed chunk in off-heap memory with a reference count: the cache holds one reference,
 * and each reader one while it copies. The last release frees the memory.
 *
 * <p>It is its own key in the cache, which saves an object per chunk. Safe for use by all threads.
 */
final class CachedChunk extends ChunkId {
  private static final AtomicIntegerFieldUpdater<CachedChunk> USERS =
      AtomicIntegerFieldUpdater.newUpdater(CachedChunk.class, "users");

  private final Slabs slabs;
  private final Slab slab;
  // The slab's memory, without the step through the slab: a chunk that is found was rarely read
  // recently, so each object on the way to its bytes costs a cache miss.
  private final ByteBuffer content;

  // The creator holds the first reference.
  private volatile int users = 1;

  /** Creates a chunk that owns the slab with its bytes. */
  CachedChunk(long file, long chunk, Slabs slabs, Slab slab) {
    super(file, chunk);
    this.slabs = slabs;
    this.slab = slab;
    this.content = slab.bytes();
  }

  /** Returns the number of bytes of memory it takes. */
  int bytes() {
    return slab.memory().capacity();
  }

  /**
   * Takes a reference, to be {@linkplain #release released}.
   *
   * @return false if the memory was freed
   */
  boolean retain() {
    while (true) {
      int before = users;
      if (before == 0) {
        return false;
      }
      if (USERS.compareAndSet(this, before, before + 1)) {
        return true;
      }
    }
  }

  /** Releases a reference. */
  void release() {
    if (USERS.decrementAndGet(this) == 0) {
      slabs.giveBack(slab);
    }
  }

  /** Copies bytes from {@code from} on; the caller holds a reference. */
  void copy(int from, byte[] dst, int offset, int count) {
    content.get(from, dst, offset, count);
  }
}
