package io.siltstone.sstable;

import io.siltstone.bytes.BigEndian;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.io.CorruptFileException;
import io.siltstone.partitioner.PartitionKey;
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
  private final IndexVerification index;
  private final long[] hash = new long[2];
  private final PartitionKey previous = new PartitionKey();
  private final PartitionKey key = new PartitionKey();
  // The beginning of the partition of the current index entry: the length of the key, and the key.
  // Partitions are in the order of the index, so one pass over the data reaches all of them.
  private byte[] head = new byte[KEY_LENGTH_BYTES];
  private int gathered;
  private long partitions;
  private boolean hasEntry;

  ChecksumVerification(SSTable table, IndexVerification index) {
    this.table = table;
    this.index = index;
  }

  void run() throws IOException {
    nextEntry(0);
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
      throw index.corrupt(
          "an entry for position "
              + index.dataPosition()
              + ", where no key is; the data ends at "
              + table.dataLength());
    }
    index.end(partitions);
    long counted = table.statistics().stats().partitionSizes().count();
    if (partitions != counted) {
      throw index.corrupt(
          "has "
              + CountText.of(partitions, "entry", "entries")
              + ", Statistics.db counts "
              + CountText.of(counted, "partition"));
    }
  }

  /** Compares the beginnings of partitions within these bytes with the entries of the index. */
  private void compareHeads(long position, byte[] bytes, int count) throws IOException {
    long end = position + count;
    while (hasEntry && index.dataPosition() + gathered < end) {
      int from = (int) (index.dataPosition() + gathered - position);
      int part = Math.min(headLength() - gathered, count - from);
      System.arraycopy(bytes, from, head, gathered, part);
      gathered += part;
      if (gathered == KEY_LENGTH_BYTES && headLength() > head.length) {
        head = Arrays.copyOf(head, headLength());
      }
      if (gathered >= KEY_LENGTH_BYTES && gathered == headLength()) {
        compareKey();
        nextEntry(index.dataPosition() + gathered);
      }
    }
  }

  /** Returns how many bytes of the head are needed: its length is known after its first bytes. */
  private int headLength() {
    return gathered < KEY_LENGTH_BYTES
        ? KEY_LENGTH_BYTES
        : KEY_LENGTH_BYTES + BigEndian.getUnsignedShort(head, 0);
  }

  private void compareKey() throws IOException {
    int length = gathered - KEY_LENGTH_BYTES;
    long token = table.partitioner().token(head, KEY_LENGTH_BYTES, length, hash);
    key.wrap(head, KEY_LENGTH_BYTES, length, token);
    index.verify(key, index.dataPosition(), hash[1]);
    if (partitions > 0 && key.compareTo(previous) <= 0) {
      throw index.corrupt(key + " follows " + previous);
    }
    if (!table.filter().mightContain(hash[0], hash[1])) {
      throw table.corrupt(
          Component.FILTER, CorruptFileException.WHOLE_FILE, "does not contain " + key);
    }
    previous.copyFrom(key);
    partitions++;
  }

  /**
   * Moves to the next entry.
   *
   * @param least position from which on its partition may be
   */
  private void nextEntry(long least) throws IOException {
    gathered = 0;
    hasEntry = index.next();
    if (!hasEntry) {
      return;
    }
    boolean isFirst = partitions == 0;
    if (isFirst ? index.dataPosition() != 0 : index.dataPosition() < least) {
      throw index.corrupt(
          "an entry for position "
              + index.dataPosition()
              + (isFirst ? ", expected 0" : ", allowed " + least + " or more"));
    }
  }
}
