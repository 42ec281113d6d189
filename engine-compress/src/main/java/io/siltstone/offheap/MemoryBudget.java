package io.siltstone.offheap;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;

/**
 * Off-heap memory of one database (or one tool): allocates, counts, and enforces a limit.
 *
 * <p>Safe for all threads.
 */
public interface MemoryBudget extends AutoCloseable {

  /** The limit in bytes. */
  long limit();

  /** Bytes in use, over all kinds. */
  long used();

  /** Bytes in use of one kind. */
  long used(MemoryKind kind);

  /**
   * Allocates uninitialized memory.
   *
   * @param kind what it is for
   * @param bytes size, at least 1
   * @return the buffer, owned by the caller
   * @throws OutOfBudgetException if the limit would be exceeded
   * @throws IllegalStateException after close
   */
  OffHeapBuffer allocate(MemoryKind kind, int bytes);

  /**
   * As {@link #allocate} with the address a multiple of {@code alignment}, for direct I/O.
   *
   * @param alignment a power of two, 1 MiB at most; padding counts as used
   */
  OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment);

  /**
   * Has given back what is kept for speed alone. Done before memory is refused; for those who
   * refuse it themselves.
   */
  void reclaim();

  /**
   * Ends it. Buffers still in use are an {@link IllegalStateException} that says how much of which
   * kind.
   */
  @Override
  void close();
}
