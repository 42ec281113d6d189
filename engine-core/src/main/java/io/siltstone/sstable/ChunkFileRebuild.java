package io.siltstone.sstable;

import io.siltstone.chunk.ChunkRepair;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the files that describe the chunks of a data file, where they are missing or wrong:
 * {@code CompressionInfo.db}, {@code CRC.db} and {@code Digest.crc32}. Chunks of a compressed file
 * are verified by their checksums, those of an uncompressed one by {@code CRC.db} or the digest.
 * Confined to one thread.
 */
final class ChunkFileRebuild {
  private static final int MOST_PLAIN_CHUNK_BYTES = 1 << 24;
  private static final int PLAIN_CHUNK_BYTES = RebuildState.PLAIN_CHUNK_BYTES;

  private final RebuildState state;

  ChunkFileRebuild(RebuildState state) {
    this.state = state;
  }

  /**
   * Compares all checksums and writes the files that are missing or wrong.
   *
   * @throws CorruptSSTableException if the data itself is damaged
   */
  void run() throws IOException {
    Long told = toldDigest();
    long digest = ChunkedFile.digest(state.files(), state.name(Component.DATA));
    boolean isDigestRight = told != null && told == digest;
    boolean isProved =
        isCompressed() ? rebuildDescription() : rebuildChecksums(isDigestRight, told);
    if (!isDigestRight) {
      String reason =
          !state.exists(Component.DIGEST)
              ? "it was missing"
              : told == null ? "is not a decimal number" : "says " + told + ", it is " + digest;
      if (!isProved) {
        state.remark(
            state.path(Component.DATA)
                + " has neither a digest nor checksums: whether it is what was written is not"
                + " known, but all of it can be read");
      }
      SSTableFiles.writeText(
          state.directory(),
          state.temporary(Component.DIGEST),
          Long.toString(digest),
          WriteIntent.OTHER);
      state.use(Component.DIGEST, reason);
    }
  }

  private @Nullable Long toldDigest() throws IOException {
    if (!state.exists(Component.DIGEST)) {
      return null;
    }
    try {
      return SSTableFiles.readDigest(state.files(), state.name(Component.DIGEST));
    } catch (CorruptSSTableException e) {
      return null;
    }
  }

  private boolean isCompressed() throws IOException {
    if (state.exists(Component.COMPRESSION_INFO)) {
      return true;
    }
    StatsMetadata stats = state.partsOfStatistics().stats();
    if (stats != null) {
      return stats.compressionRatio() >= 0;
    }
    return !state.exists(Component.CRC)
        && (state.namesInContents().contains(Component.COMPRESSION_INFO.fileName())
            || state.options().settings().compression().isEnabled());
  }

  /** Checks all chunks of a compressed file, and searches for them if their offsets are wrong. */
  private boolean rebuildDescription() throws IOException {
    CorruptFileException fault = null;
    String reason = "it was missing";
    if (state.exists(Component.COMPRESSION_INFO)) {
      fault = faultOfChunks(true);
      if (fault == null) {
        return true;
      }
      reason = fault.reason();
    }
    try {
      ChunkRepair.describe(
          state.directory(),
          state.name(Component.DATA),
          state.temporary(Component.COMPRESSION_INFO),
          compressions(),
          state.budget());
    } catch (CorruptFileException e) {
      throw damaged(fault == null ? e : fault);
    }
    state.use(Component.COMPRESSION_INFO, reason);
    CorruptFileException left = faultOfChunks(true);
    if (left != null) {
      throw damaged(left);
    }
    return true;
  }

  private CorruptSSTableException damaged(CorruptFileException fault) {
    return new CorruptSSTableException(
        fault.path(),
        Component.DATA,
        fault.offset(),
        fault.reason() + SSTableRebuild.REMEDY,
        fault);
  }

