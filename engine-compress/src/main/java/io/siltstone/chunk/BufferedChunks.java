package io.siltstone.chunk;

import io.siltstone.io.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The common part of chunk sources: it decompresses whole chunks directly into the caller's array,
 * and copies parts of chunks from a buffer that holds the last chunk, or its beginning.
 */
abstract class BufferedChunks implements ChunkSource {
  private static final long NONE = -1;

  private final String path;
  private final ChunkLayout layout;
  private final ChunkedFile.CheckDecision check;
  private final CRC32 checksum = new CRC32();
  private final ChunkReads reads = new ChunkReads();
  private byte[] kept = {};
  private long keptChunk = NONE;
  // How many bytes of that chunk were decompressed, from its beginning on.
  private int keptLength;
  private ChunkLayout.@Nullable PrefixDecoder prefix;
  private boolean hasPrefix;
  // Views of the arrays that were written last: a caller that steps back has two that take turns.
  private ByteBuffer target = ByteBuffer.wrap(kept);
  private ByteBuffer otherTarget = ByteBuffer.wrap(kept);

  BufferedChunks(String path, ChunkLayout layout, ChunkedFile.CheckDecision check) {
    this.path = path;
    this.layout = layout;
    this.check = check;
  }

  @Override
  public final String path() {
    return path;
  }

  @Override
  public final long length() {
    return layout.dataLength();
  }

  @Override
  public final int chunkLength() {
    return layout.chunkLength();
  }

  @Override
  public final ChunkReads reads() {
    return reads;
  }

  @Override
  public final int read(long position, byte[] dst, int offset, int length) throws IOException {
    if (position >= layout.dataLength()) {
      return -1;
    }
    long chunk = position / layout.chunkLength();
    int from = (int) (position % layout.chunkLength());
    int there = layout.uncompressedLength(chunk);
    if (chunk != keptChunk || from >= keptLength) {
      // A chunk that is kept already is read on, beyond what was expected.
      boolean isAgain = chunk == keptChunk;
      int wanted = isAgain ? there : Math.min(there, wanted(chunk, from));
      if (wanted == there && from == 0 && length >= there) {
        decode(chunk, view(dst, offset));
        return there;
      }
      keep(chunk, wanted, isAgain);
    }
    int count = Math.min(length, keptLength - from);
    System.arraycopy(kept, from, dst, offset, count);
    return count;
  }

  private void keep(long chunk, int wanted, boolean isAgain) throws IOException {
    if (kept.length < layout.chunkLength()) {
      kept = new byte[layout.chunkLength()];
    }
    keptChunk = NONE;
    decode(chunk, view(kept, 0), wanted, isAgain);
    keptChunk = chunk;
    keptLength = wanted;
  }

  /**
   * Returns how many bytes of a chunk to decompress if the one at {@code from} is read: more than
   * {@code from}. It is the whole chunk, unless a source knows where reading ends.
   */
  int wanted(long chunk, int from) throws IOException {
    return layout.chunkLength();
  }

  /** Returns the decoder of the beginnings of chunks, or null if there is none. */
  final ChunkLayout.@Nullable PrefixDecoder prefixDecoder() {
    if (!hasPrefix) {
      hasPrefix = true;
      prefix = layout.prefixDecoder();
    }
    return prefix;
  }

  /** Returns whether the buffer holds the chunk, so that reads of it need no file access. */
  final boolean keeps(long chunk) {
    return chunk == keptChunk;
  }

  @Override
  public final void releaseBuffers() {
    target = ByteBuffer.wrap(kept);
    otherTarget = target;
  }

  private ByteBuffer view(byte[] dst, int offset) {
    if (target.array() != dst) {
      ByteBuffer before = target;
      target = otherTarget.array() == dst ? otherTarget : ByteBuffer.wrap(dst);
      otherTarget = before;
    }
    return target.limit(dst.length).position(offset);
  }

  /** Fetches a chunk and decompresses all of it to the position of {@code dst}, which advances. */
  final void decode(long chunk, ByteBuffer dst) throws IOException {
    decode(chunk, dst, layout.uncompressedLength(chunk), false);
  }

  /**
   * Fetches a chunk and decompresses it.
   *
   * @param dst if only a part is wanted, a view of the array that is kept, to whose beginning it
   *     goes
   * @param wanted how many bytes, 1 to all of them
   * @param isAgain whether it is the chunk that is kept, of which more is needed
   */
  private void decode(long chunk, ByteBuffer dst, int wanted, boolean isAgain) throws IOException {
    long start = layout.offset(chunk);
    long length = layout.end(chunk) - start;
    if (length <= 0) {
      throw new CorruptFileException(
          path, start, "where the chunk ends is not known, as offsets are damaged or missing");
    }
    if (length > layout.maxStoredLength()) {
      throw new CorruptFileException(
          path,
          start,
          "chunk takes " + length + " bytes, allowed 1 to " + layout.maxStoredLength());
    }
    boolean isCounted = isAgain && isFetched(start, (int) length);
    if (!isCounted) {
      reads.addRead(length);
    }
    ChunkListener watch = isCounted ? null : reads.watch();
    long began = watch == null ? 0 : System.nanoTime();
    boolean isDecoded = false;
    try {
      decode(chunk, fetch(chunk, start, (int) length, isAgain), dst, wanted);
      isDecoded = true;
    } finally {
      release(isDecoded);
    }
    if (watch != null) {
      watch.fetched(chunk, start, (int) length, System.nanoTime() - began);
    }
  }

  private void decode(long chunk, ByteBuffer stored, ByteBuffer dst, int wanted)
      throws IOException {
    ChunkLayout.PrefixDecoder beginnings = prefix;
    if (wanted < layout.uncompressedLength(chunk) && beginnings != null) {
      beginnings.decode(path, chunk, stored, check.next(), checksum, kept, wanted);
    } else {
      layout.decode(path, chunk, stored, check.next(), checksum, dst);
    }
  }

  /** Returns whether {@link #fetch} has the stored bytes of the chunk that is kept, still. */
  boolean isFetched(long start, int length) {
    return false;
  }

  /**
   * Returns the stored bytes of a chunk, including the checksum, from the position to the limit of
   * a buffer.
   *
   * @param isAgain whether the chunk was fetched and decoded before
   */
  abstract ByteBuffer fetch(long chunk, long start, int length, boolean isAgain) throws IOException;

  /**
   * Called when the bytes that {@link #fetch} returned are not needed any more, or it failed.
   *
   * @param isDecoded whether they could be decoded
   */
  void release(boolean isDecoded) {
    // Most sources keep them in a buffer of their own.
  }

  final CorruptFileException ended(long start, int length, long there) {
    return new CorruptFileException(
        path, start, "file ends: chunk takes " + length + " bytes, " + there + " are there");
  }
}
