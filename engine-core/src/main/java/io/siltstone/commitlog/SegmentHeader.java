package io.siltstone.commitlog;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.UUID;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a segment, as {@link SegmentFormat} has it.
 *
 * @param length bytes of the header itself, behind which the first record begins
 * @param id of the segment
 * @param previousId of the segment before it, or {@link #NO_SEGMENT}
 * @param previousLength of the file before it, in bytes
 * @param createdMicros microseconds since 1970, of the clock that the log was given: no earlier
 *     than it was when any record of the segments before this one was appended
 * @param hostId of the database; null in version 1, which does not say it
 * @param firstId of the oldest segment that was needed when this one was begun, {@link #NO_SEGMENT}
 *     in version 1
 * @param synced up to where the log was synced when this segment was begun; in version 1, to the
 *     end of the segment before
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

  /** Bytes that a header of any version has at least. */
  static final int MIN_BYTES = 40;

  private static final int MAX_BYTES = 1024;

  private static final int VERSION_AT = 4;
  private static final int LENGTH_AT = 8;
  // In version 2; each is four bytes earlier in version 1.
  private static final int ID_AT = 12;
  private static final int PREVIOUS_ID_AT = 20;
  private static final int PREVIOUS_LENGTH_AT = 28;
  private static final int CREATED_AT = 32;
  private static final int HOST_AT = 40;
  private static final int FIRST_ID_AT = 56;
  private static final int SYNCED_ID_AT = 64;
  private static final int SYNCED_LENGTH_AT = 72;
  private static final int NAMED_ID_AT = 76;

  /** A header of the present version. */
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

  /** Where the header says which segment it follows. */
  int previousIdAt() {
    return length == MIN_BYTES ? PREVIOUS_ID_AT - Integer.BYTES : PREVIOUS_ID_AT;
  }

  /** Where the header says which segment it is of. */
  int idAt() {
    return length == MIN_BYTES ? ID_AT - Integer.BYTES : ID_AT;
  }

  /** Where a header that has a host id says it. */
  static int hostIdAt() {
    return HOST_AT;
  }

  /** The bytes of a header that was made by {@link #of}. */
  byte[] bytes() {
    byte[] bytes = new byte[SegmentFormat.HEADER_BYTES];
    BigEndian.putInt(bytes, 0, SegmentFormat.MAGIC);
    BigEndian.putInt(bytes, VERSION_AT, SegmentFormat.VERSION);
    BigEndian.putInt(bytes, LENGTH_AT, bytes.length);
    BigEndian.putLong(bytes, ID_AT, id);
    BigEndian.putLong(bytes, PREVIOUS_ID_AT, previousId);
    BigEndian.putInt(bytes, PREVIOUS_LENGTH_AT, previousLength);
    BigEndian.putLong(bytes, CREATED_AT, createdMicros);
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
   * How many bytes the header has whose first {@link #MIN_BYTES} are given, as far as they can be
   * believed without the checksum.
   *
   * @throws CorruptFileException if they are not the beginning of a header
   * @throws IOException if it is a header of a later version: nothing is damaged then
   */
  static int lengthOf(String path, byte[] bytes) throws IOException {
    int magic = BigEndian.getInt(bytes, 0);
    if (magic != SegmentFormat.MAGIC) {
      throw new CorruptFileException(
          path, 0, String.format("magic %08x, allowed %08x", magic, SegmentFormat.MAGIC));
    }
    int version = BigEndian.getInt(bytes, VERSION_AT);
    if (version > SegmentFormat.VERSION) {
      throw new IOException(
          path
              + " is a segment of version "
              + version
              + " of the commit log, allowed are "
              + SegmentFormat.OLDEST_VERSION
              + " and "
              + SegmentFormat.VERSION
              + ": a later version of Siltstone wrote it");
    }
    if (version < SegmentFormat.OLDEST_VERSION) {
      throw new CorruptFileException(
          path,
          VERSION_AT,
          "version "
              + version
              + " of the commit log, allowed are "
              + SegmentFormat.OLDEST_VERSION
              + " and "
              + SegmentFormat.VERSION);
    }
    if (version == SegmentFormat.OLDEST_VERSION) {
      return MIN_BYTES;
    }
    int length = BigEndian.getInt(bytes, LENGTH_AT);
    if (length < SegmentFormat.HEADER_BYTES || length > MAX_BYTES) {
      throw new CorruptFileException(
          path,
          LENGTH_AT,
          "a header of "
              + length
              + " bytes, allowed "
              + SegmentFormat.HEADER_BYTES
              + ".."
              + MAX_BYTES);
    }
    return length;
  }

  /**
   * Reads what {@link #bytes} made, or version 1.
   *
   * @param bytes as many as {@link #lengthOf} says
   * @throws CorruptFileException if it is anything else
   */
  static SegmentHeader read(String path, byte[] bytes) throws CorruptFileException {
    int checksumAt = bytes.length - Integer.BYTES;
    if (checksum(bytes, checksumAt) != BigEndian.getInt(bytes, checksumAt)) {
      throw new CorruptFileException(path, checksumAt, "checksum of the header does not match");
    }
    boolean isOld = BigEndian.getInt(bytes, VERSION_AT) == SegmentFormat.OLDEST_VERSION;
    int shift = isOld ? Integer.BYTES : 0;
    long id = BigEndian.getLong(bytes, ID_AT - shift);
    long previousId = BigEndian.getLong(bytes, PREVIOUS_ID_AT - shift);
    int previousLength = BigEndian.getInt(bytes, PREVIOUS_LENGTH_AT - shift);
    long createdMicros = BigEndian.getLong(bytes, CREATED_AT - shift);
    requireLength(path, PREVIOUS_LENGTH_AT - shift, previousLength);
    if (isOld) {
      return new SegmentHeader(
          bytes.length,
          id,
          previousId,
          previousLength,
          createdMicros,
          null,
          NO_SEGMENT,
          new CommitLogPosition(previousId, previousLength),
          previousId);
    }
    int syncedLength = BigEndian.getInt(bytes, SYNCED_LENGTH_AT);
    requireLength(path, SYNCED_LENGTH_AT, syncedLength);
    return new SegmentHeader(
        bytes.length,
        id,
        previousId,
        previousLength,
        createdMicros,
        new UUID(
            BigEndian.getLong(bytes, HOST_AT), BigEndian.getLong(bytes, HOST_AT + Long.BYTES)),
        BigEndian.getLong(bytes, FIRST_ID_AT),
        new CommitLogPosition(BigEndian.getLong(bytes, SYNCED_ID_AT), syncedLength),
        BigEndian.getLong(bytes, NAMED_ID_AT));
  }

  private static void requireLength(String path, int at, int length) throws CorruptFileException {
    if (length < 0) {
      throw new CorruptFileException(
          path, at, "length of a segment " + length + ", allowed 0 and more");
    }
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
