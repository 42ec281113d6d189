package io.siltstone.chunk;

import io.siltstone.io.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The common part of chunk sources: it decompresses whole chunks directly into the caller's array,
 * and copies parts of chunks from a buffer that holds the last chunk.
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
  // A view of the caller's array, which is reused as long as the caller passes the same array.
  private ByteBuffer target = ByteBuffer.wrap(kept);

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
    if (chunk != keptChunk) {
      if (from == 0 && length >= there) {
        decode(chunk, dst, offset);
        return there;
      }
      if (kept.length < layout.chunkLength()) {
        kept = new byte[layout.chunkLength()];
      }
      keptChunk = NONE;
      decode(chunk, kept, 0);
      keptChunk = chunk;
    }
    int count = Math.min(length, there - from);
    System.arraycopy(kept, from, dst, offset, count);
    return count;
  }

  /** Returns whether the buffer holds the chunk, so that reads of it need no file access. */
  final boolean keeps(long chunk) {
    return chunk == keptChunk;
  }

  @Override
  public final void rest() {
    target = ByteBuffer.wrap(kept);
  }

  private void decode(long chunk, byte[] dst, int offset) throws IOException {
    if (target.array() != dst) {
      target = ByteBuffer.wrap(dst);
    }
    target.limit(dst.length).position(offset);
    decode(chunk, target);
  }

  /** Fetches a chunk and decompresses all of it to the position of {@code dst}, which advances. */
  final void decode(long chunk, ByteBuffer dst) throws IOException {
    long start = layout.offset(chunk);
    long length = layout.end(chunk) - start;
    if (length <= 0) {
      throw new CorruptFileException(
          path, start, "where the chunk ends is not known, as offsets are damaged or missing");
    }
    if (length > layout.maxStoredLength()) {
      throw new CorruptFileException(
          path, start, "chunk takes " + length + " bytes, allowed 1.." + layout.maxStoredLength());
    }
    reads.addRead(length);
    ChunkListener watch = reads.watch();
    if (watch == null) {
      layout.decode(path, chunk, fetch(start, (int) length), check.next(), checksum, dst);
      return;
    }
    long began = System.nanoTime();
    layout.decode(path, chunk, fetch(start, (int) length), check.next(), checksum, dst);
    watch.fetched(chunk, start, (int) length, System.nanoTime() - began);
  }

  /**
   * Returns the stored bytes of a chunk, including the checksum, from the position to the limit of
   * a buffer.
   */
  abstract ByteBuffer fetch(long start, int length) throws IOException;

  final CorruptFileException ended(long start, int length, long there) {
    return new CorruptFileException(
        path, start, "file ends: chunk takes " + length + " bytes, " + there + " are there");
  }
}
