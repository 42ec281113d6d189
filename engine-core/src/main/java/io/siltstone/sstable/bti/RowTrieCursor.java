package io.siltstone.sstable.bti;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.DeletionTimes;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.trie.FilePages;
import io.siltstone.sstable.trie.TrieCursor;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A cursor over the index blocks of a partition in {@code Rows.db}, whose form {@link
 * RowTrieWriter} describes.
 *
 * <p>After the last block there is a last place without a block, which is found for clusterings
 * that are greater than all rows, though not for each of them. Confined to one thread; allocates
 * nothing once its arrays have grown; does not own the file. Source: Cassandra {@code
 * RowIndexReader}.
 */
public final class RowTrieCursor {
  private static final int KEY_GUESS = 64;
  private static final int AFTER_KEY = 3 * Vint.MAX_LENGTH + DeletionTimes.MAX_LENGTH;
  private static final int OFFSET_BITS = RowTrieWriter.HAS_DELETION - 1;

  private final ReadableFile file;
  private final FileReads reads;
  private final TrieCursor trie;
  private final ComparableClusterings clusterings;
  private final ComparableBytes sought = new ComparableBytes();
  private byte[] entry = new byte[Short.BYTES + KEY_GUESS + AFTER_KEY];
  private ByteBuffer entryBuffer = ByteBuffer.wrap(entry);
  private final byte[] deletion = new byte[DeletionTimes.MAX_LENGTH];

  private boolean isOpen;
  private long opened;
  private int keyLength;
  private long root;
  private long dataPosition;
  private long count;
  private long deletionTimestamp;
  private long deletionLocalTime;

  private long offset;
  private long openTimestamp;
  private long openLocalTime;

  /**
   * @param file of which each byte can be read alone
   * @param component for messages
   * @param clusterings of the SSTable
   * @param reads counts the reads of the file
   */
  public RowTrieCursor(
      ReadableFile file, Component component, ComparableClusterings clusterings, FileReads reads) {
    this.file = file;
    this.reads = reads;
    this.trie = new TrieCursor(new FilePages(file, component, file.length(), reads));
    this.clusterings = clusterings;
  }

  /** Moves to the entry of a partition, before its first block. */
  public void open(long position) throws IOException {
    if (!isOpen || position != opened) {
      isOpen = false;
      readEntry(position);
      opened = position;
      isOpen = true;
    }
    trie.open(root);
  }

  private void readEntry(long position) throws IOException {
    int length = read(position, 0, Short.BYTES + KEY_GUESS + AFTER_KEY);
    keyLength = length < Short.BYTES ? 0 : BigEndian.getUnsignedShort(entry, 0);
    int at = Short.BYTES + keyLength;
    if (at + AFTER_KEY > length) {
      length += read(position, length, at + AFTER_KEY);
    }
    if (position < 0 || at >= length) {
      throw trie.corrupt(position, "an entry of a partition leaves the file");
    }
    long base = position + at;
    at = checkVint(position, at, length);
    dataPosition = Vint.read(entry, at);
    at = checkVint(position, at + Vint.lengthFrom(entry[at]), length);
    root = base + Vint.readSigned(entry, at);
    at = checkVint(position, at + Vint.lengthFrom(entry[at]), length);
    count = Vint.read(entry, at);
    at += Vint.lengthFrom(entry[at]);
    if (at >= length
        || !DeletionTimes.isValid(RowTrieWriter.DELETIONS, entry[at])
        || at + DeletionTimes.lengthFrom(RowTrieWriter.DELETIONS, entry[at]) > length) {
      throw trie.corrupt(position, "no deletion time where one must be");
    }
    deletionTimestamp = DeletionTimes.timestamp(RowTrieWriter.DELETIONS, entry, at);
    deletionLocalTime = DeletionTimes.localDeletionTime(RowTrieWriter.DELETIONS, entry, at);
    if (dataPosition < 0 || root < 0 || root >= position || count < 2 || count > position) {
      throw trie.corrupt(
          position,
          Long.toUnsignedString(count)
              + " blocks of a partition at "
              + dataPosition
              + ", their root at "
              + root);
    }
  }

  /** Reads more of an entry, up to a length; returns the number of bytes that there are. */
  private int read(long position, int from, int to) throws IOException {
    if (position < 0) {
      throw trie.corrupt(0, "an entry of a partition at " + position);
    }
    if (entry.length < to) {
      entry = Arrays.copyOf(entry, 2 * to);
      entryBuffer = ByteBuffer.wrap(entry);
    }
    int count = file.read(position + from, entryBuffer.limit(to).position(from));
    reads.add(count);
    return count;
  }

