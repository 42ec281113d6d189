package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads {@code Summary.db} back and compares it with the index and the data: the samples, the
 * positions of their entries in the index, the first and the last key.
 *
 * <p>Source of the form: Cassandra {@code IndexSummary}, {@code IndexSummaryComponent}.
 */
final class SummaryCheck implements Closeable {
  private static final int HEADER_BYTES = 24;
  private static final int STEP_BYTES = 64 * 1024;

  /** Receives the hash of each key of the summary. */
  interface Keys {
    /** Accepts both halves of the Murmur3 hash of a key. */
    void take(long first, long second) throws IOException;
  }

  private final ReadableFile file;
  private final byte[] header = new byte[HEADER_BYTES];
  private byte[] offsets = {};
  private byte[] samples = {};
  private final long[] hash = new long[2];

  SummaryCheck(Directory directory, String name) throws IOException {
    this.file = directory.open(name, ReadIntent.SCAN);
  }

  /** Compares the summary with the results of the parsers of index and data. */
  void run(IndexFileParser index, DataFigures data, int interval, Keys keys) throws IOException {
    read(0, header, HEADER_BYTES);
    int count = BigEndian.getInt(header, 4);
    long bytes = BigEndian.getLong(header, 8);
    long expected = (index.entries() + interval - 1) / interval;
    if (BigEndian.getInt(header, 0) != interval || count < 1 || count > expected) {
      throw wrong(
          0,
          count + " samples at an interval of " + BigEndian.getInt(header, 0),
          expected + " at " + interval);
    }
    if (bytes < (long) count * Integer.BYTES || bytes > file.length() - HEADER_BYTES) {
      throw wrong(8, bytes + " bytes of samples", "no more than the file has");
    }
    // Samples that lie beyond the range of the offsets are left out; the rest is then not compared.
    long samplesHash = readSamples(count, bytes, keys);
    if (count == expected && samplesHash != index.samplesHash()) {
      throw wrong(
          HEADER_BYTES,
          "samples that are not every " + interval + "th key of the index and its position",
          "those " + count);
    }
    long at = checkKey(HEADER_BYTES + bytes, data.firstKey, "first", keys);
    at = checkKey(at, data.lastKey, "last", keys);
    if (at != file.length()) {
      throw wrong(at, (file.length() - at) + " bytes after the last key", "the end of the file");
    }
  }

  private long readSamples(int count, long bytes, Keys keys) throws IOException {
    long result = 0;
    int step = STEP_BYTES / Integer.BYTES;
    for (int from = 0; from < count; from += step) {
      int part = Math.min(step, count - from);
      // One more offset, which is the end of the last sample of this part.
      boolean isLast = from + part == count;
      int read = (part + (isLast ? 0 : 1)) * Integer.BYTES;
      offsets = roomFor(offsets, read);
      read(HEADER_BYTES + (long) from * Integer.BYTES, offsets, read);
      for (int i = 0; i < part; i++) {
        long start = offset(i);
        long end = isLast && i + 1 == part ? bytes : offset(i + 1);
        result = readSample(start, end, bytes, result, keys);
      }
    }
    return result;
  }

  private long offset(int index) {
    return Integer.reverseBytes(BigEndian.getInt(offsets, index * Integer.BYTES)) & 0xffff_ffffL;
  }

  // The range of the samples that is in memory.
  private long loadedFrom;
  private int loaded;

  private long readSample(long start, long end, long bytes, long before, Keys keys)
      throws IOException {
    long length = end - start - Long.BYTES;
    if (length < 0 || length > 0xffff || end > bytes) {
      throw wrong(HEADER_BYTES + start, "a sample that ends at " + end, "up to 65535 bytes of key");
    }
    if (start < loadedFrom || end > loadedFrom + loaded) {
      loadedFrom = start;
      loaded = (int) Math.min(Math.max(STEP_BYTES, end - start), bytes - start);
      samples = roomFor(samples, loaded + Long.BYTES);
      read(HEADER_BYTES + start, samples, loaded);
    }
    int at = (int) (start - loadedFrom);
    Murmur3Hash.hash(samples, at, (int) length, hash);
    keys.take(hash[0], hash[1]);
    long position = Long.reverseBytes(BigEndian.getLong(samples, at + (int) length));
    return RunningHash.mixed(before, RunningHash.mixed(position, samples, at, at + (int) length));
  }

  private long checkKey(long position, byte[] expected, String which, Keys keys)
      throws IOException {
    byte[] found = new byte[Integer.BYTES + expected.length];
    if (position + found.length > file.length()) {
      throw wrong(position, "the end of the file", "the " + which + " key");
    }
    read(position, found, found.length);
    if (BigEndian.getInt(found, 0) != expected.length
        || !Arrays.equals(found, Integer.BYTES, found.length, expected, 0, expected.length)) {
      throw wrong(
          position,
          which + " key " + HexFormat.of().formatHex(found, Integer.BYTES, found.length),
          HexFormat.of().formatHex(expected));
    }
    Murmur3Hash.hash(expected, 0, expected.length, hash);
    keys.take(hash[0], hash[1]);
    return position + found.length;
  }

  private void read(long position, byte[] into, int length) throws IOException {
    if (file.length() - position < length) {
      throw wrong(position, "a file of " + file.length() + " bytes", length + " more bytes here");
    }
    file.readFully(position, java.nio.ByteBuffer.wrap(into, 0, length));
  }

  private static byte[] roomFor(byte[] array, int length) {
    return array.length >= length ? array : new byte[length];
  }

  private OutputVerificationException wrong(long position, String found, String expected) {
    return new OutputVerificationException(file.path(), position, found, expected);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
