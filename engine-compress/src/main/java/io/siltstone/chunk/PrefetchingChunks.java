package io.siltstone.chunk;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.threads.Failures;
import io.siltstone.threads.RecallableTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Prefetches chunks: an executor reads and decompresses the next batches of another source while
 * the reader uses the current one.
 *
 * <pre>
 *   batches   | in use by the reader | ready | being filled |     a ring, each 256 KiB of chunks
 *               head                                 next
 * </pre>
 *
 * <p>Batches are filled one at a time, in order. A reader that needs a batch that no thread has
 * begun fills the batch itself, so that progress does not depend on when the executor runs its
 * tasks: at most one task per file waits in its queue, and a task that runs late finds nothing to
 * do. A reader waits only for a fill that is running. An exception of a fill is thrown when the
 * reader comes to its position.
 *
 * <p>The reader's side is confined to one thread. It owns and closes its source.
 */
final class PrefetchingChunks implements ChunkSource {
  private static final int BATCH_BYTES = 256 * 1024;
  private static final int BATCHES = 3;

  private final SequentialChunks source;
  private final ChunkLayout layout;
  private final MemoryBudget budget;
  private final Executor executor;
  private final int batchLength;
  private final ChunkReads reads = new ChunkReads();
  private final RecallableTask fillAhead = new RecallableTask(this::fillAhead);
  private final Batch[] batches = new Batch[BATCHES];
  // Used by the reader: the current batch.
  private @Nullable Batch current;

  // Guarded by the monitor, as are all batches from head on that are ready. The filling thread owns
  // the batch after them, the source and `next`.
  private int head;
  private int ready;
  private boolean filling;
  private boolean queued;
  private boolean closed;
  // The positions where the next batch begins and where the last one ends.
  private long next;
  private long end;

  /** A batch of decompressed chunks, and the failure at its end if there was one. */
  private static final class Batch {
    private @Nullable OffHeapBuffer memory;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long from;
    private long to;
    private @Nullable Throwable failure;
  }

  /**
   * Creates a prefetching source, which takes the other source over.
   *
   * @param to nothing is prefetched after the chunk of this position
   * @param batchBytes decompressed at a time, in whole chunks, at least one; 0 for the default
   */
  PrefetchingChunks(
      SequentialChunks source,
      ChunkLayout layout,
      MemoryBudget budget,
      long to,
      int batchBytes,
      Executor executor) {
    this.source = source;
    this.layout = layout;
    this.budget = budget;
    this.executor = executor;
    int most = batchBytes == 0 ? BATCH_BYTES : Math.min(batchBytes, BATCH_BYTES);
    int whole = Math.max(most / chunkLength(), 1) * chunkLength();
    this.batchLength = (int) Math.min(whole, chunksUpTo(to));
    this.end = chunksUpTo(to);
    for (int i = 0; i < BATCHES; i++) {
      batches[i] = new Batch();
    }
  }

  /** Returns the maximum memory that it uses, in bytes. */
  static long mostBytes(int chunkLength) {
    return (long) BATCHES * Math.max(BATCH_BYTES, chunkLength);
  }

  /** Returns the end of the chunk before a position. */
  private long chunksUpTo(long position) {
    long chunks = Math.max(1, (position + chunkLength() - 1) / chunkLength());
    return chunks * chunkLength();
  }

  @Override
  public String path() {
    return source.path();
  }

  @Override
  public long length() {
    return layout.dataLength();
  }

  @Override
  public int chunkLength() {
    return layout.chunkLength();
  }

  @Override
  public ChunkReads reads() {
    return reads;
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    if (position >= layout.dataLength()) {
      return -1;
    }
    Batch batch = current;
    if (batch == null || position < batch.from || position >= batch.to) {
      batch = turnTo(position);
    }
    long inChunk = chunkLength() - position % chunkLength();
    int count = (int) Math.min(length, Math.min(inChunk, batch.to - position));
    batch.bytes.get((int) (position - batch.from), dst, offset, count);
    return count;
  }

