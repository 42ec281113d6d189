package io.siltstone.chunk;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * Chunks are compressed and written in batches of 256 KiB, by the writing thread or by executors;
 * the file is the same. The file is synced at intervals, so that the last sync is not slow. Nothing
 * is allocated per write. Chunks are read back after they were written, and their checksums are
 * compared ({@link StoredChunkCheck}). Confined to one thread. {@link #finish()} completes and
 * syncs the file; after {@link #close()} without it, the caller deletes the incomplete files.
 * Source: Cassandra {@code CompressedSequentialWriter}, {@code ChecksumWriter}.
 */
public final class ChunkWriter implements ByteOutput, Closeable {
  private static final int BATCH_BYTES = 256 * 1024;
  private static final byte[] NONE = {};

  /**
   * An estimate of the native memory in bytes that compression with a dictionary takes, and the
   * decompression of samples, besides two copies of the dictionary. The library does not report it.
   */
  private static final int DICTIONARY_BYTES = 2 << 20;

  private final Directory directory;
  private final String descriptionName;
  private final CompressionOptions options;
  private final int maxCompressedLength;
  private final int batchLength;
  private final Closeables compression = new Closeables();
  private final WritableFile file;
  private final WriteBehindRing<ChunkBatch> lane;
  private final TrickleFsync syncs;
  private final DataObserver observer;

  // Used by the writer: the batch that is being filled, the number of batches before it, and how
  // many of those are known to be stored.
  private byte[] plain = NONE;
  private int filled;
  private long batchStart;
  private long batches;
  private long knownPlain;
  private long knownOnDisk;
  private boolean finished;

  // Used by the thread that stores a batch; the ring hands them over from thread to thread.
  private final CRC32 fileChecksum = new CRC32();
  private final ChunkOffsets.Builder offsets;
  private final ChunkChecksums checksums = new ChunkChecksums();
  private final long[] endsOnDisk = new long[WriteBehindRing.BATCHES];
  private long batchesStored;
  private final StoredChunkCheck storedChunks;
  private final DescriptionCheck description;

  private ChunkWriter(
      Directory directory,
      String dataName,
      String descriptionName,
      CompressionOptions options,
      MemoryBudget budget,
      WriteIntent intent,
      PipelineExecutors executors,
      DataObserver observer)
      throws IOException {
    this.observer = observer;
    this.storedChunks = new StoredChunkCheck(directory, dataName, options.isEnabled());
    this.description = new DescriptionCheck(options.isEnabled());
    this.directory = directory;
    this.descriptionName = descriptionName;
    this.options = options;
    this.maxCompressedLength = options.maxCompressedLength();
    int chunks = Math.max(1, BATCH_BYTES / options.chunkLengthBytes());
    this.batchLength = chunks * options.chunkLengthBytes();
    @Nullable Compressor compressor;
    try {
      compressor = options.isEnabled() ? newCompressor(options, budget) : null;
      this.file = directory.create(dataName, intent);
    } catch (Throwable e) {
      compression.closeAfter(e);
      throw e;
    }
    this.lane =
        new WriteBehindRing<>(
            () ->
                new ChunkBatch(
                    directory.path() + "/" + dataName,
                    options.chunkLengthBytes(),
                    compressor,
                    maxCompressedLength,
                    chunks,
                    budget),
            this::store,
            executors.work());
    this.offsets = new ChunkOffsets.Builder(budget);
    this.syncs = new TrickleFsync(file, executors.sync());
  }

  private Compressor newCompressor(CompressionOptions from, MemoryBudget budget) {
    CompressionDictionary dictionary = from.dictionary();
    if (dictionary != null) {
      compression.add(
          budget.reserve(
              MemoryKind.COMPRESSION_DICTIONARY, DICTIONARY_BYTES + 2L * dictionary.length()));
    }
    return compression.add(from.newCompressor());
  }

  /**
   * Creates a data file that the writer's thread compresses and writes.
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
    return create(
        directory,
        dataName,
        descriptionName,
        options,
        budget,
        intent,
        PipelineExecutors.NONE,
        DataObserver.NONE);
  }

  /**
   * Creates a file that executors compress, write and sync while the calling thread goes on.
   *
   * @param executors need not have a free thread; the calling thread does the work for which there
   *     is no executor
   * @param observer receives the uncompressed bytes; an exception of it fails the writer
   */
  public static ChunkWriter create(
      Directory directory,
      String dataName,
      String descriptionName,
      CompressionOptions options,
      MemoryBudget budget,
      WriteIntent intent,
      PipelineExecutors executors,
      DataObserver observer)
      throws IOException {
    return new ChunkWriter(
        directory, dataName, descriptionName, options, budget, intent, executors, observer);
  }

  @Override
  public long position() {
    return batchStart + filled;
  }

  /**
   * Returns the length of the data file. It is exact once the file is {@linkplain #finish()
   * finished}; before, it is computed from the batches up to the fourth last and their compression
   * ratio. Therefore it does not depend on which thread compresses, and when.
   */
  public long onDiskPosition() {
    if (finished) {
      return file.position();
    }
    double ratio = knownPlain == 0 ? 1 : (double) knownOnDisk / knownPlain;
    return knownOnDisk + (long) ((position() - knownPlain) * ratio);
  }

  /**
   * Returns the stored bytes of the chunks divided by the bytes of data. Checksums are not counted,
   * as in Cassandra.
   */
  public double compressionRatio() {
    int chunkLength = options.chunkLengthBytes();
    long chunks = (position() + chunkLength - 1) / chunkLength;
    return (double) (onDiskPosition() - chunks * Integer.BYTES) / position();
  }

  @Override
  public void write(byte[] src, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > plain.length - filled) {
      int part = plain.length - filled;
      System.arraycopy(src, at, plain, filled, part);
      filled += part;
      at += part;
      left -= part;
      turnBatch();
    }
    System.arraycopy(src, at, plain, filled, left);
    filled += left;
  }

  @Override
  public void write(byte value) throws IOException {
    if (filled == plain.length) {
      turnBatch();
    }
    plain[filled++] = value;
  }

  private void turnBatch() throws IOException {
    if (filled > 0) {
      endBatch();
    }
    plain = lane.next().plain();
    // The batch that had this place in the ring is stored.
    long stored = batches - WriteBehindRing.BATCHES;
    if (stored >= 0) {
      knownPlain = (stored + 1) * batchLength;
      knownOnDisk = endsOnDisk[(int) (stored % WriteBehindRing.BATCHES)];
    }
  }

  private void endBatch() throws IOException {
    int length = filled;
    plain = NONE;
    filled = 0;
    batchStart += length;
    batches++;
    lane.handOver(length);
  }

  private void store(ChunkBatch batch) throws IOException {
    observer.written(batch.plain(), batch.plainLength());
    long at = file.position();
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      if (options.isEnabled()) {
        offsets.add(at);
      } else {
        checksums.add(batch.checksum(chunk));
      }
      description.add(options.isEnabled() ? at : batch.checksum(chunk));
      storedChunks.add(batch.storedLength(chunk), batch.checksum(chunk));
      at += batch.storedLength(chunk);
    }
    ByteBuffer stored = batch.stored();
    fileChecksum.update(stored);
    file.write(stored.rewind());
    syncs.written();
    endsOnDisk[(int) (batchesStored++ % WriteBehindRing.BATCHES)] = at;
    if (storedChunks.isDue()) {
      storedChunks.run(false, stored);
    }
  }

  /**
   * Completes the data file and writes its description. Both are synced and read back.
   *
   * @throws io.siltstone.io.OutputVerificationException if the bytes read differ from those written
   */
  public void finish() throws IOException {
    long length = position();
    if (filled > 0) {
      endBatch();
    }
    lane.drain();
    syncs.await();
    file.sync();
    checkStored();
    if (options.isEnabled()) {
      try (ChunkOffsets packed = offsets.build();
          CompressionInfo info =
              new CompressionInfo(options, maxCompressedLength, length, file.position(), packed)) {
        info.write(directory, descriptionName);
      }
    } else {
      checksums.write(directory, descriptionName, options.chunkLengthBytes());
    }
    description.run(
        directory,
        descriptionName,
        options.chunkLengthBytes(),
        maxCompressedLength,
        length,
        CompressionInfo.dictionarySection(options),
        lane.next().stored());
    finished = true;
  }

  private void checkStored() throws IOException {
    storedChunks.run(true, lane.next().stored());
    if (storedChunks.fileChecksum() != fileChecksum.getValue()) {
      throw new OutputVerificationException(
          file.path(),
          OutputVerificationException.WHOLE_FILE,
          "a file with checksum " + storedChunks.fileChecksum(),
          fileChecksum.getValue() + ", as of what was written");
    }
  }

  /**
   * Returns the CRC32 of the stored data file, including chunk checksums; known after {@link
   * #finish()}.
   */
  public long digest() {
    if (!finished) {
      throw new IllegalStateException(file.path() + " is not finished");
    }
    return fileChecksum.getValue();
  }

  @Override
  public void close() throws IOException {
    try (compression;
        file) {
      lane.close();
      syncs.cancel();
      offsets.close();
    }
  }
}
