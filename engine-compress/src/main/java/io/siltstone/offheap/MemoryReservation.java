package io.siltstone.offheap;

/**
 * A part of a {@link MemoryBudget} that is in use by memory which a native library allocates
 * itself. May be closed by any thread, more than once.
 */
public interface MemoryReservation extends AutoCloseable {
  /** Returns the bytes to the budget. */
  @Override
  void close();
}
