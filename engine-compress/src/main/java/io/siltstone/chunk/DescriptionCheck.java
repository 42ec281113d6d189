package io.siltstone.chunk;

import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the file that describes the chunks of a data file back after it was written, and compares
 * it with the stored chunks: with the offsets in {@code CompressionInfo.db}, or the checksums in
 * {@code CRC.db}.
 *
 * <p>Only a running hash of the numbers is kept, so that memory does not grow with the file. Used
 * by one thread at a time.
 */
final class DescriptionCheck {
  private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

  private final boolean isCompressed;
  private long hash;
  private long count;

  /**
   * Creates a check.
   *
   * @param isCompressed whether the file is a {@code CompressionInfo.db}
   */
  DescriptionCheck(boolean isCompressed) {
    this.isCompressed = isCompressed;
  }

  /** Adds the next chunk's offset, or its checksum. */
  void add(long number) {
    hash = mixed(hash, number);
    count++;
  }

  private static long mixed(long hash, long number) {
    return Long.rotateLeft(hash ^ number, 23) * MULTIPLIER;
  }

  /**
   * Reads the file.
   *
   * @param tail the bytes that follow the numbers; its position does not change
   * @param buffer to read into; its content is lost
   */
  void run(
      Directory directory,
      String name,
      int chunkLength,
      int maxCompressedLength,
      long dataLength,
      ByteBuffer tail,
      ByteBuffer buffer)
      throws IOException {
    int numberBytes = isCompressed ? Long.BYTES : Integer.BYTES;
    // The length of the bytes before the numbers: in CompressionInfo.db, of the end of its head.
    int headBytes = isCompressed ? 3 * Integer.BYTES + Long.BYTES : Integer.BYTES;
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      long end = file.length() - tail.remaining();
      long position = end - count * numberBytes - headBytes;
      if (position < 0 || (!isCompressed && position != 0)) {
        throw wrong(
            file, "a file of " + CountText.of(file.length(), "byte"), CountText.of(count, "chunk"));
      }
      buffer.clear().limit(headBytes);
      file.readFully(position, buffer);
      buffer.flip();
      expect(file, "chunk length", buffer.getInt(), chunkLength);
      if (isCompressed) {
        expect(file, "maximal compressed length", buffer.getInt(), maxCompressedLength);
        expect(file, "length of the data", buffer.getLong(), dataLength);
        expect(file, "count of chunks", buffer.getInt(), count);
      }
      long found = hashOf(file, position + headBytes, end, numberBytes, buffer);
      if (found != hash) {
        throw wrong(
            file,
            (isCompressed ? "offsets" : "checksums") + " that are not those of the chunks",
            "those of the " + CountText.of(count, "chunk") + " that were stored");
      }
      if (tail.hasRemaining()) {
        ByteBuffer stored = ByteBuffer.allocate(tail.remaining());
        file.readFully(end, stored);
        if (!stored.flip().equals(tail)) {
          throw wrong(file, "another compression dictionary", "that of the chunks");
        }
      }
    }
  }

  private long hashOf(ReadableFile file, long from, long to, int numberBytes, ByteBuffer buffer)
      throws IOException {
    long found = 0;
    int step = buffer.capacity() / Long.BYTES * Long.BYTES;
    for (long position = from; position < to; position += step) {
      buffer.clear().limit((int) Math.min(step, to - position));
      file.readFully(position, buffer);
      buffer.flip();
      while (buffer.remaining() >= numberBytes) {
        found = mixed(found, isCompressed ? buffer.getLong() : buffer.getInt());
      }
    }
    return found;
  }

  private static void expect(ReadableFile file, String what, long found, long expected)
      throws OutputVerificationException {
    if (found != expected) {
      throw wrong(file, what + " " + found, String.valueOf(expected));
    }
  }

  private static OutputVerificationException wrong(
      ReadableFile file, String found, String expected) {
    return new OutputVerificationException(
        file.path(), OutputVerificationException.WHOLE_FILE, found, expected);
  }
}
