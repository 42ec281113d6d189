package io.siltstone.offheap;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;

/**
 * The budget of the off-heap memory of one database or tool: allocates, counts, and enforces a
 * limit.
 *
 * <p>Safe for use by all threads.
 */
public interface MemoryBudget extends AutoCloseable {

  /** Returns the limit in bytes. */
  long limit();

  /** Returns the bytes in use, over all kinds. */
  long used();

  /**
   * Returns the bytes that can still be allocated. Less than what is not in use here if others take
   * from the same limit.
   */
  default long available() {
    return limit() - used();
  }

  /** Returns the bytes in use of one kind. */
  long used(MemoryKind kind);

  /**
   * Allocates uninitialized memory.
   *
   * @param kind use of the memory
   * @param bytes size, at least 1
   * @return the buffer, owned by the caller
   * @throws OutOfBudgetException if the limit would be exceeded
   * @throws IllegalStateException after close
   */
  OffHeapBuffer allocate(MemoryKind kind, int bytes);

  /**
   * Allocates memory whose address is a multiple of {@code alignment}, for direct I/O; otherwise as
   * {@link #allocate}.
   *
   * @param alignment a power of two, 1 MiB at most; padding counts as used
   */
  OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment);

  /**
   * Counts memory that a native library allocates itself, so that the limit includes it.
   *
   * @param bytes size, at least 1
   * @return the reservation, owned by the caller
   * @throws OutOfBudgetException if the limit would be exceeded
   * @throws IllegalStateException after close
   */
  MemoryReservation reserve(MemoryKind kind, long bytes);

  /**
   * Frees memory that is only kept for speed, such as caches. The budget calls it before it refuses
   * an allocation; callers with a limit of their own call it before they refuse one.
   */
  void reclaim();

  /**
   * Closes the budget. If buffers are still in use, throws an {@link IllegalStateException} with
   * the number of bytes of each kind.
   */
  @Override
  void close();
}
