package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.compress.CompressionOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the data of an SSTable that its users need while no read has opened the data file
 * and its {@code CompressionInfo.db} or {@code CRC.db}. They are kept as text:
 *
 * <pre>
 *   1048576 524288 16384 2147483647 LZ4Compressor        length, length of the file, chunk length,
 *                                                        length from which on a chunk is stored
 *                                                        uncompressed, class of the compressor
 *   1048576 524288 16384 2147483647 LZ4Compressor a=b    and options of the compressor
 *   1048576 1048576                                      the lengths if data is not compressed
 * </pre>
 *
 * Immutable.
 *
 * @param length of the data in bytes, uncompressed
 * @param fileBytes length of the content of the data file; a file that is encrypted takes more
 * @param compression of the data
 */
record DataFacts(long length, long fileBytes, CompressionOptions compression) {
  // Values of options are those of a file, which may have any characters.
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.+-]*");
  private static final int PLAIN_PARTS = 2;
  private static final int COMPRESSED_PARTS = 5;

  /** Returns the facts about an open file. */
  static DataFacts of(ChunkedFile file) {
    return new DataFacts(file.length(), file.onDiskLength(), file.compression());
  }

  /**
   * Returns the text; null if the data has a compression dictionary, or an option of the compressor
   * cannot be expressed in it.
   */
  @Nullable String toText() {
    StringBuilder text = new StringBuilder().append(length).append(' ').append(fileBytes);
    if (!compression.isEnabled()) {
      return text.toString();
    }
    if (compression.dictionary() != null) {
      return null;
    }
    text.append(' ')
        .append(compression.chunkLengthBytes())
        .append(' ')
        .append(compression.maxCompressedLength())
        .append(' ')
        .append(compression.className());
    for (Map.Entry<String, String> option : compression.compressorOptions().entrySet()) {
      if (!PLAIN.matcher(option.getKey()).matches()
          || !PLAIN.matcher(option.getValue()).matches()) {
        return null;
      }
      text.append(' ').append(option.getKey()).append('=').append(option.getValue());
    }
    return text.toString();
  }

  /** Returns the facts of a text; null if it has another form. */
  static @Nullable DataFacts parse(String text) {
    String[] parts = text.split(" ", -1);
    try {
      if (parts.length != PLAIN_PARTS && parts.length < COMPRESSED_PARTS) {
        return null;
      }
      long length = Long.parseLong(parts[0]);
      long fileBytes = Long.parseLong(parts[1]);
      if (parts.length == PLAIN_PARTS) {
        return new DataFacts(length, fileBytes, CompressionOptions.NONE);
      }
      Map<String, String> options = new TreeMap<>();
      for (int i = COMPRESSED_PARTS; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        if (equals < 0) {
          return null;
        }
        options.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
      }
      return new DataFacts(
          length,
          fileBytes,
          CompressionOptions.ofFile(
              parts[4], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), options));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
