package io.siltstone.offheap;

import java.nio.ByteBuffer;

/**
 * A piece of off-heap memory with one owner, who closes it.
 *
 * <p>Safe to close from any thread, more than once. {@link #bytes()} after close throws {@link
 * IllegalStateException}; views taken before must not be used any more, which the owner has to
 * ensure.
 */
public interface OffHeapBuffer extends AutoCloseable {

  /** Size in bytes. */
  int capacity();

  /**
   * The memory as a direct buffer, position 0, limit {@link #capacity()}, big-endian. Each call
   * makes a new view: take one and keep it.
   */
  ByteBuffer bytes();

  /** Gives the memory back to its budget. */
  @Override
  void close();
}
