package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.filter.BloomFilter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Checks a bloom filter and its file: that each key has set its bits, and that the file has as many
 * of them as were set.
 *
 * <p>Looking up each key again would cost more than writing the filter. Instead the filter counts
 * the bits that keys set, and those that were not set before. The sums of the keys' hashes are
 * compared elsewhere, and the keys of the summary are looked up.
 */
final class FilterCheck {
  private static final int HEADER_BYTES = 8;
  private static final int STEP_BYTES = 64 * 1024;

  private FilterCheck() {}

  /** Checks the filter and the file that it was written to. */
  static void run(Directory directory, String name, BloomFilter filter, long keys)
      throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      long given = keys * filter.bitsPerKey();
      if (filter.bitsGiven() != given) {
        throw wrong(
            file,
            filter.bitsGiven() + " bits of keys",
            given + " of " + keys + " keys with " + filter.bitsPerKey() + " bits each");
      }
      if (file.length() != HEADER_BYTES + filter.memoryBytes()) {
        throw wrong(
            file,
            "a file of " + file.length() + " bytes",
            (HEADER_BYTES + filter.memoryBytes()) + " bytes");
      }
      long found = bitsIn(file, filter);
      if (found != filter.bitsSet()) {
        throw wrong(file, found + " bits that are set", filter.bitsSet() + ", as were set");
      }
    }
  }

  private static long bitsIn(ReadableFile file, BloomFilter filter) throws IOException {
    byte[] piece = new byte[(int) Math.min(STEP_BYTES, file.length())];
    long bits = 0;
    for (long position = 0; position < file.length(); ) {
      int length = (int) Math.min(piece.length, file.length() - position);
      file.readFully(position, ByteBuffer.wrap(piece, 0, length));
      int at = 0;
      if (position == 0) {
        int hashes = BigEndian.getInt(piece, 0);
        long words = BigEndian.getInt(piece, Integer.BYTES);
        if (hashes != filter.bitsPerKey() || words * Long.BYTES != filter.memoryBytes()) {
          throw wrong(
              file,
              hashes + " bits for each key, " + words + " words",
              filter.bitsPerKey() + " and " + filter.memoryBytes() / Long.BYTES);
        }
        at = HEADER_BYTES;
      }
      // The file consists of the header and words of eight bytes.
      for (; at < length; at += Long.BYTES) {
        bits += Long.bitCount(BigEndian.getLong(piece, at));
      }
      position += length;
    }
    return bits;
  }

  private static OutputVerificationException wrong(
      ReadableFile file, String found, String expected) {
    return new OutputVerificationException(
        file.path(), OutputVerificationException.WHOLE_FILE, found, expected);
  }
}
