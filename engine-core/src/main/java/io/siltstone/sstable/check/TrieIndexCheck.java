package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.text.CountText;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Reads {@code Partitions.db} and {@code Rows.db} back and compares them with the data: each entry
 * with its key, byte of hash and position, each index block with its separator, offset and open
 * deletion, the number of keys, the first and the last key.
 *
 * <p>Both files are walked through once, in the order of the keys. Used once, by one thread. Source
 * of the form: Cassandra {@code PartitionIndex}, {@code TrieIndexEntry}, {@code RowIndexReader}.
 */
final class TrieIndexCheck implements Closeable {
  private static final int FOOTER_BYTES = 3 * Long.BYTES;
  private static final int HAS_MORE = 8;
  private static final int DELETION_BYTES = Long.BYTES + Integer.BYTES;

  /** The most bytes that can follow the key of an entry: three numbers and a deletion. */
  private static final int AFTER_KEY = 3 * 9 + DELETION_BYTES;

  private final ReadableFile partitionsFile;
  private final ReadableFile rowsFile;
  private final TrieEntries rows;
  private final IndexHash hash = new IndexHash();
  private byte[] entry = new byte[1024];
  private long rowsEnd;

  TrieIndexCheck(Directory directory, String partitionsName, String rowsName) throws IOException {
    this.partitionsFile = directory.open(partitionsName, ReadIntent.SCAN);
    try {
      this.rowsFile = directory.open(rowsName, ReadIntent.SCAN);
    } catch (Throwable e) {
      Closeables.closeAfter(partitionsFile, e);
      throw e;
    }
    this.rows = new TrieEntries(rowsFile, rowsFile.length());
  }

  /**
   * Walks through the files.
   *
   * @param partitions number of partitions in the data
   * @return the hash of the content
   * @throws OutputVerificationException if they cannot be walked through, or have another number of
   *     keys, or another first or last key
   */
  IndexHash run(long partitions, byte[] firstKey, byte[] lastKey) throws IOException {
    long length = partitionsFile.length();
    long footerAt = length - FOOTER_BYTES;
    byte[] footer = new byte[FOOTER_BYTES];
    if (footerAt < 0) {
      throw wrong(0, "a file of " + length + " bytes", "one with a footer");
    }
    partitionsFile.readFully(footerAt, ByteBuffer.wrap(footer));
    long keysAt = BigEndian.getLong(footer, 0);
    long count = BigEndian.getLong(footer, Long.BYTES);
    if (keysAt < 0 || keysAt > footerAt) {
      throw wrong(footerAt, "the first key at " + keysAt, "0 to " + footerAt);
    }
    if (count != partitions) {
      throw wrong(
          footerAt + Long.BYTES, CountText.of(count, "key"), partitions + " as in the data");
    }
    long lastKeyAt = checkKey(keysAt, footerAt, firstKey, "first");
    if (checkKey(lastKeyAt, footerAt, lastKey, "last") != footerAt) {
      throw wrong(lastKeyAt, "more bytes after the last key", "the footer");
    }
    walk(keysAt, BigEndian.getLong(footer, 2 * Long.BYTES), count);
    return hash;
  }

  private long checkKey(long position, long end, byte[] expected, String which) throws IOException {
    byte[] found = new byte[(int) Math.min(Short.BYTES + expected.length, end - position)];
    partitionsFile.readFully(position, ByteBuffer.wrap(found));
    if (found.length != Short.BYTES + expected.length
        || BigEndian.getUnsignedShort(found, 0) != expected.length
        || !Arrays.equals(found, Short.BYTES, found.length, expected, 0, expected.length)) {
      throw wrong(
          position,
          which + " key " + HexFormat.of().formatHex(found),
          expected.length + " bytes, " + HexFormat.of().formatHex(expected));
    }
    return position + found.length;
  }

  private void walk(long end, long root, long count) throws IOException {
    TrieEntries entries = new TrieEntries(partitionsFile, end);
    entries.open(root);
    long found = 0;
    while (entries.next()) {
      if (found == count) {
        throw wrong(entries.position(), "an entry after the last", count + " entries");
      }
      found++;
      readEntry(entries);
    }
    if (found != count) {
      throw wrong(root, CountText.of(found, "entry", "entries"), count + ", as the footer says");
    }
  }

  private void readEntry(TrieEntries entries) throws IOException {
    int bytes = entries.payloadBits() + 1 - HAS_MORE;
    if (bytes < 1) {
      throw wrong(entries.position(), "an entry without a byte of the key's hash", "one with it");
    }
    entries.checkPayload(1 + bytes);
    long position = entries.number(1, bytes);
    long entryHash =
        TrieIndexContent.entryHash(entries.key(), entries.keyLength(), entries.payload(0));
    if (position < 0) {
      hash.partition(entryHash, ~position);
    } else {
      readPartition(position, entryHash);
    }
  }

