package io.siltstone.offheap;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MemoryBudget} that allocates each buffer by itself and frees all but a few at once, so
 * that the counted bytes are those that the process holds.
 *
 * <p>Netty's pooled allocator does so for buffers that are larger than its chunks, on every Java;
 * it is configured with the smallest chunks, none of which is ever allocated, and without thread
 * caches. Smaller buffers come from the unpooled allocator, which leaves them to the garbage
 * collector from Java 25 on. Buffers are large and live long, except for those of scans: of {@link
 * MemoryKind#READ_AHEAD} up to {@value #MOST_SPARE} buffers of at most {@value
 * #LARGEST_SPARE_BYTES} bytes are kept for the next scans, uncounted, until the budget is closed or
 * the JVM refuses more. The requested size is counted. Safe for use by all threads.
 */
public final class PooledMemory implements MemoryBudget {
  // Netty's minimum. Each larger buffer is a chunk by itself; smaller ones are not pooled at all.
  private static final int CHUNK_BYTES = 4096;
  private static final int MOST_SPARE = 4;
  private static final int LARGEST_SPARE_BYTES = 512 << 10;
  // More than any block size; an alignment costs padding.
  private static final int MAX_ALIGNMENT = 1 << 20;
  // The allocators hold no memory, and all budgets share them: Netty keeps a few kilobytes for each
  // thread and pooled allocator that it has used, as long as the thread lives.
  private static final ByteBufAllocator SMALL = new UnpooledByteBufAllocator(true);
  private static final ByteBufAllocator LARGE =
      new PooledByteBufAllocator(true, 0, 1, CHUNK_BYTES, 0, 0, 0, false);

  private final long limit;
  private final Runnable reclaimer;
  private final AtomicReferenceArray<@Nullable ByteBuf> spare =
      new AtomicReferenceArray<>(MOST_SPARE);
  private final AtomicLong used = new AtomicLong();
  private final AtomicLongArray usedByKind = new AtomicLongArray(MemoryKind.values().length);
  private final AtomicBoolean closed = new AtomicBoolean();

  private PooledMemory(long limit, Runnable reclaimer) {
    this.limit = limit;
    this.reclaimer = reclaimer;
  }

  /**
   * Returns a budget of {@code bytes}.
   *
   * @throws IllegalArgumentException unless it is positive
   */
  public static PooledMemory withLimit(long bytes) {
    return withLimit(bytes, () -> {});
  }

  /**
   * Returns a budget of {@code bytes}, some of which may be kept only for speed.
   *
   * @param reclaimer frees such memory before an allocation is refused, except for the chunk cache.
   *     Called by the allocating thread, whatever locks it holds; it must not allocate nor throw
   * @throws IllegalArgumentException unless the limit is positive
   */
  public static PooledMemory withLimit(long bytes, Runnable reclaimer) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("memory limit " + bytes + ", allowed 1 or more");
    }
    return new PooledMemory(bytes, reclaimer);
  }

  /** Returns a budget that counts but does not refuse. */
  public static PooledMemory unlimited() {
    return new PooledMemory(Long.MAX_VALUE, () -> {});
  }

  /**
   * Returns the bytes that the JVM allows all budgets of the process together: {@code
   * -XX:MaxDirectMemorySize}, or about the maximum heap size if that is not set.
   */
  public static long allowedByJvm() {
    return PlatformDependent.maxDirectMemory();
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
              + ", allowed 1 byte or more, and powers of two to "
              + MAX_ALIGNMENT);
    }
    long padded = bytes + (long) (alignment > 1 ? alignment : 0);
    if (padded > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("allocation of " + padded + " bytes");
    }
    take(kind, padded);
    try {
      return new Buffer(kind, take(kind, (int) padded), bytes, alignment, padded);
    } catch (Throwable e) {
      giveBack(kind, padded);
      throw e;
    }
  }

  private ByteBuf take(MemoryKind kind, int bytes) {
    if (isWorthKeeping(kind, bytes)) {
      for (int i = 0; i < MOST_SPARE; i++) {
        ByteBuf memory = spare.get(i);
        if (memory != null && memory.capacity() == bytes && spare.compareAndSet(i, memory, null)) {
          return memory;
        }
      }
    }
    try {
      return allocate(bytes);
    } catch (OutOfMemoryError e) {
      String reason = String.valueOf(e.getMessage());
      if (!reason.contains("direct") && !reason.contains("Direct")) {
        throw e;
      }
      // The JVM has a limit of its own, as large as the heap unless it is configured.
      throw new OutOfBudgetException(
          kind
              + " asks for "
              + bytes
              + " bytes, which the JVM refuses, and not the budget of "
              + limit
              + "; -XX:MaxDirectMemorySize allows it more ("
              + reason
              + "): "
              + byKind(),
          used.get() - bytes);
    }
  }

  private ByteBuf allocate(int bytes) {
    ByteBufAllocator allocator = bytes > CHUNK_BYTES ? LARGE : SMALL;
    try {
      return allocator.directBuffer(bytes, bytes);
    } catch (OutOfMemoryError e) {
      freeSpare();
      return allocator.directBuffer(bytes, bytes);
    }
  }

  private void keepOrFree(MemoryKind kind, ByteBuf memory) {
    if (isWorthKeeping(kind, memory.capacity()) && !closed.get()) {
      for (int i = 0; i < MOST_SPARE; i++) {
        if (spare.compareAndSet(i, null, memory)) {
          if (closed.get()) {
            freeSpare();
          }
          return;
        }
      }
    }
    memory.release();
  }

  private static boolean isWorthKeeping(MemoryKind kind, int bytes) {
    return kind == MemoryKind.READ_AHEAD && bytes <= LARGEST_SPARE_BYTES;
  }

  private void freeSpare() {
    for (int i = 0; i < MOST_SPARE; i++) {
      ByteBuf memory = spare.getAndSet(i, null);
      if (memory != null) {
        memory.release();
      }
    }
  }

  @Override
  public MemoryReservation reserve(MemoryKind kind, long bytes) {
    take(kind, bytes);
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        giveBack(kind, bytes);
      }
    };
  }

  private void take(MemoryKind kind, long bytes) {
    if (closed.get()) {
      throw new IllegalStateException("memory budget is closed");
    }
    if (bytes > limit - used.get() && kind != MemoryKind.CHUNK_CACHE) {
      reclaim();
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
                + byKind(),
            before);
      }
    } while (!used.compareAndSet(before, before + bytes));
    usedByKind.addAndGet(index(kind), bytes);
  }

  @Override
  public void reclaim() {
    reclaimer.run();
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
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    freeSpare();
    if (used.get() != 0) {
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
        keepOrFree(kind, memory);
        giveBack(kind, counted);
      }
    }

    @Override
    public String toString() {
      return kind + " buffer of " + capacity + " bytes" + (released.get() ? ", closed" : "");
    }
  }
}
