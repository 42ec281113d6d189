package io.siltstone.io;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written past the page cache: whole blocks from an aligned buffer. On sync and
 * close, the rest that does not fill a block is written through a second, buffered channel; it is
 * written again with its block once that is full.
 */
final class DirectWritableFile implements WritableFile {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path file;
  private final UninterruptibleChannel direct;
  private final UninterruptibleChannel buffered;
  private final FileSync durable;
  private final int alignment;
  private final OffHeapBuffer memory;
  private final ByteBuffer buffer;
  // The length of the file in bytes. Only the writer changes it: a concurrent sync moves the
  // buffer.
  private long length;
  // The position in the file of the buffer's first byte; a multiple of the alignment.
  private long origin;
  // Whether the buffer has bytes that were not written to a channel.
  private boolean pending;
  private @Nullable IOException failure;
  private boolean closed;

  /**
   * Takes over both channels of one empty file, and the object that syncs it. Its buffer is
   * allocated from {@code budget}.
   */
  DirectWritableFile(
      Path file,
      UninterruptibleChannel direct,
      UninterruptibleChannel buffered,
      FileSync durable,
      int alignment,
      MemoryBudget budget) {
    this.file = file;
    this.direct = direct;
    this.buffered = buffered;
    this.durable = durable;
    this.alignment = alignment;
    this.memory = budget.allocateAligned(MemoryKind.CHUNK_BUFFER, BUFFER_BYTES, alignment);
    this.buffer = memory.bytes();
  }

  @Override
  public String path() {
    return file.toString();
  }

  @Override
  public long position() {
    return length;
  }

  @Override
  public synchronized void write(ByteBuffer src) throws IOException {
    checkUsable();
    try {
      while (src.hasRemaining()) {
        int part = Math.min(src.remaining(), buffer.remaining());
        buffer.put(buffer.position(), src, src.position(), part);
        buffer.position(buffer.position() + part);
        src.position(src.position() + part);
        length += part;
        pending = true;
        if (!buffer.hasRemaining()) {
          writeBlocks();
        }
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Writes all whole blocks and keeps the rest at the buffer's beginning. */
  private void writeBlocks() throws IOException {
    int filled = buffer.position();
    int whole = filled - filled % alignment;
    buffer.position(0).limit(whole);
    direct.write(buffer, origin);
    buffer.limit(filled);
    buffer.compact();
    origin += whole;
  }

  private void writeRest() throws IOException {
    if (!pending) {
      return;
    }
    writeBlocks();
    if (buffer.position() > 0) {
      ByteBuffer rest = buffer.duplicate().flip();
      buffered.write(rest, origin);
      // The block's next version is written past the page cache, which must not keep this one.
      syncDurable();
    }
    pending = false;
  }

  @Override
  public synchronized void sync() throws IOException {
    checkUsable();
    try {
      writeRest();
      syncDurable();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void syncDurable() throws SyncFailedException {
    try {
      durable.sync();
    } catch (IOException e) {
      throw new SyncFailedException(path(), e);
    }
  }

  /**
   * Adds the file and the position to the message, as the operating system's message has neither.
   */
  private IOException failed(IOException e) {
    failure = e;
    return e instanceof SyncFailedException
        ? e
        : new IOException(
            file
                + " cannot be written past the page cache at offset "
                + origin
                + ": "
                + e.getMessage(),
            e);
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new ClosedFileException(file);
    }
    if (failure != null) {
      throw new IOException(
          file + " is not used any more after an earlier failure: " + failure, failure);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (memory;
        direct;
        buffered;
        durable) {
      if (failure == null) {
        try {
          writeRest();
        } catch (IOException e) {
          throw failed(e);
        }
      }
    }
  }

  @Override
  public String toString() {
    return path();
  }
}
