package io.siltstone.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A decompressed chunk in off-heap memory, counted by those who use it: the cache while it holds
 * it, and each reader while it copies. The last one to let go gives the memory back.
 *
 * <p>It is its own key, which saves an object for each chunk. Safe for all threads.
 */
final class CachedChunk extends ChunkId {
  private static final AtomicIntegerFieldUpdater<CachedChunk> USERS =
      AtomicIntegerFieldUpdater.newUpdater(CachedChunk.class, "users");

  private final Slabs slabs;
  private final Slab slab;
  // The slab's, one step nearer: a chunk that is found has rarely been looked at of late, so that
  // each object on the way to its bytes is waited for.
  private final ByteBuffer content;

  // The first user is who makes it.
  private volatile int users = 1;

  /** Takes the slab over, which holds the chunk. */
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
   * Becomes a user, who has to {@link #release} it.
   *
   * @return false if it is gone
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

  /** Ceases to be a user. */
  void release() {
    if (USERS.decrementAndGet(this) == 0) {
      slabs.giveBack(slab);
    }
  }

  /** Copies bytes from {@code from} on; only for users. */
  void copy(int from, byte[] dst, int offset, int count) {
    content.get(from, dst, offset, count);
  }
}
