package io.siltstone.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A {@link MemoryBudget} on a pooled allocator of its own.
 *
 * <p>The allocator is netty's pooled one, made here with few arenas and no thread caches: buffers
 * are large, live long and are returned by other threads than took them, which is what caches do
 * badly. What is counted is the size asked for. Safe for all threads.
 *
 * <p>A closed budget leaves up to 2 MiB of free memory to netty, which gives it back when the
 * garbage collector finds the budget unused: share one budget rather than make one per operation.
 */
public final class PooledMemory implements MemoryBudget {
  // Two arenas keep two threads from waiting for each other; more would only spread free memory
  // thinner.
  private static final int ARENAS = 2;
  private static final int PAGE_BYTES = 8192;
  // Pages per pooled region: 8192 << 7 is 1 MiB; anything larger is allocated for itself. An arena
  // keeps its last region until it is collected, so a region is also what a closed budget leaves.
  private static final int MAX_ORDER = 7;
  // More than any block size; an alignment is paid for in padding.
  private static final int MAX_ALIGNMENT = 1 << 20;

  private final long limit;
  private final PooledByteBufAllocator allocator =
      new PooledByteBufAllocator(
          // Alignment is ours to see to: netty's needs Unsafe, which newer JVMs keep from it.
          true, 0, ARENAS, PAGE_BYTES, MAX_ORDER, 0, 0, false, 0);
  private final AtomicLong used = new AtomicLong();
  private final AtomicLongArray usedByKind = new AtomicLongArray(MemoryKind.values().length);
  private final AtomicBoolean closed = new AtomicBoolean();

  private PooledMemory(long limit) {
    this.limit = limit;
  }

  /**
   * A budget of {@code bytes}.
   *
   * @throws IllegalArgumentException unless it is positive
   */
  public static PooledMemory withLimit(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("memory limit " + bytes + ", allowed 1 and more");
    }
    return new PooledMemory(bytes);
  }

  /** A budget that counts but does not refuse. */
  public static PooledMemory unlimited() {
    return new PooledMemory(Long.MAX_VALUE);
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long used() {
    return used.get();
  }

  @Override
  public long used(MemoryKind kind) {
    return usedByKind.get(index(kind));
  }

  @Override
  public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    return allocateAligned(kind, bytes, 1);
  }

  @Override
  public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    if (bytes < 1
        || alignment < 1
        || alignment > MAX_ALIGNMENT
        || Integer.bitCount(alignment) != 1) {
      throw new IllegalArgumentException(
          "allocation of "
              + bytes
              + " bytes aligned to "
              + alignment
              + ", allowed are 1 byte and more, and powers of two to "
              + MAX_ALIGNMENT);
    }
    long padded = bytes + (long) (alignment > 1 ? alignment : 0);
    if (padded > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("allocation of " + padded + " bytes");
    }
    reserve(kind, padded);
    try {
      ByteBuf memory = allocator.directBuffer((int) padded, (int) padded);
      return new Buffer(kind, memory, bytes, alignment, padded);
    } catch (Throwable e) {
      giveBack(kind, padded);
      throw e;
    }
  }

  private void reserve(MemoryKind kind, long bytes) {
    if (closed.get()) {
      throw new IllegalStateException("memory budget is closed");
    }
    long before;
    do {
      before = used.get();
      if (bytes > limit - before) {
        throw new OutOfBudgetException(
            kind
                + " asks for "
                + bytes
                + " bytes, "
                + before
                + " of "
                + limit
                + " are in use: "
                + byKind());
      }
    } while (!used.compareAndSet(before, before + bytes));
    usedByKind.addAndGet(index(kind), bytes);
  }

  private void giveBack(MemoryKind kind, long bytes) {
    usedByKind.addAndGet(index(kind), -bytes);
    used.addAndGet(-bytes);
  }

  private String byKind() {
    StringJoiner parts = new StringJoiner(", ");
    for (MemoryKind kind : MemoryKind.values()) {
      if (used(kind) != 0) {
        parts.add(kind + " " + used(kind));
      }
    }
    return parts.toString();
  }

  @SuppressWarnings("EnumOrdinal") // The index of a counter, not a stored value.
  private static int index(MemoryKind kind) {
    return kind.ordinal();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && used.get() != 0) {
      throw new IllegalStateException("memory still in use at close: " + byKind());
    }
  }

  private final class Buffer implements OffHeapBuffer {
    private final MemoryKind kind;
    private final ByteBuf memory;
    private final int capacity;
    private final int alignment;
    private final long counted;
    private final AtomicBoolean released = new AtomicBoolean();

    Buffer(MemoryKind kind, ByteBuf memory, int capacity, int alignment, long counted) {
      this.kind = kind;
      this.memory = memory;
      this.capacity = capacity;
      this.alignment = alignment;
      this.counted = counted;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public ByteBuffer bytes() {
      if (released.get()) {
        throw new IllegalStateException(kind + " buffer is closed");
      }
      ByteBuffer all = memory.nioBuffer(0, memory.capacity());
      int beyond = alignment > 1 ? all.alignmentOffset(0, alignment) : 0;
      return all.slice(beyond == 0 ? 0 : alignment - beyond, capacity);
    }

    @Override
    public void close() {
      if (released.compareAndSet(false, true)) {
        memory.release();
        giveBack(kind, counted);
      }
    }

    @Override
    public String toString() {
      return kind + " buffer of " + capacity + " bytes" + (released.get() ? ", closed" : "");
    }
  }
}
