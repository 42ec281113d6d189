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
 * Walks the entries of an {@code Index.db}, in the form that {@link IndexWriter} shows.
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
   * @param length of that file
   */
  public IndexCursor(ByteWindow window, long length) {
    this.window = window;
    this.length = length;
  }

  /** A cursor whose reads are not reported. */
  public static IndexCursor over(ReadableFile index, int unit, boolean readAhead) {
    return over(index, unit, readAhead, new FileReads());
  }

  /**
   * Over an index file, which stays its opener's; at its first entry.
   *
   * @param unit bytes read at a time
   * @param readAhead whether entries are read from front to back
   * @param reads that reads of the file are counted in
   */
  public static IndexCursor over(ReadableFile index, int unit, boolean readAhead, FileReads reads) {
    ByteWindow window =
        new ByteWindow(
            ByteSource.of(index, unit, reads), Component.PRIMARY_INDEX, 2 * unit, readAhead);
    return new IndexCursor(window, index.length());
  }

  /** Goes on with the entry at {@code position}. */
  public void seek(long position) {
    nextPosition = position;
  }

  /**
   * Moves to the next entry.
   *
   * @return false behind the last
   */
  public boolean next() throws IOException {
    if (nextPosition >= length) {
      return false;
    }
    window.seek(nextPosition);
    entryPosition = nextPosition;
    window.need(KEY_LENGTH_BYTES);
    keyLength = BigEndian.getUnsignedShort(window.bytes(), window.at());
    // Key and both numbers in one piece, so that the view of the key stays valid.
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
   * Looks for a key among the entries from {@code from} on, up to {@code limit}.
   *
   * @return whether this now stands at it
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
   * Passes over entries that are of other keys, as long as they lie wholly within reach: the hot
   * loop of every look-up, in local variables.
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
   * Points {@code key} at the present key, until the next move.
   *
   * @param hash room for the partitioner to work in
   */
  public void wrapKey(PartitionKey key, Partitioner partitioner, long[] hash) {
    byte[] bytes = window.bytes();
    key.wrap(bytes, keyAt, keyLength, partitioner.token(bytes, keyAt, keyLength, hash));
  }

  /** The exception for damage at the beginning of the present entry. */
  public CorruptSSTableException corrupt(String reason) {
    return window.corrupt(entryPosition, reason);
  }

  /** The array that the present key lies in, until the next move. */
  public byte[] keyBytes() {
    return window.bytes();
  }

  /** Index in {@link #keyBytes()} of the key. */
  public int keyOffset() {
    return keyAt;
  }

  /** Bytes of the key. */
  public int keyLength() {
    return keyLength;
  }

  /** Where the present entry begins. */
  public long position() {
    return entryPosition;
  }

  /** Where the partition begins in the uncompressed data file. */
  public long dataPosition() {
    return dataPosition;
  }

  /** Bytes of the entry behind its size: 0 if it has no blocks. */
  public int size() {
    return size;
  }

  /** Where those bytes begin in the index file. */
  public long bodyPosition() {
    return bodyPosition;
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
