package io.siltstone.commitlog.segment;

import io.siltstone.io.WritableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ring of off-heap memory with the bytes between those written to files and the end of the
 * stream. One thread at a time puts, one at a time writes; each keeps to its side of what is
 * published.
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

  /** Puts bytes at a place of the stream, for which there is room. */
  void put(long at, byte[] src, int offset, int length) {
    int index = (int) (at % capacity);
    int first = Math.min(length, capacity - index);
    putting.put(index, src, offset, first);
    putting.put(0, src, offset + first, length - first);
  }

  /** The bytes before {@code to} may be written; a record may be in the middle of it. */
  void publish(long to) {
    published.setRelease(to);
  }

  /** The bytes before {@code to} may be written, and are whole records. */
  void complete(long to) {
    published.setRelease(to);
    // Seen by the worker before it sees that nobody found it idle.
    complete.set(to);
  }

  long published() {
    return published.getAcquire();
  }

  /** End of the last record that is wholly published. */
  long complete() {
    return complete.get();
  }

  /**
   * Writes published bytes of the stream, from {@code from} on.
   *
   * @return up to where, which may be before {@code to}
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
