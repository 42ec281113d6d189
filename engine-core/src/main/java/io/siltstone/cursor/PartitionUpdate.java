package io.siltstone.cursor;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A change (mutation) of one partition in serialized form. The same bytes go into the commit log
 * and the memtable.
 *
 * <pre>
 *   key        short length, bytes
 *   deletion   long timestamp, long local deletion time; both as {@link DeletionTime} has "none" without
 *   rows       the static row, rows and markers, as {@link UnfilteredFormat} has them, in clustering order
 * </pre>
 *
 * The deletion of a range of keys is a change of the first of them. In place of rows it has the
 * mark of the end of a partition, with which no row begins, and then the end of the range; nothing
 * for no end.
 *
 * <p>{@link #begin} starts a new change, {@link #wrap} points the object at the bytes of one, and
 * {@link #cursor()} reads it. Reusable: nothing is allocated once its array has grown. Confined to
 * one thread.
 */
public final class PartitionUpdate {
  /** Maximum length of the serialized form in bytes, which is that of an array. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private static final int DELETION_BYTES = 2 * Long.BYTES;

  // Grows with the changes; each shard of each table may have one.
  private static final int FIRST_BYTES = 256;

  private final RowEncoding encoding;
  private final PartitionKey key = new PartitionKey();
  private final Cursor cursor;

  private byte[] bytes = new byte[FIRST_BYTES];
  private boolean owned = true;
  private int from;
  private int rowsFrom;
  private int to;

  /** Creates an empty change of rows in the given encoding. */
  public PartitionUpdate(RowEncoding encoding) {
    this.encoding = encoding;
    this.cursor = new Cursor();
  }

  /** Begins a change of the partition with this key, which is copied. */
  public void begin(PartitionKey of) {
    if (!owned) {
      bytes = new byte[FIRST_BYTES];
      owned = true;
    }
    from = 0;
    rowsFrom = Short.BYTES + of.length() + DELETION_BYTES;
    to = 0;
    ensure(rowsFrom);
    BigEndian.putShort(bytes, 0, of.length());
    System.arraycopy(of.bytes(), of.offset(), bytes, Short.BYTES, of.length());
    key.wrap(bytes, Short.BYTES, of.length(), of.token());
    to = rowsFrom;
    deletion(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
  }

  /**
   * Deletes all data of the partition up to {@code timestamp}.
   *
   * @throws IllegalArgumentException if the encoding's format version cannot hold the time
   */
  public void deletion(long timestamp, long localDeletionTime) {
    encoding.checkDeletionTime(localDeletionTime);
    BigEndian.putLong(bytes, rowsFrom - DELETION_BYTES, timestamp);
    BigEndian.putLong(bytes, rowsFrom - Long.BYTES, localDeletionTime);
  }

  /**
   * Extends the deletion of the partition to all keys up to another one; the change has no rows.
   *
   * @param end the first key that is not deleted, greater than that of the partition; null for no
   *     end
   * @throws IllegalStateException if the partition is not deleted, or has rows
   */
  public void deleteKeysUpTo(byte @Nullable [] end) {
    if (to != rowsFrom || DeletionTime.isLive(deletionTimestamp())) {
      throw new IllegalStateException("a range of keys is deleted by a deletion alone");
    }
    int length = end == null ? 0 : end.length;
    ensure(to + 1L + length);
    bytes[to++] = (byte) UnfilteredFormat.END_OF_PARTITION;
    if (end != null) {
      System.arraycopy(end, 0, bytes, to, length);
      to += length;
    }
  }

  /** Returns whether it is the deletion of a range of keys. */
  public boolean isOfKeyRange() {
    return to > rowsFrom && Unfiltered.isEndOfPartition(bytes[rowsFrom]);
  }

  /**
   * Returns the deletion of a range of keys, with copies of its bounds.
   *
   * @throws IOException if the range or its deletion is damaged
   */
  public KeyRangeDeletions.Fragment keyRange() throws IOException {
    byte[] first = Arrays.copyOfRange(bytes, key.offset(), key.offset() + key.length());
    int end = rowsFrom + 1;
    byte[] last = end == to ? null : Arrays.copyOfRange(bytes, end, to);
    boolean isEmpty = last != null && Arrays.compareUnsigned(first, last) >= 0;
    if (isEmpty || DeletionTime.isLive(deletionTimestamp())) {
      throw new IOException("change of " + key + " deletes a range of keys that has none");
    }
    return new KeyRangeDeletions.Fragment(first, last, deletionTimestamp(), deletionLocalTime());
  }

  /**
   * Adds the finished row or marker of {@code encoder}, which must follow those added before.
   *
   * @throws IllegalArgumentException if the change would be longer than {@link #MAX_LENGTH}; the
   *     change is then left unmodified
   */
  public void add(UnfilteredEncoder encoder) {
    EncodedUnfiltered encoded = encoder.encoded();
    ensure(to + (long) encoded.length());
    System.arraycopy(encoded.bytes(), 0, bytes, to, encoded.length());
    to += encoded.length();
  }

  /**
   * Makes it the change that writes all that a cursor shows of its present partition, in the same
   * encoding.
   *
   * @throws IllegalArgumentException as {@link #add(UnfilteredEncoder)}
   */
  public void copyFrom(PartitionCursor source) throws IOException {
    begin(source.key());
    if (!DeletionTime.isLive(source.deletionTimestamp())) {
      deletion(source.deletionTimestamp(), source.deletionLocalTime());
    }
    while (source.nextUnfiltered()) {
      Unfiltered unfiltered = source.unfiltered();
      int length = unfiltered.end() - unfiltered.from();
      ensure(to + (long) length);
      System.arraycopy(unfiltered.bytes(), unfiltered.from(), bytes, to, length);
      to += length;
    }
  }

  private void ensure(long capacity) {
    if (capacity > bytes.length) {
      bytes = Arrays.copyOf(bytes, grown(bytes.length, capacity));
      key.wrap(bytes, Short.BYTES, key.length(), key.token());
    }
  }

  /**
   * Returns the length of the array that replaces one that is too short.
   *
   * @throws IllegalArgumentException if no array is long enough
   */
  static int grown(int length, long needed) {
    if (needed > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a change of one partition of " + needed + " bytes or more, allowed " + MAX_LENGTH);
    }
    return (int) Math.min(MAX_LENGTH, Math.max(needed, 2L * length));
  }

  /**
   * Points the object at a serialized change.
   *
   * @throws IllegalArgumentException if the bytes end before the rows begin
   */
  public void wrap(byte[] other, int offset, int length, Partitioner partitioner) {
    wrap(other, offset, length, 0);
    key.wrap(
        bytes, key.offset(), key.length(), partitioner.token(bytes, key.offset(), key.length()));
  }

  /** Points the object at a serialized change whose token is known. */
  public void wrap(byte[] other, int offset, int length, long token) {
    int keyLength = length < Short.BYTES ? 0 : BigEndian.getUnsignedShort(other, offset);
    if (length < Short.BYTES + keyLength + DELETION_BYTES) {
      throw new IllegalArgumentException("a change of a partition ends within its key: " + length);
    }
    bytes = other;
    owned = false;
    from = offset;
    rowsFrom = offset + Short.BYTES + keyLength + DELETION_BYTES;
    to = offset + length;
    key.wrap(bytes, offset + Short.BYTES, keyLength, token);
  }

  /** Returns the encoding of its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /** Returns the key of the changed partition. */
  public PartitionKey key() {
    return key;
  }

  /** Returns the array that its serialized form lies in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes()} where it begins. */
  public int from() {
    return from;
  }

  /** Returns the number of bytes of its serialized form. */
  public int length() {
    return to - from;
  }

  /** Returns whether it changes nothing. */
  public boolean isEmpty() {
    return to == rowsFrom && DeletionTime.isLive(deletionTimestamp());
  }

  /**
   * Returns the timestamp of the partition's deletion, {@link DeletionTime#NO_TIMESTAMP} without.
   */
  public long deletionTimestamp() {
    return BigEndian.getLong(bytes, rowsFrom - DELETION_BYTES);
  }

  /** Returns the local deletion time that belongs to {@link #deletionTimestamp()}. */
  public long deletionLocalTime() {
    return BigEndian.getLong(bytes, rowsFrom - Long.BYTES);
  }

  /**
   * Returns a cursor that shows the partition from its beginning. It is always the same object,
   * reset. If rows are corrupt, it throws an {@link IOException} that names the key.
   */
  public PartitionCursor cursor() {
    cursor.reset();
    return cursor;
  }

  private final class Cursor implements PartitionCursor {
    private final Unfiltered unfiltered =
        new Unfiltered(
            encoding,
            new ByteOrigin() {
              @Override
              public IOException corrupt(int index, String reason) {
                return new IOException(
                    "change of " + key + ", byte " + (index - from) + ": " + reason);
              }
            });
    private boolean pending;
    private int at;

    private void reset() {
      pending = true;
      at = isOfKeyRange() ? to : rowsFrom;
    }

    @Override
    public RowEncoding encoding() {
      return encoding;
    }

    @Override
    public boolean nextPartition() {
      boolean first = pending;
      pending = false;
      return first;
    }

    @Override
    public PartitionKey key() {
      return key;
    }

    @Override
    public long deletionTimestamp() {
      return PartitionUpdate.this.deletionTimestamp();
    }

    @Override
    public long deletionLocalTime() {
      return PartitionUpdate.this.deletionLocalTime();
    }

    @Override
    public boolean nextUnfiltered() throws IOException {
      if (at == to) {
        return false;
      }
      if (Unfiltered.isEndOfPartition(bytes[at])) {
        throw new IOException("change of " + key + " has an end within its rows");
      }
      long length = unfiltered.wrapHead(bytes, at, to);
      if (length < 0 || length > to - at) {
        throw new IOException("change of " + key + " ends within a row");
      }
      unfiltered.readBody();
      at += (int) length;
      return true;
    }

    @Override
    public Unfiltered unfiltered() {
      return unfiltered;
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
