package io.siltstone.testkit;

import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OffHeapBuffer;
import java.nio.ByteBuffer;

/** Another budget whose buffers are noted while they are in use. */
final class WatchedMemory implements MemoryBudget {
  private final MemoryBudget inner;
  private final OpenResources open;

  WatchedMemory(MemoryBudget inner, OpenResources open) {
    this.inner = inner;
    this.open = open;
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
  public long used(MemoryKind kind) {
    return inner.used(kind);
  }

  @Override
  public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    return new Buffer(inner.allocate(kind, bytes));
  }

  @Override
  public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    return new Buffer(inner.allocateAligned(kind, bytes, alignment));
  }

  @Override
  public void reclaim() {
    inner.reclaim();
  }

  @Override
  public void close() {
    inner.close();
  }

  private final class Buffer implements OffHeapBuffer {
    private final OffHeapBuffer buffer;
    private final OpenResources.Token token;

    Buffer(OffHeapBuffer buffer) {
      this.buffer = buffer;
      this.token = open.add(buffer.toString(), buffer);
    }

    @Override
    public int capacity() {
      return buffer.capacity();
    }

    @Override
    public ByteBuffer bytes() {
      return buffer.bytes();
    }

    @Override
    public void close() {
      open.remove(token);
      buffer.close();
    }

    @Override
    public String toString() {
      return buffer.toString();
    }
  }
}
