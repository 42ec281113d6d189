package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads {@code Summary.db}, which has no checksum, and checks it: lengths against that of the file,
 * samples against each other and the index. Confined to one thread.
 */
final class IndexSummaryReader {
  private static final int PIECE_BYTES = 16 * 1024;
  private static final int MIN_KEYS_BYTES = 2 * Integer.BYTES;

  private final ReadableFile file;
  private int interval;
  private int count;
  private long samplesEnd;
  private int level;
  private int fullCount;
  private boolean bigEndian;
  private final PartitionKey firstKey = new PartitionKey();
  private final PartitionKey lastKey = new PartitionKey();

  // One window over the offsets and one over the samples: both are read from front to back.
  private final Window offsets = new Window();
  private final Window samples = new Window();
  private final long[] hash = new long[2];

  IndexSummaryReader(ReadableFile file) {
    this.file = file;
  }

  int interval() {
    return interval;
  }

  int count() {
    return count;
  }

  int sampleBytes() {
    return (int)
        (samplesEnd - IndexSummary.HEADER_BYTES - (long) count * IndexSummary.OFFSET_BYTES);
  }

  int level() {
    return level;
  }

  int fullCount() {
    return fullCount;
  }

  PartitionKey firstKey() {
    return firstKey;
  }

  PartitionKey lastKey() {
    return lastKey;
  }

  void readHeader() throws IOException {
    long least = IndexSummary.HEADER_BYTES + MIN_KEYS_BYTES;
    if (file.length() < least) {
      throw corrupt(
          CorruptFileException.WHOLE_FILE,
          "has " + file.length() + " bytes, allowed " + least + " or more");
    }
    int at = samples.at(0, IndexSummary.HEADER_BYTES);
    byte[] bytes = samples.bytes;
    interval = positive(BigEndian.getInt(bytes, at), 0, "interval");
    count = positive(BigEndian.getInt(bytes, at + 4), 4, "sample count");
    long size = BigEndian.getLong(bytes, at + 8);
    level = positive(BigEndian.getInt(bytes, at + 16), 16, "sampling level");
    fullCount = positive(BigEndian.getInt(bytes, at + 20), 20, "count at full sampling");
    long largest = Math.min(file.length() - least, Integer.MAX_VALUE);
    long smallest = (long) count * (IndexSummary.OFFSET_BYTES + IndexSummary.POSITION_BYTES);
    if (smallest > largest) {
      throw corrupt(
          4,
          count
              + " samples, allowed up to "
              + largest / (IndexSummary.OFFSET_BYTES + IndexSummary.POSITION_BYTES)
              + " in a file of "
              + file.length()
              + " bytes");
    }
    if (size < smallest || size > largest) {
      throw corrupt(
          8, count + " samples of " + size + " bytes, allowed " + smallest + " to " + largest);
    }
    if (level > IndexSummary.FULL_SAMPLING || fullCount < count) {
      throw corrupt(
          16,
          "sampling level "
              + level
              + " with "
              + count
              + " of "
              + fullCount
              + " samples, allowed 1 to "
              + IndexSummary.FULL_SAMPLING
              + " with no more than all");
    }
    samplesEnd = IndexSummary.HEADER_BYTES + size;
  }

  private int positive(int value, long offset, String what) throws CorruptSSTableException {
    if (value < 1) {
      throw corrupt(offset, what + " " + value + ", allowed 1 or more");
    }
    return value;
  }

  /** Reads the samples, then the first and the last key, after which the file must end. */
  void readSamples(IndexSummary.Builder into, Partitioner partitioner, long indexLength)
      throws IOException {
    PartitionKey key = new PartitionKey();
    PartitionKey before = new PartitionKey();
    readTableKeys(partitioner);
    long base = IndexSummary.HEADER_BYTES;
    // The first sample follows the offsets directly, which reveals the byte order of the first
    // offset.
    long expected = base + (long) count * IndexSummary.OFFSET_BYTES;
    bigEndian = offset(0, true) == expected;
    long positionBefore = -1;
    for (int i = 0; i < count; i++) {
      long start = offset(i, bigEndian);
      long end = i == count - 1 ? samplesEnd : offset(i + 1, bigEndian);
      long length = end - start - IndexSummary.POSITION_BYTES;
      if (start != expected || length < 0 || length > PartitionKey.MAX_LENGTH || end > samplesEnd) {
        throw corrupt(
            base + (long) i * IndexSummary.OFFSET_BYTES,
            "sample from "
                + start
                + " to "
                + end
                + ", allowed "
                + expected
                + " to "
                + samplesEnd
                + " with a key of up to "
                + PartitionKey.MAX_LENGTH
                + " bytes");
      }
      expected = end;
      int at = samples.at(start, (int) (end - start));
      wrap(key, partitioner, samples.bytes, at, (int) length);
      long written = BigEndian.getLong(samples.bytes, at + (int) length);
      long position = bigEndian ? written : Long.reverseBytes(written);
      checkSample(i, start, key, before, position, positionBefore, indexLength);
      into.sample(key, position);
      before.copyFrom(key);
      positionBefore = position;
    }
    if (before.compareTo(lastKey) > 0) {
      throw corrupt(samplesEnd, "last key " + lastKey + " is before the last sample " + before);
    }
  }

