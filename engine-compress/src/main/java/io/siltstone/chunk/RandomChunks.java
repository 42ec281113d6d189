package io.siltstone.chunk;

import io.siltstone.io.ReadableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads single chunks at unpredictable positions, with one read of the file per chunk and no
 * read-ahead. Opened by {@link ChunkedFile#openRandom}; the file stays its owner's.
 *
 * <p>The off-heap buffer for a chunk's stored bytes is allocated when the first chunk is fetched,
 * so that a reader that finds all chunks in a cache needs none. Chunks of a mapped file are
 * decompressed where they are mapped, and need none either.
 */
public final class RandomChunks extends BufferedChunks {
  private final ReadableFile file;
  private final ChunkLayout layout;
  private final MemoryBudget budget;
  private @Nullable OffHeapBuffer memory;
  private @Nullable ByteBuffer buffer;
  private long expectedEnd = Long.MAX_VALUE;
  // Null if the file is not mapped.
  private final ReadableFile.@Nullable Loan loan;
  private boolean isLent;
  private boolean closed;

  RandomChunks(
      ReadableFile file, ChunkLayout layout, MemoryBudget budget, ChunkedFile.CheckDecision check) {
    super(file.path(), layout, check);
    this.file = file;
    this.layout = layout;
    this.budget = budget;
    this.loan = file.loan();
  }

  /** Returns the uncompressed length of a chunk: less than {@link #chunkLength} for the last. */
  public int lengthOf(long chunk) {
    return layout.uncompressedLength(chunk);
  }

  /**
   * Returns whether {@link #read} finds a chunk in the buffer, without a read of the file: the
   * buffer holds the last chunk of which a part was copied.
   *
   * @param chunk its number, from 0 on
   */
  public boolean isAtHand(long chunk) {
    return keeps(chunk);
  }

  /**
   * Fetches and decompresses a whole chunk, even if it is in the buffer, and keeps nothing.
   *
   * @param chunk its number, from 0 on
   * @param dst buffer with room for {@link #lengthOf} bytes at its position, which advances
   * @throws io.siltstone.io.CorruptFileException if the chunk's checksum or content is wrong
   */
  public void load(long chunk, ByteBuffer dst) throws IOException {
    decode(chunk, dst);
  }

  @Override
  public void expectEnd(long position) {
    expectedEnd = position;
  }

  @Override
  int wanted(long chunk, int from) {
    long end = expectedEnd - chunk * layout.chunkLength();
    // An end that lies before what is read is wrong.
    return end <= from || end >= layout.chunkLength() || prefixDecoder() == null
        ? layout.chunkLength()
        : (int) end;
  }

  @Override
  ByteBuffer fetch(long start, int length) throws IOException {
    if (closed) {
      throw new IllegalStateException(path() + ": reader is closed");
    }
    if (loan != null) {
      ByteBuffer bytes = loan.begin(start, length);
      if (bytes != null) {
        isLent = true;
        return bytes;
      }
    }
    ByteBuffer into = buffer == null ? allocate() : buffer;
    into.clear().limit(length);
    int read = file.read(start, into);
    if (read != length) {
      throw ended(start, length, read);
    }
    return into.flip();
  }

  @Override
  void release() {
    if (isLent && loan != null) {
      isLent = false;
      loan.end();
    }
  }

  private ByteBuffer allocate() {
    memory = budget.allocate(MemoryKind.CHUNK_BUFFER, layout.maxStoredLength());
    buffer = memory.bytes();
    return buffer;
  }

  @Override
  public void close() {
    closed = true;
    buffer = null;
    if (memory != null) {
      memory.close();
      memory = null;
    }
  }
}
