package io.siltstone.sstable.data;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.UnwritableException;
import io.siltstone.sstable.format.FormatVersion;

/**
 * The fixed-width encoding of a deletion in partitions and index blocks.
 *
 * <pre>
 *   nb   local deletion time   int    2^31-1 if there is no deletion
 *        timestamp             long   -2^63 if there is no deletion
 *   oa   flags                 byte   0x80 if there is no deletion, and nothing follows
 *        timestamp             long   whose first byte takes the place of the flags: not negative
 *        local deletion time   int    unsigned
 * </pre>
 *
 * Source: Cassandra {@code DeletionTime.Serializer}, {@code DeletionTime.LegacySerializer}.
 */
public final class DeletionTimes {
  /** The maximum length of an encoded deletion in bytes. */
  public static final int MAX_LENGTH = Long.BYTES + Integer.BYTES;

  private static final byte NO_DELETION = (byte) 0x80;

  private DeletionTimes() {}

  /** Returns the encoded length according to the first byte: 1 or {@link #MAX_LENGTH}. */
  public static int lengthFrom(FormatVersion version, byte first) {
    return version.hasUnsignedDeletionTimes() && (first & NO_DELETION) != 0 ? 1 : MAX_LENGTH;
  }

  /** Returns whether a deletion can begin with this byte. */
  public static boolean isValid(FormatVersion version, byte first) {
    return !version.hasUnsignedDeletionTimes() || first >= 0 || first == NO_DELETION;
  }

  /** Returns the timestamp of the deletion at an index; all its bytes must be available. */
  public static long timestamp(FormatVersion version, byte[] bytes, int at) {
    if (!version.hasUnsignedDeletionTimes()) {
      return BigEndian.getLong(bytes, at + Integer.BYTES);
    }
    return bytes[at] == NO_DELETION ? DeletionTime.NO_TIMESTAMP : BigEndian.getLong(bytes, at);
  }

  /**
   * Returns the local deletion time of the deletion at an index; all its bytes must be available.
   */
  public static long localDeletionTime(FormatVersion version, byte[] bytes, int at) {
    if (version.hasUnsignedDeletionTimes()) {
      return bytes[at] == NO_DELETION
          ? DeletionTime.NO_DELETION_TIME
          : DeletionTime.fromUnsigned(BigEndian.getInt(bytes, at + Long.BYTES));
    }
    int time = BigEndian.getInt(bytes, at);
    if (time == Integer.MAX_VALUE) {
      // With a timestamp the value is a real time, which Cassandra writes as the one before.
      return DeletionTime.isLive(timestamp(version, bytes, at))
          ? DeletionTime.NO_DELETION_TIME
          : version.maxLocalDeletionTime();
    }
    return time < 0 ? DeletionTime.INVALID_DELETION_TIME : time;
  }

  /**
   * Returns whether a local deletion time of the data equals that of an index block. In place of an
   * invalid time, Cassandra 5 writes the greatest time of version {@code nb} to the index.
   */
  public static boolean isSame(FormatVersion version, long inData, long inBlock) {
    return inData == inBlock
        || (!version.hasUnsignedDeletionTimes()
            && inData == DeletionTime.INVALID_DELETION_TIME
            && inBlock == version.maxLocalDeletionTime());
  }

  /**
   * Writes a deletion. An invalid local deletion time stays invalid.
   *
   * @return the index after it
   * @throws UnwritableException if the version cannot hold it
   */
  public static int write(
      FormatVersion version, byte[] to, int at, long timestamp, long localDeletionTime) {
    boolean none = DeletionTime.isLive(timestamp);
    if (!version.hasUnsignedDeletionTimes()) {
      BigEndian.putInt(to, at, none ? Integer.MAX_VALUE : (int) localDeletionTime);
      BigEndian.putLong(to, at + Integer.BYTES, timestamp);
      return at + MAX_LENGTH;
    }
    if (none) {
      to[at] = NO_DELETION;
      return at + 1;
    }
    if (timestamp < 0) {
      throw new UnwritableException(
          "the deletion of a partition or an indexed range at the negative timestamp "
              + timestamp
              + " cannot be written in version "
              + version.text());
    }
    BigEndian.putLong(to, at, timestamp);
    BigEndian.putInt(to, at + Long.BYTES, (int) localDeletionTime);
    return at + MAX_LENGTH;
  }
}
