package io.siltstone.sstable.big;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An off-heap buffer that grows at its end. Numbers are big-endian. Confined to one thread. */
final class GrowingBuffer implements AutoCloseable {
  private static final int FIRST_BYTES = 1024;

  private final MemoryBudget budget;
  private final MemoryKind kind;
  private @Nullable OffHeapBuffer memory;
  private ByteBuffer bytes = ByteBuffer.allocate(0);

  GrowingBuffer(MemoryBudget budget, MemoryKind kind) {
    this.budget = budget;
    this.kind = kind;
  }

  int length() {
    return bytes.position();
  }

  void add(byte[] from, int offset, int length) {
    ensure(length);
    bytes.put(from, offset, length);
  }

  void addInt(int value) {
    ensure(Integer.BYTES);
    bytes.putInt(value);
  }

  void addLong(long value) {
    ensure(Long.BYTES);
    bytes.putLong(value);
  }

  /** Grows the memory to at least the given capacity. */
  void reserve(int capacity) {
    if (bytes.capacity() < capacity) {
      move(capacity);
    }
  }

  private void ensure(int room) {
    if (bytes.remaining() < room) {
      long needed = (long) length() + room;
      long wanted = Math.max(FIRST_BYTES, Math.max(needed, 2L * bytes.capacity()));
      move(Math.toIntExact(Math.max(needed, Math.min(wanted, Integer.MAX_VALUE - 1024))));
    }
  }

  private void move(int capacity) {
    OffHeapBuffer larger = budget.allocate(kind, capacity);
    ByteBuffer target = larger.bytes();
    target.put(bytes.flip());
    close();
    memory = larger;
    bytes = target;
  }

  /** Frees the unused memory. */
  void trim() {
    if (bytes.hasRemaining() && length() > 0) {
      move(length());
    }
  }

  /** Returns the memory, which the caller owns from now on; this buffer is empty. */
  OffHeapBuffer release() {
    OffHeapBuffer released = memory;
    if (released == null) {
      throw new IllegalStateException("nothing was added");
    }
    memory = null;
    bytes = ByteBuffer.allocate(0);
    return released;
  }

  @Override
  public void close() {
    OffHeapBuffer owned = memory;
    memory = null;
    bytes = ByteBuffer.allocate(0);
    if (owned != null) {
      owned.close();
    }
  }
}
