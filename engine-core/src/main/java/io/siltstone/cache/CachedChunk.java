package io.siltstone.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A decompressed chunk in off-heap memory with a reference count: the cache holds one reference,
 * and each reader one while it copies. The last release frees the memory.
 *
 * <p>It is its own key in the eviction policy, which saves an object per chunk. Two chunks are
 * equal only if they are the same object: {@link ChunkIndex} makes sure that there is one per
 * number. The hash is that of file and number, by which the policy knows a chunk that it had
 * before.
 *
 * <p>Safe for use by all threads.
 */
final class CachedChunk {
  private static final VarHandle USERS;

  static {
    try {
      USERS = MethodHandles.lookup().findVarHandle(CachedChunk.class, "users", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final CachedFile file;
  private final long number;
  private final Slabs slabs;
  private final Slab slab;
  // The slab's memory, without the step through the slab: a chunk that is found was rarely read
  // recently, so each object on the way to its bytes costs a cache miss.
  private final ByteBuffer content;

  // The creator holds the first reference.
  private volatile int users = 1;

  /** Creates a chunk that owns the slab with its bytes. */
  CachedChunk(CachedFile file, long number, Slabs slabs, Slab slab) {
    this.file = file;
    this.number = number;
    this.slabs = slabs;
    this.slab = slab;
    this.content = slab.bytes();
  }

  /** Returns the file that it belongs to. */
  CachedFile file() {
    return file;
  }

  /** Returns its number in the file, from 0 on. */
  long number() {
    return number;
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
    if ((int) USERS.getAndAdd(this, -1) == 1) {
      slabs.giveBack(slab);
    }
  }

  /** Copies bytes from {@code from} on; the caller holds a reference. */
  void copy(int from, byte[] dst, int offset, int count) {
    content.get(from, dst, offset, count);
  }

  /** Returns the hash of a chunk of a file, which is the same each time it is cached. */
  static int hash(long file, long number) {
    long mixed = (file * 0x9e37_79b9_7f4a_7c15L + number) * 0xc2b2_ae3d_27d4_eb4fL;
    return (int) (mixed ^ mixed >>> 32);
  }

  @Override
  public int hashCode() {
    return hash(file.number(), number);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }
}
