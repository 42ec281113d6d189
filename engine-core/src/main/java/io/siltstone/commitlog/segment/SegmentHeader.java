package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.UUID;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The header of a commit-log segment; {@link SegmentFormat} has its layout.
 *
 * @param length bytes of the header itself, after which the first record begins
 * @param id of the segment
 * @param previousId of the segment before it, or {@link #NO_SEGMENT}
 * @param previousLength of the file before it, in bytes
 * @param createdMicros creation time by the log's clock, in microseconds since 1970; all records of
 *     earlier segments were appended before
 * @param hostId of the database; null in version 1, which does not have it
 * @param firstId of the oldest segment that was needed when this one was begun, {@link #NO_SEGMENT}
 *     in version 1
 * @param synced position up to which the log was synced when this segment was begun; in version 1,
 *     the end of the previous segment
 * @param namedId of the newest segment whose name was durable when this one was begun; in version
 *     1, of the segment before
 */
record SegmentHeader(
    int length,
    long id,
    long previousId,
    int previousLength,
    long createdMicros,
    @Nullable UUID hostId,
    long firstId,
    CommitLogPosition synced,
    long namedId) {
  static final long NO_SEGMENT = -1;

  /** Bytes of the part that every version has, which is all that version 1 has. */
  static final int COMMON_BYTES = 40;

  private static final int MAX_BYTES = 1024;

  private static final int VERSION_AT = 4;
  static final int ID_AT = 8;
  static final int PREVIOUS_ID_AT = 16;
  private static final int PREVIOUS_LENGTH_AT = 24;
  private static final int CREATED_AT = 28;
  private static final int COMMON_CHECKSUM_AT = 36;
  // The fields of version 2 and later.
  private static final int LENGTH_AT = 40;
  static final int HOST_AT = 44;
  private static final int FIRST_ID_AT = 60;
  private static final int SYNCED_ID_AT = 68;
  private static final int SYNCED_LENGTH_AT = 76;
  private static final int NAMED_ID_AT = 80;

  /** Returns a header of the present version. */
  static SegmentHeader of(
      long id,
      long previousId,
      int previousLength,
      long createdMicros,
      UUID hostId,
      long firstId,
      CommitLogPosition synced,
      long namedId) {
    return new SegmentHeader(
        SegmentFormat.HEADER_BYTES,
        id,
        previousId,
        previousLength,
        createdMicros,
        hostId,
        firstId,
        synced,
        namedId);
  }

  /** Returns the bytes of a header that was made by {@link #of}. */
  byte[] bytes() {
    byte[] bytes = new byte[SegmentFormat.HEADER_BYTES];
    BigEndian.putInt(bytes, 0, SegmentFormat.MAGIC);
    BigEndian.putInt(bytes, VERSION_AT, SegmentFormat.VERSION);
    BigEndian.putLong(bytes, ID_AT, id);
    BigEndian.putLong(bytes, PREVIOUS_ID_AT, previousId);
    BigEndian.putInt(bytes, PREVIOUS_LENGTH_AT, previousLength);
    BigEndian.putLong(bytes, CREATED_AT, createdMicros);
    BigEndian.putInt(bytes, COMMON_CHECKSUM_AT, checksum(bytes, COMMON_CHECKSUM_AT));
    BigEndian.putInt(bytes, LENGTH_AT, bytes.length);
    if (hostId != null) {
      BigEndian.putLong(bytes, HOST_AT, hostId.getMostSignificantBits());
      BigEndian.putLong(bytes, HOST_AT + Long.BYTES, hostId.getLeastSignificantBits());
    }
    BigEndian.putLong(bytes, FIRST_ID_AT, firstId);
    BigEndian.putLong(bytes, SYNCED_ID_AT, synced.segmentId());
    BigEndian.putInt(bytes, SYNCED_LENGTH_AT, synced.position());
    BigEndian.putLong(bytes, NAMED_ID_AT, namedId);
    int checksumAt = bytes.length - Integer.BYTES;
    BigEndian.putInt(bytes, checksumAt, checksum(bytes, checksumAt));
    return bytes;
  }

  /**
   * Reads the version of the header whose first {@link #COMMON_BYTES} bytes are given.
   *
   * @throws CorruptFileException if they are not the beginning of a header
   * @throws IOException if it is a header of a later version: this is no damage
   */
  static int version(String path, byte[] bytes) throws IOException {
    int magic = BigEndian.getInt(bytes, 0);
    if (magic != SegmentFormat.MAGIC) {
      throw new CorruptFileException(
          path, 0, String.format("magic %08x, allowed %08x", magic, SegmentFormat.MAGIC));
    }
    int version = BigEndian.getInt(bytes, VERSION_AT);
    String found =
        "a segment of version "
            + version
            + " of the commit log, allowed "
            + SegmentFormat.OLDEST_VERSION
            + " and "
            + SegmentFormat.VERSION;
    if (version > SegmentFormat.VERSION) {
      throw new IOException(
          path + " is " + found + "; it was written by a later version of Siltstone");
    }
    if (version < SegmentFormat.OLDEST_VERSION) {
      throw new CorruptFileException(path, VERSION_AT, found);
    }
    return version;
  }

  /**
   * Reads a header of version 1.
   *
   * @throws CorruptFileException if it is damaged
   */
  static SegmentHeader readOld(String path, byte[] bytes) throws CorruptFileException {
    requireChecksum(path, bytes, COMMON_CHECKSUM_AT);
    long previousId = BigEndian.getLong(bytes, PREVIOUS_ID_AT);
    int previousLength = previousLength(path, bytes);
    return new SegmentHeader(
        COMMON_BYTES,
        BigEndian.getLong(bytes, ID_AT),
        previousId,
        previousLength,
        BigEndian.getLong(bytes, CREATED_AT),
        null,
        NO_SEGMENT,
        new CommitLogPosition(previousId, previousLength),
        previousId);
  }

  /**
   * Returns the length of a header of version 2, before its checksum is verified.
   *
   * @throws CorruptFileException if the length is impossible
   */
  static int length(String path, byte[] bytes) throws CorruptFileException {
    int length = BigEndian.getInt(bytes, LENGTH_AT);
    if (length < SegmentFormat.HEADER_BYTES || length > MAX_BYTES) {
      throw new CorruptFileException(
          path,
          LENGTH_AT,
          "a header of "
              + length
              + " bytes, allowed "
              + SegmentFormat.HEADER_BYTES
              + " to "
              + MAX_BYTES);
    }
    return length;
  }

  /**
   * Reads a header of version 2.
   *
   * @param bytes of the length that {@link #length} returned
   * @throws CorruptFileException if it is damaged
   */
  static SegmentHeader read(String path, byte[] bytes) throws CorruptFileException {
    requireChecksum(path, bytes, bytes.length - Integer.BYTES);
    int syncedLength = BigEndian.getInt(bytes, SYNCED_LENGTH_AT);
    requireLength(path, SYNCED_LENGTH_AT, syncedLength);
    return new SegmentHeader(
        bytes.length,
        BigEndian.getLong(bytes, ID_AT),
        BigEndian.getLong(bytes, PREVIOUS_ID_AT),
        previousLength(path, bytes),
        BigEndian.getLong(bytes, CREATED_AT),
        new UUID(BigEndian.getLong(bytes, HOST_AT), BigEndian.getLong(bytes, HOST_AT + Long.BYTES)),
        BigEndian.getLong(bytes, FIRST_ID_AT),
        new CommitLogPosition(BigEndian.getLong(bytes, SYNCED_ID_AT), syncedLength),
        BigEndian.getLong(bytes, NAMED_ID_AT));
  }

  private static int previousLength(String path, byte[] bytes) throws CorruptFileException {
    int length = BigEndian.getInt(bytes, PREVIOUS_LENGTH_AT);
    requireLength(path, PREVIOUS_LENGTH_AT, length);
    return length;
  }

  private static void requireChecksum(String path, byte[] bytes, int at)
      throws CorruptFileException {
    if (checksum(bytes, at) != BigEndian.getInt(bytes, at)) {
      throw new CorruptFileException(path, at, "checksum of the header does not match");
    }
  }

  private static void requireLength(String path, int at, int length) throws CorruptFileException {
    if (length < 0) {
      throw new CorruptFileException(
          path, at, "length of a segment " + length + ", allowed 0 or more");
    }
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
