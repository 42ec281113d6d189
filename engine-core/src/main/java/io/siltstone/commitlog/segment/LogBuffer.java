package io.siltstone.commitlog.segment;

import io.siltstone.io.WritableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commit log's ring buffer in off-heap memory: the end of the stream that is not yet written to
 * files. One thread at a time puts bytes, and one at a time writes them; each uses only its side of
 * the published positions.
 */
final class LogBuffer implements AutoCloseable {
  // A write frees its part of the ring only when it is done.
  private static final int MAX_WRITE_BYTES = 1 << 20;

  private final OffHeapBuffer memory;
  private final ByteBuffer putting;
  private final ByteBuffer writing;
  private final int capacity;
  private final AtomicLong published = new AtomicLong();
  private final AtomicLong complete = new AtomicLong();

  LogBuffer(MemoryBudget budget, int capacity) {
    this.memory = budget.allocate(MemoryKind.COMMIT_LOG, capacity);
    this.putting = memory.bytes();
    this.writing = memory.bytes();
    this.capacity = capacity;
  }

  int capacity() {
    return capacity;
  }

  /** Puts bytes at a position of the stream; there must be room for them. */
  void put(long at, byte[] src, int offset, int length) {
    int index = (int) (at % capacity);
    if (length <= capacity - index) {
      putting.put(index, src, offset, length);
    } else {
      putAround(index, src, offset, length);
    }
  }

  private void putAround(int index, byte[] src, int offset, int length) {
    int first = capacity - index;
    putting.put(index, src, offset, first);
    putting.put(0, src, offset + first, length - first);
  }

  /** Publishes the bytes before {@code to} for writing; they may end within a record. */
  void publish(long to) {
    published.setRelease(to);
  }

  /** Publishes the bytes before {@code to} for writing; they end with a complete record. */
  void complete(long to) {
    published.setRelease(to);
    // The worker sees this before it sees that no thread found it idle.
    complete.set(to);
  }

  long published() {
    return published.getAcquire();
  }

  /** Returns the end of the last record that is completely published. */
  long complete() {
    return complete.get();
  }

  /**
   * Writes published bytes of the stream, from {@code from} on.
   *
   * @return end of the bytes written, which may be before {@code to}
   */
  long writeTo(WritableFile file, long from, long to) throws IOException {
    int index = (int) (from % capacity);
    int length = (int) Math.min(Math.min(to - from, MAX_WRITE_BYTES), capacity - index);
    file.write(writing.limit(index + length).position(index));
    return from + length;
  }

  @Override
  public void close() {
    memory.close();
  }
}