  private int checkVint(long position, int at, int length) throws CorruptSSTableException {
    if (!Vint.isWhole(entry, at, length)) {
      throw trie.corrupt(position, "an entry of a partition ends within a number");
    }
    return at;
  }

  /**
   * Points a key at the bytes of the partition's key, which are valid until the next one is opened.
   */
  public void key(PartitionKey to, long token) {
    to.wrap(entry, Short.BYTES, keyLength, token);
  }

  /** Returns the exception for damage of the partition's entry or its trie. */
  public CorruptSSTableException corrupt(long position, String reason) {
    return trie.corrupt(position, reason);
  }

  /** Returns the position of the partition in the uncompressed data file. */
  public long dataPosition() {
    return dataPosition;
  }

  /** Returns the number of blocks. */
  public long count() {
    return count;
  }

  /** Returns the timestamp of the deletion of the partition. */
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  /** Returns the local time of the deletion of the partition. */
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  /**
   * Moves to the first block that may have a clustering or anything greater, so that all blocks
   * before it have only lesser ones; or to the place after the last block.
   *
   * @param clustering of a row, or a bound
   */
  public void seek(Clustering clustering) throws IOException {
    clusterings.encode(clustering, sought);
    if (!trie.seekFloor(sought)) {
      throw trie.corrupt("a partition without a block before all clusterings");
    }
    readBlock();
  }

  /** Makes the bytes the form of a clustering that separators are compared with. */
  void encode(Clustering clustering, ComparableBytes to) {
    clusterings.encode(clustering, to);
  }

  /** Moves to the first block. */
  public void toFirst() throws IOException {
    if (!trie.toFirst()) {
      throw trie.corrupt("a partition without blocks");
    }
    readBlock();
  }

  /** Moves to the place after the last block. */
  public void toEnd() throws IOException {
    if (!trie.toLast()) {
      throw trie.corrupt("a partition without blocks");
    }
    readBlock();
  }

  /**
   * Moves to the next block, or after the last one to the place after it.
   *
   * @return false if the cursor was there
   */
  public boolean next() throws IOException {
    long before = offset;
    if (!trie.next()) {
      return false;
    }
    readBlock();
    if (offset <= before) {
      throw trie.corrupt("a block at offset " + offset + " after one at " + before);
    }
    return true;
  }

  /** Moves to the block before; returns whether there is one. */
  public boolean previous() throws IOException {
    long before = offset;
    if (!trie.previous()) {
      return false;
    }
    readBlock();
    if (offset >= before) {
      throw trie.corrupt("a block at offset " + offset + " before one at " + before);
    }
    return true;
  }

  /** Makes the bytes those of the separator before the block, to which the cursor has walked. */
  public void copySeparatorTo(ComparableBytes to) {
    trie.copyKeyTo(to);
  }

  /** Returns the exception for damage of the block's entry. */
  public CorruptSSTableException corrupt(String reason) {
    return trie.corrupt(reason);
  }

  private void readBlock() throws CorruptSSTableException {
    int bits = trie.payloadBits();
    int length = bits & OFFSET_BITS;
    boolean open = (bits & RowTrieWriter.HAS_DELETION) != 0;
    trie.checkPayload(length + (open ? DeletionTimes.MAX_LENGTH : 0));
    offset = length == 0 ? -1 : trie.payloadNumber(0, length);
    if (offset < 0) {
      throw trie.corrupt("a block at offset " + offset);
    }
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
    if (open) {
      trie.copyPayload(length, deletion, DeletionTimes.MAX_LENGTH);
      if (DeletionTimes.lengthFrom(RowTrieWriter.DELETIONS, deletion[0])
          != DeletionTimes.MAX_LENGTH) {
        throw trie.corrupt("no deletion where a block has one");
      }
      openTimestamp = DeletionTimes.timestamp(RowTrieWriter.DELETIONS, deletion, 0);
      openLocalTime = DeletionTimes.localDeletionTime(RowTrieWriter.DELETIONS, deletion, 0);
    }
  }

  /**
   * Returns the offset of the block, from the partition's beginning; after the last block that of
   * the partition's end mark.
   */
  public long offset() {
    return offset;
  }

  /** Returns the timestamp of the range that is open at the beginning of the block. */
  public long openTimestamp() {
    return openTimestamp;
  }

  /** Returns the local time of the range that is open at the beginning of the block. */
  public long openLocalTime() {
    return openLocalTime;
  }
}
