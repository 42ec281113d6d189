package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Pieces of a table's uncompressed data, which are compressed in chunks of different lengths.
 *
 * @param pieces of at most {@link #PIECE_BYTES} each
 */
record DataSample(List<byte[]> pieces) {
  static final int PIECE_BYTES = 256 * 1024;
  private static final int CHECKSUM_BYTES = 4;

  DataSample {
    pieces = List.copyOf(pieces);
  }

  long bytes() {
    return pieces.stream().mapToLong(piece -> piece.length).sum();
  }

  /** Returns the stored size by the uncompressed size, checksums included; 1 without data. */
  double ratio(CompressionOptions options) throws IOException {
    if (bytes() == 0) {
      return 1;
    }
    long stored = 0;
    try (Compressor compressor = options.newCompressor()) {
      int chunk = options.chunkLengthBytes();
      ByteBuffer target = ByteBuffer.allocate(compressor.maxCompressedLength(chunk));
      for (byte[] piece : pieces) {
        for (int at = 0; at < piece.length; at += chunk) {
          int length = Math.min(chunk, piece.length - at);
          int compressed = compressor.compress(ByteBuffer.wrap(piece, at, length), target.clear());
          boolean isPlain = compressed >= options.maxCompressedLength();
          stored += (isPlain ? length : compressed) + CHECKSUM_BYTES;
        }
      }
    }
    return (double) stored / bytes();
  }
}
