package io.siltstone.testkit;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;

/** A memory budget that registers its buffers while they are in use. */
final class WatchedMemory extends ForwardingMemory {
  private final OpenResources open;

  WatchedMemory(MemoryBudget inner, OpenResources open) {
    super(inner);
    this.open = open;
  }

  @Override
  public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    return new Buffer(super.allocate(kind, bytes));
  }

  @Override
  public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    return new Buffer(super.allocateAligned(kind, bytes, alignment));
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
