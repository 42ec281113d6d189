package io.siltstone.compress;

import java.util.Map;

/**
 * How the files of a flush are compressed, which has to keep up with writers; a compaction writes
 * what it merges as the table says. As Cassandra's {@code flush_compression}, whose default is
 * {@code fast}; but the table's chunk length is kept.
 */
public enum FlushCompression {
  /** As the table says. */
  TABLE,
  /** As the table says if that is fast (LZ4, Snappy, Noop or nothing), else by LZ4. */
  FAST,
  /** Not: chunks are stored as they are, with their checksums. */
  NONE;

  /** What a flush writes for a table; nothing is compressed where the table does not compress. */
  public CompressionOptions of(CompressionOptions table) {
    if (this == TABLE || !table.isEnabled() || (this == FAST && Compressors.isFast(table))) {
      return table;
    }
    String compressor = this == FAST ? Lz4Compressor.NAME : NoopCompressor.NAME;
    return CompressionOptions.fromMap(Map.of("class", compressor))
        .withChunkLengthInKb(table.chunkLengthBytes() / 1024);
  }
}