  /** Returns possible compressions of the data, the most likely first. */
  private List<CompressionOptions> compressions() throws IOException {
    List<CompressionOptions> candidates = new ArrayList<>();
    if (state.exists(Component.COMPRESSION_INFO)) {
      try (ChunkedFile data =
          ChunkedFile.openForSalvage(
              state.files(),
              state.name(Component.DATA),
              state.name(Component.COMPRESSION_INFO),
              state.budget())) {
        candidates.add(data.compression());
      } catch (CorruptFileException e) {
        // Not even the compression can be read.
      }
    }
    CompressionOptions ofTable = state.options().settings().compression();
    if (!state.descriptor().version().hasCompressionDictionary()) {
      // Readers of such a version may not know a compressor with a dictionary.
      ofTable = ofTable.withoutDictionary();
    }
    if (ofTable.isEnabled()) {
      candidates.add(ofTable);
    }
    for (String compressor : CompressionOptions.COMPRESSORS) {
      candidates.add(CompressionOptions.fromMap(Map.of("class", compressor)));
    }
    // Last, as they also decompress what was compressed without a dictionary.
    for (CompressionDictionary dictionary : dictionariesOfTable()) {
      candidates.add(ofTable.withDictionary(dictionary));
    }
    return candidates;
  }

  /** Returns the dictionary that the table keeps, and those of the directory's other SSTables. */
  private Set<CompressionDictionary> dictionariesOfTable() throws IOException {
    String end = "-" + Component.COMPRESSION_INFO.fileName();
    Set<CompressionDictionary> found = new LinkedHashSet<>();
    CompressionDictionary kept = state.options().dictionary();
    if (kept != null) {
      found.add(kept);
    }
    for (String name : state.directory().files()) {
      if (!name.endsWith(end) || name.equals(state.name(Component.COMPRESSION_INFO))) {
        continue;
      }
      String data =
          name.substring(0, name.length() - end.length()) + "-" + Component.DATA.fileName();
      try (ChunkedFile file =
          ChunkedFile.openForSalvage(state.directory(), data, name, state.budget())) {
        CompressionDictionary dictionary = file.compression().dictionary();
        if (dictionary != null) {
          found.add(dictionary);
        }
      } catch (IOException e) {
        // It is damaged, too, or is not of an SSTable.
      }
    }
    return found;
  }

  private boolean rebuildChecksums(boolean isDigestRight, @Nullable Long toldDigest)
      throws IOException {
    boolean isThere = state.exists(Component.CRC);
    CorruptFileException fault = isThere ? faultOfChunks(false) : null;
    if (isThere && fault == null) {
      return true;
    }
    if (!isDigestRight && fault != null) {
      throw damaged(fault);
    }
    if (!isDigestRight && toldDigest != null) {
      throw new CorruptSSTableException(
          state.path(Component.DATA),
          Component.DATA,
          CorruptFileException.WHOLE_FILE,
          "there are no checksums, and the digest is another than "
              + toldDigest
              + SSTableRebuild.REMEDY);
    }
    ChunkRepair.writeChecksums(
        state.directory(),
        state.name(Component.DATA),
        state.temporary(Component.CRC),
        plainChunkLength());
    state.use(Component.CRC, fault == null ? "it was missing" : fault.reason());
    return isDigestRight;
  }

  /** Returns the chunk length at the beginning of {@code CRC.db}, or Cassandra's. */
  private int plainChunkLength() throws IOException {
    if (state.exists(Component.CRC)
        && state.files().length(state.name(Component.CRC)) >= Integer.BYTES) {
      try (ReadableFile file = state.files().open(state.name(Component.CRC), ReadIntent.SCAN)) {
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
        file.readFully(0, head);
        int length = head.getInt(0);
        if (length >= 512 && length <= MOST_PLAIN_CHUNK_BYTES && Integer.bitCount(length) == 1) {
          return length;
        }
      }
    }
    return PLAIN_CHUNK_BYTES;
  }

  /** Reads all chunks; returns the first failure, or null. */
  private @Nullable CorruptFileException faultOfChunks(boolean isCompressed) throws IOException {
    try (ChunkedFile data = state.openData(isCompressed);
        ChunkSource chunks = data.openSequential(SequentialAccess.SCAN, 0, data.length())) {
      byte[] buffer = new byte[PLAIN_CHUNK_BYTES];
      for (long position = 0; position < data.length(); ) {
        int count = chunks.read(position, buffer, 0, buffer.length);
        if (count <= 0) {
          return new CorruptFileException(
              data.path(), position, "the data ends before " + data.length());
        }
        position += count;
      }
      return null;
    } catch (CorruptFileException e) {
      return e;
    }
  }
}
