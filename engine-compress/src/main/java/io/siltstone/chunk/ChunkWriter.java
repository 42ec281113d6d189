package io.siltstone.chunk;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OffHeapBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Writes a data file in chunks of fixed uncompressed length, and the file that describes them.
 *
 * <pre>
 *   compressed     chunk        compressed, or plain if it did not shrink enough (then padded with zeros to the
 *                               length from which on chunks count as plain)
 *                  checksum     int, CRC32 of the bytes stored
 *                  ... and {@link CompressionInfo}
 *   uncompressed   the bytes as they are
 *                  ... and CRC.db: int chunk length, then an int per chunk, CRC32 of its bytes
 * </pre>
 *
 * Chunks are compressed straight into an output buffer which goes to the file in few large writes.
 * Allocates nothing per write. Confined to one thread. {@link #finish()} completes and syncs;
 * {@link #close()} without it leaves files to be deleted by the caller. Source: Cassandra {@code
 * CompressedSequentialWriter}, {@code ChecksumWriter}.
 */
public final class ChunkWriter implements Closeable {
  private static final int OUTPUT_BYTES = 256 * 1024;

  private final Directory directory;
  private final String descriptionName;
  private final CompressionOptions options;
  private final int maxCompressedLength;
  private final @Nullable Compressor compressor;
  private final MemoryBudget budget;
  private final WritableFile file;
  private final OffHeapBuffer chunkMemory;
  private final OffHeapBuffer outputMemory;
  private final ByteBuffer chunk;
  private final ByteBuffer output;
  private final int worstChunk;
  private final CRC32 chunkChecksum = new CRC32();
  private final CRC32 fileChecksum = new CRC32();
  private final ChunkOffsets.Builder offsets;
  private final IntSink checksums = new IntSink();
  private long chunkStart;
  private boolean finished;

  private ChunkWriter(
      Directory directory,
      String dataName,
      String descriptionName,
      CompressionOptions options,
      MemoryBudget budget,
      WriteIntent intent)
      throws IOException {
    this.directory = directory;
    this.descriptionName = descriptionName;
    this.options = options;
    this.maxCompressedLength = options.maxCompressedLength();
    this.compressor = options.isEnabled() ? options.newCompressor() : null;
    this.budget = budget;
    int chunkLength = options.chunkLengthBytes();
    int stored =
        compressor == null
            ? chunkLength
            : Math.max(chunkLength, compressor.maxCompressedLength(chunkLength));
    this.worstChunk = stored + CompressionInfo.CHECKSUM_BYTES;
    this.chunkMemory = budget.allocate(MemoryKind.CHUNK_BUFFER, chunkLength);
    this.outputMemory = allocateOutput();
    this.chunk = chunkMemory.bytes();
    this.output = outputMemory.bytes();
    this.offsets = new ChunkOffsets.Builder(budget);
    try {
      this.file = directory.create(dataName, intent);
    } catch (Throwable e) {
      chunkMemory.close();
      outputMemory.close();
      throw e;
    }
  }

  private OffHeapBuffer allocateOutput() {
    try {
      return budget.allocate(MemoryKind.CHUNK_BUFFER, Math.max(OUTPUT_BYTES, 2 * worstChunk));
    } catch (Throwable e) {
      chunkMemory.close();
      throw e;
    }
  }

  /**
   * Creates a data file.
   *
   * @param descriptionName of the {@code CompressionInfo.db}, or without compression the {@code
   *     CRC.db}, written at the end
   * @throws java.nio.file.FileAlreadyExistsException if the data file exists
   */
  public static ChunkWriter create(
      Directory directory,
      String dataName,
      String descriptionName,
      CompressionOptions options,
      MemoryBudget budget,
      WriteIntent intent)
      throws IOException {
    return create(directory, dataName, descriptionName, options, budget, intent, null);
  }

  /**
   * As the other, of a file that is compressed and written behind its writer.
   *
   * @param executor that does it, whatever its threads; null if the writer's own thread does
   */
  public static ChunkWriter create(
      Directory directory,
      String dataName,
      String descriptionName,
      CompressionOptions options,
      MemoryBudget budget,
      WriteIntent intent,
      @Nullable Executor executor)
      throws IOException {
    return new ChunkWriter(directory, dataName, descriptionName, options, budget, intent);
  }

  /** Full path of the data file. */
  public String path() {
    return file.path();
  }

  /** Uncompressed bytes written. */
  public long position() {
    return chunkStart + chunk.position();
  }

  /** Bytes of the data file so far, without the chunk that is being filled. */
  public long onDiskPosition() {
    return file.position() + output.position();
  }

  /** Appends bytes. */
  public void write(byte[] src, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > chunk.remaining()) {
      int part = chunk.remaining();
      chunk.put(src, at, part);
      at += part;
      left -= part;
      endChunk();
    }
    chunk.put(src, at, left);
  }

  private void endChunk() throws IOException {
    chunk.flip();
    if (output.remaining() < worstChunk) {
      flushOutput();
    }
    chunkStart += chunk.remaining();
    if (compressor == null) {
      checksums.add(checksum(chunk, 0, chunk.limit()));
      output.put(chunk);
    } else {
      compressChunk(compressor);
    }
    chunk.clear();
  }

  private void compressChunk(Compressor codec) throws IOException {
    int from = output.position();
    offsets.add(file.position() + from);
    int length = chunk.remaining();
    if (codec.compress(chunk, output) >= maxCompressedLength) {
      chunk.position(0);
      output.position(from);
      output.put(chunk);
      // What is shorter than this would be taken for compressed.
      for (int i = length; i < maxCompressedLength; i++) {
        output.put((byte) 0);
      }
    }
    output.putInt(checksum(output, from, output.position()));
  }

  private int checksum(ByteBuffer buffer, int from, int to) {
    int position = buffer.position();
    int limit = buffer.limit();
    chunkChecksum.reset();
    buffer.position(from).limit(to);
    chunkChecksum.update(buffer);
    buffer.limit(limit).position(position);
    return (int) chunkChecksum.getValue();
  }

  private void flushOutput() throws IOException {
    output.flip();
    fileChecksum.update(output);
    output.position(0);
    file.write(output);
    output.clear();
  }

  /** Completes the data file and writes its description; both are synced. */
  public void finish() throws IOException {
    if (chunk.position() > 0) {
      endChunk();
    }
    flushOutput();
    file.sync();
    if (compressor == null) {
      checksums.write(directory, descriptionName, options.chunkLengthBytes());
    } else {
      try (ChunkOffsets packed = offsets.build();
          CompressionInfo info =
              new CompressionInfo(
                  options, maxCompressedLength, chunkStart, file.position(), packed)) {
        info.write(directory, descriptionName);
      }
    }
    finished = true;
  }

  /** CRC32 of the data file as stored, chunk checksums included; known after {@link #finish()}. */
  public long digest() {
    if (!finished) {
      throw new IllegalStateException(file.path() + " is not finished");
    }
    return fileChecksum.getValue();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      offsets.close();
      chunkMemory.close();
      outputMemory.close();
    }
  }
}