  /** Makes the batch that contains a position current. */
  private Batch turnTo(long position) throws IOException {
    current = null;
    while (!find(position)) {
      fill();
    }
    Batch found = batches[head];
    if (position >= found.to) {
      Failures.rethrow(found.failure);
    }
    for (long chunk = found.from / chunkLength(); chunk * chunkLength() < found.to; chunk++) {
      reads.addRead(layout.end(chunk) - layout.offset(chunk));
    }
    current = found;
    askForMore();
    return found;
  }

  /**
   * Releases batches until the first one contains the position, or failed there. Returns false if
   * the reader has to fill it.
   */
  private synchronized boolean find(long position) throws ClosedChannelException {
    boolean interrupted = false;
    try {
      while (true) {
        if (closed) {
          throw new ClosedChannelException();
        }
        while (ready > 0) {
          Batch first = batches[head];
          long reach = first.failure == null ? first.to : first.to + chunkLength();
          if (position >= first.from && position < reach) {
            return true;
          }
          head = (head + 1) % BATCHES;
          ready--;
        }
        if (!filling) {
          // The position is elsewhere, or after the announced end.
          if (position < next || position >= next + chunkLength() || next >= end) {
            next = position / chunkLength() * chunkLength();
            end = Math.max(end, next + chunkLength());
          }
          filling = true;
          return false;
        }
        try {
          wait();
        } catch (InterruptedException e) {
          // A running fill ends by itself.
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void askForMore() {
    synchronized (this) {
      if (queued || filling || !hasRoom()) {
        return;
      }
      queued = true;
    }
    try {
      executor.execute(fillAhead);
    } catch (RejectedExecutionException e) {
      // The reader fills the batch when it gets there.
      synchronized (this) {
        queued = false;
      }
    }
  }

  private boolean hasRoom() {
    return !closed
        && ready < BATCHES
        && next < Math.min(end, layout.dataLength())
        && (ready == 0 || batches[(head + ready - 1) % BATCHES].failure == null);
  }

  private void fillAhead() {
    synchronized (this) {
      queued = false;
      if (filling || !hasRoom()) {
        return;
      }
      filling = true;
    }
    fill();
    askForMore();
  }

  /** Fills the batch after those that are ready; must be called with {@code filling} set. */
  private void fill() {
    Batch batch;
    synchronized (this) {
      batch = batches[(head + ready) % BATCHES];
    }
    batch.from = next;
    batch.to = next;
    batch.failure = null;
    try {
      ByteBuffer bytes = room(batch);
      long stop = Math.min(Math.min(end, layout.dataLength()), next + bytes.capacity());
      while (batch.to < stop) {
        source.decode(batch.to / chunkLength(), bytes);
        batch.to = Math.min(batch.to + chunkLength(), layout.dataLength());
      }
    } catch (Throwable e) {
      batch.failure = e;
    }
    synchronized (this) {
      next = batch.to;
      ready++;
      filling = false;
      notifyAll();
    }
  }

  private ByteBuffer room(Batch batch) {
    if (batch.memory == null) {
      OffHeapBuffer memory = budget.allocate(MemoryKind.READ_AHEAD, batchLength);
      batch.memory = memory;
      batch.bytes = memory.bytes();
    }
    return batch.bytes.clear();
  }

  @Override
  public void close() throws IOException {
    if (!end()) {
      return;
    }
    fillAhead.recall();
    current = null;
    try (source) {
      for (Batch batch : batches) {
        if (batch.memory != null) {
          batch.memory.close();
        }
      }
    }
  }

  /** Waits for a running fill, and lets no other begin. Returns false if that was done before. */
  private synchronized boolean end() {
    if (closed) {
      return false;
    }
    closed = true;
    boolean interrupted = false;
    while (filling) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}
