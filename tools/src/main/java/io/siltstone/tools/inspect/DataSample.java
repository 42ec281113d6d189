package io.siltstone.tools.inspect;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.sstable.SSTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Pieces of a table's uncompressed data, which are compressed in chunks of different lengths.
 *
 * @param pieces of at most {@link #PIECE_BYTES} each
 */
record DataSample(List<byte[]> pieces) {
  static final int PIECE_BYTES = 256 * 1024;
  private static final int MOST_PIECES = 32;
  private static final int CHECKSUM_BYTES = 4;

  DataSample {
    pieces = List.copyOf(pieces);
  }

  /** Reads pieces that are spread evenly over all data of SSTables. */
  static DataSample of(List<SSTable> sstables) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    long all = sstables.stream().mapToLong(SSTable::dataLength).sum();
    long count = Math.min(MOST_PIECES, (all + PIECE_BYTES - 1) / PIECE_BYTES);
    long distance = count == 0 ? 0 : Math.max(PIECE_BYTES, all / count);
    for (long i = 0; i < count; i++) {
      long position = distance * i;
      for (SSTable each : sstables) {
        if (position < each.dataLength()) {
          long from = position / PIECE_BYTES * PIECE_BYTES;
          byte[] piece = new byte[(int) Math.min(PIECE_BYTES, each.dataLength() - from)];
          if (each.copyData(from, piece) == piece.length) {
            pieces.add(piece);
          }
          break;
        }
        position -= each.dataLength();
      }
    }
    return new DataSample(pieces);
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
