package io.siltstone.table;

import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;

/**
 * A budget as memtables see it: they leave to a flush what it needs, as only that frees what they
 * take.
 *
 * <p>Safe for all threads. The budget is closed by its owner, not by this.
 */
final class MemtableMemory implements MemoryBudget {
  private final MemoryBudget all;
  private final long leftBytes;

  /**
   * @param leftBytes that must be free behind each allocation
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
  public long used(MemoryKind kind) {
    return all.used(kind);
  }

  // One after the other, so that several do not take together what each might take alone.
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

  /**
   * Throws unless so many bytes are free beside those that are left to flushes.
   *
   * @throws OutOfBudgetException if they are not
   */
  void requireRoom(long bytes) {
    if (bytes > all.limit() - all.used() - leftBytes) {
      all.reclaim();
    }
    long used = all.used();
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
    // Its owner's.
  }
}
