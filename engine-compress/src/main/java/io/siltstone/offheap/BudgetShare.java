package io.siltstone.offheap;

import io.siltstone.memory.MemoryKind;
import java.nio.ByteBuffer;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The part of a {@link MemoryBudget} that one of several users takes: counts what this user
 * allocates, and has the limit of the whole budget, which all users together must not exceed.
 *
 * <p>Safe for use by all threads. Closing it does not close the whole budget.
 */
public final class BudgetShare implements MemoryBudget {
  private final MemoryBudget whole;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLongArray usedByKind = new AtomicLongArray(MemoryKind.values().length);
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param whole not taken over
   */
  public BudgetShare(MemoryBudget whole) {
    this.whole = whole;
  }

  @Override
  public long limit() {
    return whole.limit();
  }

  /** Returns the bytes that this user has in use. */
  @Override
  public long used() {
    return used.get();
  }

  @Override
  public long available() {
    return whole.available();
  }

  @Override
  public long used(MemoryKind kind) {
    return usedByKind.get(index(kind));
  }

  @Override
  public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
    requireOpen();
    return count(kind, whole.allocate(kind, bytes), bytes);
  }

  @Override
  public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
    requireOpen();
    long padded = bytes + (long) (alignment > 1 ? alignment : 0);
    return count(kind, whole.allocateAligned(kind, bytes, alignment), padded);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("memory budget is closed");
    }
  }

  private OffHeapBuffer count(MemoryKind kind, OffHeapBuffer buffer, long bytes) {
    OffHeapBuffer counted = new Counted(buffer, kind, bytes);
    add(kind, bytes);
    return counted;
  }

  @Override
  public MemoryReservation reserve(MemoryKind kind, long bytes) {
    requireOpen();
    MemoryReservation reservation = whole.reserve(kind, bytes);
    add(kind, bytes);
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        add(kind, -bytes);
        reservation.close();
      }
    };
  }

  private void add(MemoryKind kind, long bytes) {
    usedByKind.addAndGet(index(kind), bytes);
    used.addAndGet(bytes);
  }

  @Override
  public void reclaim() {
    whole.reclaim();
  }

  @SuppressWarnings("EnumOrdinal") // The index of a counter, not a stored value.
  private static int index(MemoryKind kind) {
    return kind.ordinal();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && used.get() != 0) {
      StringJoiner kinds = new StringJoiner(", ");
      for (MemoryKind kind : MemoryKind.values()) {
        if (used(kind) != 0) {
          kinds.add(kind + " " + used(kind));
        }
      }
      throw new IllegalStateException("memory still in use at close: " + kinds);
    }
  }

  private final class Counted implements OffHeapBuffer {
    private final OffHeapBuffer buffer;
    private final MemoryKind kind;
    private final long bytes;
    private final AtomicBoolean released = new AtomicBoolean();

    Counted(OffHeapBuffer buffer, MemoryKind kind, long bytes) {
      this.buffer = buffer;
      this.kind = kind;
      this.bytes = bytes;
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
      if (released.compareAndSet(false, true)) {
        buffer.close();
        usedByKind.addAndGet(index(kind), -bytes);
        used.addAndGet(-bytes);
      }
    }

    @Override
    public String toString() {
      return buffer.toString();
    }
  }
}
