package io.siltstone.compress;

import java.util.Map;

/**
 * The compression of the files of a flush, which has to keep up with writers; a compaction uses the
 * compression of the table. Corresponds to Cassandra's {@code flush_compression}, whose default is
 * {@code fast}; but the table's chunk length is kept.
 */
public enum FlushCompression {
  /** Uses the compression of the table. */
  TABLE,
  /** Uses the compression of the table if it is fast (LZ4, Snappy, Noop or none), otherwise LZ4. */
  FAST,
  /** Does not compress: chunks are stored as they are, with their checksums. */
  NONE;

  /**
   * Returns the compression of a flush for a table; a table without compression stays uncompressed.
   */
  public CompressionOptions of(CompressionOptions table) {
    if (this == TABLE || !table.isEnabled() || (this == FAST && Compressors.isFast(table))) {
      return table;
    }
    String compressor = this == FAST ? Lz4Compressor.NAME : NoopCompressor.NAME;
    return CompressionOptions.fromMap(Map.of("class", compressor))
        .withChunkLengthInKb(table.chunkLengthBytes() / 1024);
  }
}
