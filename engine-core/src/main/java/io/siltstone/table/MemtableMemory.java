package io.siltstone.table;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.MemoryReservation;
import io.siltstone.offheap.OffHeapBuffer;

/**
 * The memory budget of memtables: leaves a reserve for flushes, which alone can free what memtables
 * take.
 *
 * <p>Safe for all threads. The underlying budget is closed by its owner, not by this.
 */
final class MemtableMemory implements MemoryBudget {
  private final MemoryBudget all;
  private final long leftBytes;

  /**
   * @param leftBytes the reserve that must remain free after each allocation
   */
  MemtableMemory(MemoryBudget all, long leftBytes) {
    this.all = all;
    this.leftBytes = leftBytes;
  }

  @Override
  public long limit() {
    return all.limit();
  }

  @Override
  public long used() {
    return all.used();
  }

  @Override
  public long available() {
    return all.available();
  }

  @Override
  public long used(MemoryKind kind) {
    return all.used(kind);
  }

  // Synchronized, so that several allocations do not take the reserve together.
  @Override
  public synchronized OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    requireRoom(bytes);
    return all.allocate(kind, bytes);
  }

  @Override
  public synchronized OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    requireRoom(bytes);
    return all.allocateAligned(kind, bytes, alignment);
  }

  @Override
  public synchronized MemoryReservation reserve(MemoryKind kind, long bytes) {
    requireRoom(bytes);
    return all.reserve(kind, bytes);
  }

  /**
   * Checks that so many bytes are free in addition to the reserve.
   *
   * @throws OutOfBudgetException if they are not
   */
  void requireRoom(long bytes) {
    if (bytes > all.available() - leftBytes) {
      all.reclaim();
    }
    long used = all.limit() - all.available();
    if (bytes > all.limit() - used - leftBytes) {
      throw new OutOfBudgetException(
          "memtables ask for "
              + bytes
              + " bytes, "
              + used
              + " of "
              + all.limit()
              + " are in use, and "
              + leftBytes
              + " are left to flushes",
          used);
    }
  }

  @Override
  public void reclaim() {
    all.reclaim();
  }

  @Override
  public void close() {
    // The owner of the underlying budget closes it.
  }
}
