package io.siltstone.testkit;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.MemoryReservation;
import io.siltstone.offheap.OffHeapBuffer;

/**
 * A memory budget that delegates every call, as a base of wrappers. Closing it closes the other.
 */
@SuppressWarnings("exports") // For tests of the engine only.
public abstract class ForwardingMemory implements MemoryBudget {
  private final MemoryBudget inner;

  /** Takes ownership of the other budget. */
  protected ForwardingMemory(MemoryBudget inner) {
    this.inner = inner;
  }

  @Override
  public long limit() {
    return inner.limit();
  }

  @Override
  public long used() {
    return inner.used();
  }

  @Override
  public long available() {
    return inner.available();
  }

  @Override
  public long used(MemoryKind kind) {
    return inner.used(kind);
  }

  @Override
  public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    return inner.allocate(kind, bytes);
  }

  @Override
  public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    return inner.allocateAligned(kind, bytes, alignment);
  }

  @Override
  public MemoryReservation reserve(MemoryKind kind, long bytes) {
    return inner.reserve(kind, bytes);
  }

  @Override
  public void reclaim() {
    inner.reclaim();
  }

  @Override
  public void close() {
    inner.close();
  }
}
