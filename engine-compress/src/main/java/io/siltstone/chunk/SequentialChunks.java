package io.siltstone.chunk;

import io.siltstone.io.ReadableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * Reads chunks from front to back with read-ahead: one large read fills the buffer, from which the
 * following chunks are served. If a chunk reaches beyond the buffer, the rest of the buffer is
 * moved before the place of the next read. Thus a scan of S bytes takes S / readAhead reads and one
 * or two more.
 *
 * <pre>
 *   buffer   | room for the rest of the last read | what one read fills |
 *                                                 ^ aligned for direct I/O
 * </pre>
 *
 * It owns and closes its file.
 */
final class SequentialChunks extends BufferedChunks {
  private final ReadableFile file;
  private final boolean ownsFile;
  private final int alignment;
  private final int readAhead;
  private final long endOnDisk;
  private final int headroom;
  private final OffHeapBuffer memory;
  private final ByteBuffer buffer;
  // The file's bytes [from, to) are in the buffer, the first of them at index at.
  private long from;
  private long to;
  private int at;
  private boolean closed;

  SequentialChunks(
      ReadableFile file,
      boolean ownsFile,
      ChunkLayout layout,
      MemoryBudget budget,
      ChunkedFile.CheckDecision check,
      long from,
      long end,
      int readAheadBytes) {
    super(file.path(), layout, check);
    this.file = file;
    this.ownsFile = ownsFile;
    this.alignment = file.alignment();
    this.endOnDisk = end == 0 ? 0 : layout.end((end - 1) / layout.chunkLength());
    // The buffer need not be larger than the range to be read.
    long begin = from < end ? layout.offset(from / layout.chunkLength()) : endOnDisk;
    long length = endOnDisk - begin / alignment * alignment;
    this.readAhead = up((int) Math.max(1, Math.min(readAheadBytes, length)));
    this.headroom = up(layout.maxStoredLength());
    // A chunk may be larger than the read-ahead; a read then covers the whole chunk.
    int largestRead = Math.max(readAhead, up(layout.maxStoredLength() + alignment));
    this.memory = budget.allocateAligned(MemoryKind.READ_AHEAD, headroom + largestRead, alignment);
    this.buffer = memory.bytes();
  }

  private int up(int bytes) {
    return (int) up((long) bytes);
  }

  private long up(long bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  @Override
  ByteBuffer fetch(long chunk, long start, int length, boolean isAgain) throws IOException {
    if (closed) {
      // The buffer now belongs to another owner.
      throw new ClosedChannelException();
    }
    if (start < from || start > to) {
      // The position is elsewhere: begin again at its block.
      from = start / alignment * alignment;
      to = from;
      at = headroom;
    }
    if (start + length > to) {
      refill(start, length);
    }
    int index = at + (int) (start - from);
    buffer.limit(index + length).position(index);
    return buffer;
  }

  private void refill(long start, int length) throws IOException {
    // The bytes of the chunk that are in the buffer move before the place of the next read. `to` is
    // a multiple of the alignment.
    int keep = (int) (to - start);
    buffer.clear();
    if (keep > 0) {
      buffer.put(headroom - keep, buffer, at + (int) (start - from), keep);
    } else {
      keep = 0;
    }
    long wanted = Math.max(readAhead, up(start + length) - to);
    long useful = up(Math.max(endOnDisk, start + length)) - to;
    int count = (int) Math.min(wanted, useful);
    buffer.limit(headroom + count).position(headroom);
    long begin = to;
    // The buffer is marked as empty until the read has succeeded, because a failed read may have
    // changed it.
    from = begin;
    at = headroom;
    file.read(begin, buffer);
    if (keep > 0) {
      at = headroom - keep;
      from = start;
    }
    to = begin + buffer.position() - headroom;
    if (start + length > to) {
      throw ended(start, length, Math.max(0, to - start));
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      memory.close();
    } finally {
      if (ownsFile) {
        file.close();
      }
    }
  }
}