  private void checkSample(
      int index,
      long offset,
      PartitionKey key,
      PartitionKey before,
      long position,
      long positionBefore,
      long indexLength)
      throws CorruptSSTableException {
    // The first key is always sampled, and its entry is the first of the index.
    boolean inOrder = index == 0 ? key.equals(firstKey) : before.compareTo(key) < 0;
    if (!inOrder) {
      throw corrupt(
          offset, "sample " + index + " of " + key + " after " + (index == 0 ? firstKey : before));
    }
    if ((index == 0 && position != 0) || position <= positionBefore || position >= indexLength) {
      throw corrupt(
          offset,
          "sample "
              + index
              + " at position "
              + position
              + " of "
              + Component.PRIMARY_INDEX.fileName()
              + ", which has "
              + indexLength
              + " bytes, allowed "
              + (index == 0 ? "0" : (positionBefore + 1) + " to " + (indexLength - 1)));
    }
  }

  private long offset(int index, boolean isBigEndian) throws IOException {
    long place = IndexSummary.HEADER_BYTES + (long) index * IndexSummary.OFFSET_BYTES;
    int at = offsets.at(place, IndexSummary.OFFSET_BYTES);
    int written = BigEndian.getInt(offsets.bytes, at);
    return IndexSummary.HEADER_BYTES
        + (long) (isBigEndian ? written : Integer.reverseBytes(written));
  }

  private void readTableKeys(Partitioner partitioner) throws IOException {
    long at = readTableKey(samplesEnd, firstKey, partitioner);
    at = readTableKey(at, lastKey, partitioner);
    if (at != file.length()) {
      throw corrupt(at, "ends here, the file has " + file.length() + " bytes");
    }
  }

  private long readTableKey(long offset, PartitionKey key, Partitioner partitioner)
      throws IOException {
    int at = samples.at(offset, Integer.BYTES);
    int length = BigEndian.getInt(samples.bytes, at);
    if (length < 0 || length > PartitionKey.MAX_LENGTH) {
      throw corrupt(offset, "key of " + length + " bytes, allowed 0 to " + PartitionKey.MAX_LENGTH);
    }
    at = samples.at(offset + Integer.BYTES, length);
    PartitionKey view = new PartitionKey();
    wrap(view, partitioner, samples.bytes, at, length);
    key.copyFrom(view);
    return offset + Integer.BYTES + length;
  }

  private void wrap(
      PartitionKey key, Partitioner partitioner, byte[] bytes, int offset, int length) {
    key.wrap(bytes, offset, length, partitioner.tokenWith(bytes, offset, length, hash));
  }

  private CorruptSSTableException corrupt(long offset, String reason) {
    return new CorruptSSTableException(file.path(), Component.SUMMARY, offset, reason);
  }

  /** A part of the file in an array. */
  private final class Window {
    byte[] bytes = {};
    private long from;
    private int length;

    /** Returns the index in {@link #bytes} of an {@code offset} in the file. */
    int at(long offset, int count) throws IOException {
      if (offset < from || offset + count > from + length) {
        load(offset, count);
      }
      return (int) (offset - from);
    }

    private void load(long offset, int count) throws IOException {
      if (offset + count > file.length()) {
        throw corrupt(offset, count + " bytes, the file has " + file.length());
      }
      if (bytes.length < count || bytes.length == 0) {
        bytes = new byte[Math.max(PIECE_BYTES, count)];
      }
      from = offset;
      length = 0;
      int wanted = (int) Math.min(bytes.length, file.length() - offset);
      file.readFully(from, ByteBuffer.wrap(bytes, 0, wanted));
      length = wanted;
    }
  }
}