  /** Reads the entry of a partition in {@code Rows.db} and the blocks before it. */
  private void readPartition(long position, long entryHash) throws IOException {
    long length = rowsFile.length() - position;
    if (position < rowsEnd || length < Short.BYTES) {
      throw wrongRows(
          Math.min(position, rowsFile.length()),
          "the entry of a partition at " + position,
          "one from " + rowsEnd + " to " + (rowsFile.length() - Short.BYTES));
    }
    read(position, Short.BYTES);
    int keyLength = BigEndian.getUnsignedShort(entry, 0);
    if (Short.BYTES + keyLength >= length) {
      throw wrongRows(position, "a key of " + keyLength + " bytes", "one that ends in the file");
    }
    int available = (int) Math.min(Short.BYTES + keyLength + AFTER_KEY, length);
    read(position, available);
    int at = Short.BYTES + keyLength;
    long base = position + at;
    long dataPosition = StreamParser.vint(entry, at);
    at += StreamParser.vintLength(entry, at);
    long zigZag = StreamParser.vint(entry, at);
    at += StreamParser.vintLength(entry, at);
    long root = base + (zigZag >>> 1 ^ -(zigZag & 1));
    long blocks = StreamParser.vint(entry, at);
    at += StreamParser.vintLength(entry, at);
    boolean isLive = entry[at] == (byte) 0x80;
    long deletion = isLive ? liveHash() : deletionHash(entry, at);
    at += isLive ? 1 : DELETION_BYTES;
    if (at > available || root < rowsEnd || root >= position || blocks < 2) {
      throw wrongRows(
          position,
          "an entry of " + at + " bytes with " + blocks + " index blocks, whose root is at " + root,
          "up to " + available + " bytes, 2 blocks or more, a root from " + rowsEnd + " on");
    }
    long keyHash = RunningHash.mixed(0, entry, Short.BYTES, Short.BYTES + keyLength);
    hash.partition(entryHash, dataPosition);
    long blocksHash = walkBlocks(root, blocks, TrieIndexContent.headHash(keyHash, deletion));
    hash.blocks(RunningHash.mixed(blocksHash, blocks));
    rowsEnd = position + at;
  }

  /** Reads the beginning of an entry, and sets zeros after it. */
  private void read(long position, int length) throws IOException {
    int needed = length + AFTER_KEY;
    if (entry.length < needed) {
      entry = new byte[2 * needed];
    }
    rowsFile.readFully(position, ByteBuffer.wrap(entry, 0, length));
    Arrays.fill(entry, length, needed, (byte) 0);
  }

  private long walkBlocks(long root, long blocks, long head) throws IOException {
    rows.open(root);
    long result = head;
    long found = 0;
    long before = -1;
    while (rows.next()) {
      int bits = rows.payloadBits();
      int bytes = bits & (HAS_MORE - 1);
      boolean open = bits >= HAS_MORE;
      rows.checkPayload(bytes + (open ? DELETION_BYTES : 0));
      long offset = bytes == 0 ? -1 : rows.number(0, bytes);
      if (offset <= before || found > blocks) {
        throw wrongRows(
            rows.position(),
            "index block " + found + " of " + blocks + " at offset " + offset,
            "one after " + before);
      }
      before = offset;
      long openHash = open ? rows.deletionHash(bytes) : 0;
      result = TrieIndexContent.blockHash(result, rows.key(), rows.keyLength(), offset, openHash);
      found++;
    }
    if (found != blocks + 1) {
      throw wrongRows(
          root, CountText.of(found, "entry", "entries"), blocks + " blocks and the end");
    }
    return result;
  }

  private static long liveHash() {
    return RunningHash.ofDeletion(Long.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static long deletionHash(byte[] bytes, int at) {
    return RunningHash.ofDeletion(
        BigEndian.getLong(bytes, at), BigEndian.getInt(bytes, at + Long.BYTES));
  }

  private OutputVerificationException wrong(long position, String found, String expected) {
    return new OutputVerificationException(partitionsFile.path(), position, found, expected);
  }

  private OutputVerificationException wrongRows(long position, String found, String expected) {
    return new OutputVerificationException(rowsFile.path(), position, found, expected);
  }

  @Override
  public void close() throws IOException {
    try (partitionsFile;
        rowsFile) {
      // Both are closed, even if one of them fails.
    }
  }
}
