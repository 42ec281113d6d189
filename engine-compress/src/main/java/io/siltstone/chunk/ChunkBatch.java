package io.siltstone.chunk;

import io.siltstone.compress.Compressor;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A batch of chunks on their way to a file: first as they were written, then as they are stored.
 *
 * <p>Used by one thread at a time: by the writer, which fills {@link #plain}; by the thread that
 * {@linkplain #encode encodes} it; by the thread that writes {@link #stored} to the file.
 */
final class ChunkBatch implements WriteBehindRing.Batch {
  /**
   * One of this many chunks is decompressed again. Decompressing all of them would take a tenth of
   * the CPU time.
   */
  private static final int SAMPLED_CHUNKS = 16;

  private final String path;
  private final int chunkLength;
  private final @Nullable Compressor compressor;
  private final int maxCompressedLength;
  private final byte[] plain;
  private final ByteBuffer source;
  private final OffHeapBuffer memory;
  private final ByteBuffer stored;
  private final int[] lengths;
  private final int[] checksums;
  private final CRC32 checksum = new CRC32();
  private int plainLength;
  private int compressions;
  private final byte[] decompressed;
  private final ByteBuffer decompressedView;

  /**
   * @param path of the file, for messages
   * @param compressor null for chunks that are stored as they are
   * @param maxCompressedLength a chunk of this compressed length or more is stored uncompressed
   * @param chunks maximum number of chunks
   */
  ChunkBatch(
      String path,
      int chunkLength,
      @Nullable Compressor compressor,
      int maxCompressedLength,
      int chunks,
      MemoryBudget budget) {
    this.path = path;
    this.chunkLength = chunkLength;
    this.compressor = compressor;
    this.maxCompressedLength = maxCompressedLength;
    int worst = chunkLength;
    if (compressor != null) {
      worst =
          Math.max(chunkLength, compressor.maxCompressedLength(chunkLength))
              + CompressionInfo.CHECKSUM_BYTES;
    }
    this.plain = new byte[chunks * chunkLength];
    this.source = ByteBuffer.wrap(plain);
    this.decompressed = new byte[compressor == null ? 0 : chunkLength];
    this.decompressedView = ByteBuffer.wrap(decompressed);
    this.memory = budget.allocate(MemoryKind.CHUNK_BUFFER, Math.multiplyExact(chunks, worst));
    this.stored = memory.bytes();
    this.lengths = new int[chunks];
    this.checksums = new int[chunks];
  }

  /** Returns the array that the writer fills, from index 0 on. */
  byte[] plain() {
    return plain;
  }

  /** Returns the number of bytes of {@link #plain} that were handed over. */
  int plainLength() {
    return plainLength;
  }

  /**
   * Encodes the written bytes into the bytes that are stored.
   *
   * @param length of the written bytes: full chunks, except for the last of the file
   */
  @Override
  public void encode(int length) throws IOException {
    plainLength = length;
    stored.clear();
    for (int chunk = 0; chunk < chunks(); chunk++) {
      int from = chunk * chunkLength;
      int to = Math.min(length, from + chunkLength);
      source.limit(to).position(from);
      int storedFrom = stored.position();
      if (compressor == null) {
        stored.put(source);
      } else {
        compress(compressor, from, to);
      }
      int storedTo = stored.position();
      checksum.reset();
      checksum.update(stored.limit(storedTo).position(storedFrom));
      checksums[chunk] = (int) checksum.getValue();
      stored.clear().position(storedTo);
      if (compressor != null) {
        stored.putInt(checksums[chunk]);
      }
      lengths[chunk] = stored.position() - storedFrom;
    }
    stored.flip();
  }

  private void compress(Compressor codec, int from, int to) throws IOException {
    int at = stored.position();
    if (codec.compress(source, stored) < maxCompressedLength) {
      if (compressions++ % SAMPLED_CHUNKS == 0) {
        checkDecompresses(codec, at, from, to);
      }
      return;
    }
    stored.position(at);
    stored.put(plain, from, to - from);
    // A shorter chunk would be taken for a compressed one.
    for (int i = to - from; i < maxCompressedLength; i++) {
      stored.put((byte) 0);
    }
  }

  /**
   * Checks that a compressed chunk, from {@code at} to the position, decompresses to the bytes that
   * were compressed.
   */
  private void checkDecompresses(Compressor codec, int at, int from, int to) throws IOException {
    int end = stored.position();
    int length;
    try {
      length = codec.decompress(stored.limit(end).position(at), decompressedView.clear());
    } catch (IOException e) {
      throw wrongChunk(from, "a compressed chunk that " + codec.className() + " refuses: " + e);
    } finally {
      stored.clear().position(end);
    }
    if (length != to - from || !Arrays.equals(decompressed, 0, length, plain, from, to)) {
      throw wrongChunk(from, "a compressed chunk that decompresses to other bytes");
    }
  }

  private OutputVerificationException wrongChunk(int from, String found) {
    return new OutputVerificationException(
        path,
        OutputVerificationException.WHOLE_FILE,
        found,
        "the " + chunkLength + " bytes that were compressed, " + from + " bytes into a batch");
  }

  /** Returns the number of chunks that were encoded. */
  int chunks() {
    return (plainLength + chunkLength - 1) / chunkLength;
  }

  /** Returns the stored length of a chunk in bytes, including its checksum if that follows it. */
  int storedLength(int chunk) {
    return lengths[chunk];
  }

  /** Returns the CRC32 of a chunk as it is stored. */
  int checksum(int chunk) {
    return checksums[chunk];
  }

  /** Returns the encoded bytes, from the position to the limit. */
  ByteBuffer stored() {
    return stored;
  }

  @Override
  public void close() {
    memory.close();
  }
}
