package io.siltstone.sstable;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads all chunks of an SSTable in one pass, compares their checksums, and compares each entry of
 * the index with the data, without parsing rows. A partition begins with its key, so that an entry
 * is right if its key stands at its position.
 *
 * <p>Used once, by one thread.
 */
final class ChecksumVerification {
  private static final int KEY_LENGTH_BYTES = Short.BYTES;

  private final SSTable table;
  private final IndexCursor index;
  private final SummaryVerification summary;
  private final long[] hash = new long[2];
  private final PartitionKey previous = new PartitionKey();
  private final PartitionKey key = new PartitionKey();
  // The beginning of the partition of the current index entry: the length of the key, and the key.
  // Partitions are in the order of the index, so one pass over the data reaches all of them.
  private byte[] head = new byte[KEY_LENGTH_BYTES];
  private int headLength;
  private int matched;
  private long entries;
  private boolean hasEntry;

  ChecksumVerification(SSTable table, IndexCursor index) throws IOException {
    this.table = table;
    this.index = index;
    this.summary = new SummaryVerification(table);
  }

  void run() throws IOException {
    nextEntry();
    try (ChunkSource chunks = table.openData(SequentialAccess.SCAN.checked())) {
      byte[] buffer = new byte[chunks.chunkLength()];
      long position = 0;
      for (int count = chunks.read(0, buffer, 0, buffer.length);
          count > 0;
          count = chunks.read(position, buffer, 0, buffer.length)) {
        compareHeads(position, buffer, count);
        position += count;
      }
    } catch (CorruptFileException e) {
      throw CorruptSSTableException.of(Component.DATA, e);
    }
    if (hasEntry) {
      throw table.indexCorrupt(
          index.position(),
          "an entry for "
              + key
              + " at "
              + index.dataPosition()
              + ", the data ends at "
              + table.dataLength());
    }
    summary.end();
    long counted = table.statistics().stats().partitionSizes().count();
    if (entries != counted) {
      throw table.indexCorrupt(
          table.indexLength(),
          "has "
              + CountText.of(entries, "entry", "entries")
              + ", Statistics.db counts "
              + CountText.of(counted, "partition"));
    }
  }

  /** Compares the beginnings of partitions with the parts of them within these bytes. */
  private void compareHeads(long position, byte[] bytes, int count) throws IOException {
    long end = position + count;
    while (hasEntry && index.dataPosition() + matched < end) {
      int from = (int) (index.dataPosition() + matched - position);
      int part = Math.min(headLength - matched, count - from);
      if (!Arrays.equals(head, matched, matched + part, bytes, from, from + part)) {
        throw table.indexCorrupt(
            index.position(),
            "an entry for "
                + key
                + " at "
                + index.dataPosition()
                + ", where the data has no such"
                + " key");
      }
      matched += part;
      if (matched < headLength) {
        return;
      }
      nextEntry();
    }
  }

  private void nextEntry() throws IOException {
    long before = hasEntry ? index.dataPosition() + headLength : 0;
    if (hasEntry) {
      previous.copyFrom(key);
    }
    hasEntry = index.next();
    matched = 0;
    if (!hasEntry) {
      return;
    }
    int length = index.keyLength();
    headLength = KEY_LENGTH_BYTES + length;
    if (head.length < headLength) {
      head = new byte[headLength];
    }
    head[0] = (byte) (length >>> Byte.SIZE);
    head[1] = (byte) length;
    System.arraycopy(index.keyBytes(), index.keyOffset(), head, KEY_LENGTH_BYTES, length);
    key.wrap(
        head, KEY_LENGTH_BYTES, length, table.partitioner().token(head, KEY_LENGTH_BYTES, length));
    checkOrder(before);
    checkFilter();
    summary.entry(key, index.position());
    entries++;
  }

  private void checkOrder(long before) throws CorruptSSTableException {
    boolean isFirst = entries == 0;
    if (isFirst ? index.dataPosition() != 0 : index.dataPosition() < before) {
      throw table.indexCorrupt(
          index.position(),
          "an entry for position "
              + index.dataPosition()
              + (isFirst ? ", expected 0" : ", allowed " + before + " or more"));
    }
    if (!isFirst && key.compareTo(previous) <= 0) {
      throw table.indexCorrupt(index.position(), key + " follows " + previous);
    }
  }

  private void checkFilter() throws IOException {
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    if (!table.filter().mightContain(hash[0], hash[1])) {
      throw new CorruptSSTableException(
          table.directory().path() + "/" + table.descriptor().fileName(Component.FILTER),
          Component.FILTER,
          CorruptFileException.WHOLE_FILE,
          "does not contain " + key);
    }
  }
}
