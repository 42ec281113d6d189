package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Iterates over the entries of an {@code Index.db}, whose format {@link IndexWriter} describes.
 *
 * <p>Confined to one thread; takes the window over and closes it. Allocates nothing.
 */
public final class IndexCursor implements Closeable {
  private static final int KEY_LENGTH_BYTES = Short.BYTES;
  private static final int MOST_AT_ONCE = 16 * 1024;

  private final ByteWindow window;
  private final long length;
  private long entryPosition;
  private long nextPosition;
  private int keyAt;
  private int keyLength;
  private long dataPosition;
  private int size;
  private long bodyPosition;

  /**
   * @param window over the index file
   * @param length of the index file
   */
  public IndexCursor(ByteWindow window, long length) {
    this.window = window;
    this.length = length;
  }

  /** Returns a cursor whose reads are not counted. */
  public static IndexCursor over(ReadableFile index, int unit, boolean readAhead) {
    return over(index, unit, readAhead, new FileReads());
  }

  /**
   * Returns a cursor before the first entry of an index file, which the caller closes.
   *
   * @param unit number of bytes read at a time
   * @param readAhead whether entries are read from front to back
   * @param reads counts the reads of the file
   */
  public static IndexCursor over(ReadableFile index, int unit, boolean readAhead, FileReads reads) {
    ByteWindow window =
        new ByteWindow(
            ByteSource.of(index, unit, reads), Component.PRIMARY_INDEX, 2 * unit, readAhead);
    return new IndexCursor(window, index.length());
  }

  /** Moves to the entry at {@code position}. */
  public void seek(long position) {
    nextPosition = position;
  }

  /**
   * Moves to the next entry.
   *
   * @return false after the last
   */
  public boolean next() throws IOException {
    if (nextPosition >= length) {
      return false;
    }
    window.seek(nextPosition);
    entryPosition = nextPosition;
    window.need(KEY_LENGTH_BYTES);
    keyLength = BigEndian.getUnsignedShort(window.bytes(), window.at());
    // Key and both numbers are made available at once, so that the view of the key stays valid.
    window.offer(KEY_LENGTH_BYTES + keyLength + 2 * Vint.MAX_LENGTH);
    keyAt = window.at() + KEY_LENGTH_BYTES;
    int at = keyAt + keyLength;
    dataPosition = vint(at);
    at += Vint.lengthFrom(window.bytes()[at]);
    long entrySize = vint(at);
    at += Vint.lengthFrom(window.bytes()[at]);
    bodyPosition = window.positionOf(at);
    if (dataPosition < 0 || entrySize < 0 || entrySize > length - bodyPosition) {
      throw window.corrupt(
          entryPosition,
          "an entry with "
              + Long.toUnsignedString(entrySize)
              + " bytes of blocks for position "
              + Long.toUnsignedString(dataPosition)
              + ", the file ends at "
              + length);
    }
    if (entrySize > Integer.MAX_VALUE) {
      throw window.corrupt(entryPosition, entrySize + " bytes of blocks, allowed 2^31-1");
    }
    size = (int) entrySize;
    nextPosition = bodyPosition + size;
    return true;
  }

  private long vint(int at) throws IOException {
    if (!Vint.isWhole(window.bytes(), at, window.limit())) {
      throw window.corrupt(entryPosition, "the file ends within an entry");
    }
    return Vint.read(window.bytes(), at);
  }

  /**
   * Searches for a key among the entries from {@code from} on, up to {@code limit}.
   *
   * @return whether the cursor is now at the key's entry
   */
  public boolean find(long from, long limit, byte[] key, int offset, int keyBytes)
      throws IOException {
    seek(from);
    if (passOthers(limit, key, offset, keyBytes)) {
      return next();
    }
    while (nextPosition < limit && next()) {
      if (keyLength == keyBytes
          && Arrays.equals(
              window.bytes(), keyAt, keyAt + keyLength, key, offset, offset + keyBytes)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Passes over entries of other keys that are wholly in the window: the hot loop of every lookup,
   * which works on local variables. Returns whether the next entry is that of the key.
   *
   * @return whether the next entry is the one of the key
   */
  private boolean passOthers(long limit, byte[] key, int offset, int keyBytes) throws IOException {
    window.seek(nextPosition);
    window.offer((int) Math.min(MOST_AT_ONCE, limit - nextPosition));
    byte[] bytes = window.bytes();
    int end = (int) Math.min(window.limit(), window.at() + limit - nextPosition);
    int at = window.at();
    boolean found = false;
    while (end - at > KEY_LENGTH_BYTES) {
      int length = BigEndian.getUnsignedShort(bytes, at);
      int behindKey = at + KEY_LENGTH_BYTES + length;
      if (behindKey >= end) {
        break;
      }
      if (length == keyBytes
          && Arrays.equals(bytes, behindKey - length, behindKey, key, offset, offset + keyBytes)) {
        found = true;
        break;
      }
      int sizeAt = behindKey + Vint.lengthFrom(bytes[behindKey]);
      if (sizeAt >= end || bytes[sizeAt] != 0) {
        break;
      }
      at = sizeAt + 1;
    }
    nextPosition = window.positionOf(at);
    return found;
  }

  /**
   * Points {@code key} at the current key, until the next move.
   *
   * @param hash scratch space of the partitioner
   */
  public void wrapKey(PartitionKey key, Partitioner partitioner, long[] hash) {
    byte[] bytes = window.bytes();
    key.wrap(bytes, keyAt, keyLength, partitioner.token(bytes, keyAt, keyLength, hash));
  }

  /** Returns whether the current entry is that of a key. */
  boolean isOf(byte[] key, int offset, int length) {
    return keyLength == length
        && Arrays.equals(window.bytes(), keyAt, keyAt + keyLength, key, offset, offset + length);
  }

  /** Returns the exception for damage at the beginning of the current entry. */
  public CorruptSSTableException corrupt(String reason) {
    return window.corrupt(entryPosition, reason);
  }

  /** Returns the array that contains the current key, until the next move. */
  public byte[] keyBytes() {
    return window.bytes();
  }

  /** Returns the index of the key in {@link #keyBytes()}. */
  public int keyOffset() {
    return keyAt;
  }

  /** Returns the length of the key in bytes. */
  public int keyLength() {
    return keyLength;
  }

  /** Returns the position of the current entry. */
  public long position() {
    return entryPosition;
  }

  /** Returns the position of the partition in the uncompressed data file. */
  public long dataPosition() {
    return dataPosition;
  }

  /**
   * Returns the position of the next entry's partition in the uncompressed data file, which is
   * where this one ends. Reads nothing, and does not move.
   *
   * @param dataLength returned for the last entry
   * @return {@link Long#MAX_VALUE} if the next entry has not been fetched
   */
  public long nextDataPosition(long dataLength) {
    if (nextPosition >= length) {
      return dataLength;
    }
    long at = nextPosition - window.positionOf(0);
    int limit = window.limit();
    if (at < 0 || at + KEY_LENGTH_BYTES > limit) {
      return Long.MAX_VALUE;
    }
    byte[] bytes = window.bytes();
    int positionAt = (int) at + KEY_LENGTH_BYTES + BigEndian.getUnsignedShort(bytes, (int) at);
    return Vint.isWhole(bytes, positionAt, limit) ? Vint.read(bytes, positionAt) : Long.MAX_VALUE;
  }

  /** Returns the number of bytes of the entry after its size: 0 if it has no blocks. */
  public int size() {
    return size;
  }

  /** Returns the position of those bytes in the index file. */
  public long bodyPosition() {
    return bodyPosition;
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
