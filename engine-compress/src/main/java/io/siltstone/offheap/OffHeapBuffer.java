package io.siltstone.offheap;

import java.nio.ByteBuffer;

/**
 * A block of off-heap memory with one owner, which closes it.
 *
 * <p>May be closed by any thread, more than once. {@link #bytes()} after close throws {@link
 * IllegalStateException}; views taken before must not be used any more, which the owner has to
 * ensure.
 */
public interface OffHeapBuffer extends AutoCloseable {

  /** Returns the size in bytes. */
  int capacity();

  /**
   * Returns the memory as a direct buffer, position 0, limit {@link #capacity()}, big-endian. Each
   * call creates a new view, so callers should keep it.
   */
  ByteBuffer bytes();

  /** Returns the memory to its budget. */
  @Override
  void close();
}
