package io.siltstone.chunk;

import io.siltstone.io.ReadableFile;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
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
 * so that a reader that finds all chunks in a cache needs none. A row that goes on in the next
 * chunk is fetched with that, by one read, if its end is known; the buffer then becomes one for two
 * chunks.
 */
public final class RandomChunks extends BufferedChunks {
  private static final long NONE = -1;

  private final ReadableFile file;
  private final ChunkLayout layout;
  private final MemoryBudget budget;
  private @Nullable OffHeapBuffer memory;
  private @Nullable ByteBuffer buffer;
  // The bytes [from, to) of the file are in the buffer.
  private long from;
  private long to;
  // The chunk that was fetched with the one before and was not asked for yet, or -1.
  private long ahead = NONE;
  private ExpectedEnd end = ExpectedEnd.UNKNOWN;
  private boolean isCertain;
  private boolean isAsked;
  // The expected end, once it has been asked for.
  private long expectedEnd = Long.MAX_VALUE;
  private boolean closed;

  RandomChunks(
      ReadableFile file, ChunkLayout layout, MemoryBudget budget, ChunkedFile.CheckDecision check) {
    super(file.path(), layout, check);
    this.file = file;
    this.layout = layout;
    this.budget = budget;
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
  public void expectEnd(ExpectedEnd newEnd, boolean isNowCertain) {
    end = newEnd;
    isCertain = isNowCertain;
    isAsked = false;
    ahead = NONE;
  }

  private long expectedEnd() throws IOException {
    if (!isAsked) {
      isAsked = true;
      expectedEnd = Long.MAX_VALUE;
      expectedEnd = end.position();
    }
    return expectedEnd;
  }

  @Override
  int wanted(long chunk, int from) throws IOException {
    if (prefixDecoder() == null) {
      return layout.chunkLength();
    }
    long wanted = expectedEnd() - chunk * layout.chunkLength();
    // An end that lies before what is read is wrong.
    return wanted <= from || wanted >= layout.chunkLength() ? layout.chunkLength() : (int) wanted;
  }

  @Override
  ByteBuffer fetch(long chunk, long start, int length, boolean isAgain) throws IOException {
    if (closed) {
      throw new IllegalStateException(path() + ": reader is closed");
    }
    // All else is read from the file, since it is counted as a read.
    boolean isExpected = isAgain || chunk == ahead;
    ahead = NONE;
    if (!isExpected || !isFetched(start, length)) {
      fill(start, length, lengthWithNext(chunk, start, length));
      if (to > start + length) {
        ahead = chunk + 1;
      }
    }
    int at = (int) (start - from);
    return buffer().limit(at + length).position(at);
  }

  @Override
  boolean isFetched(long start, int length) {
    return start >= from && start + length <= to;
  }

  @Override
  void release(boolean isDecoded) {
    if (!isDecoded) {
      // Perhaps they are right when they are read again.
      from = 0;
      to = 0;
    }
  }

  /** Returns how many bytes to read: a chunk, or two if what is read goes on in the next one. */
  private int lengthWithNext(long chunk, long start, int length) throws IOException {
    if (!isCertain
        || !hasChunk(chunk + 1)
        || expectedEnd() == Long.MAX_VALUE
        || expectedEnd() <= (chunk + 1) * layout.chunkLength()) {
      return length;
    }
    long next = layout.end(chunk + 1) - layout.offset(chunk + 1);
    // Damaged offsets are found when that chunk is decoded.
    return layout.offset(chunk + 1) == start + length
            && next > 0
            && next <= layout.maxStoredLength()
        ? length + (int) next
        : length;
  }

  private boolean hasChunk(long chunk) {
    return chunk * layout.chunkLength() < layout.dataLength();
  }

  private void fill(long start, int length, int count) throws IOException {
    // Empty until the read has succeeded.
    from = 0;
    to = 0;
    if (memory == null) {
      allocate(layout.maxStoredLength());
    }
    int fetched = hasRoom(count) ? count : length;
    ByteBuffer into = buffer().limit(fetched);
    int read = file.read(start, into);
    if (read < length) {
      throw ended(start, length, read);
    }
    from = start;
    to = start + read;
  }

  /** Returns whether the buffer has room for so many bytes, after making it larger if possible. */
  private boolean hasRoom(int count) {
    if (buffer().capacity() < count) {
      try {
        allocate(2 * layout.maxStoredLength());
      } catch (OutOfBudgetException e) {
        // Two reads do as well.
        return false;
      }
    }
    return true;
  }

  private void allocate(int bytes) {
    OffHeapBuffer larger = budget.allocate(MemoryKind.CHUNK_BUFFER, bytes);
    if (memory != null) {
      memory.close();
    }
    memory = larger;
    buffer = larger.bytes();
  }

  private ByteBuffer buffer() {
    ByteBuffer present = buffer;
    if (present == null) {
      throw new IllegalStateException(path() + ": nothing was read");
    }
    return present.clear();
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
