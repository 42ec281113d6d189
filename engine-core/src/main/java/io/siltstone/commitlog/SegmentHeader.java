package io.siltstone.commitlog;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import java.io.IOException;
import java.util.zip.CRC32;

/**
 * The beginning of a segment, as {@link SegmentFormat} has it.
 *
 * @param id of the segment
 * @param previousId of the segment before it, or {@link #NO_SEGMENT}
 * @param previousLength of the file before it, in bytes
 * @param createdMicros microseconds since 1970, of the clock that the log was given: no earlier
 *     than it was when any record of the segments before this one was appended
 */
record SegmentHeader(long id, long previousId, int previousLength, long createdMicros) {
  static final long NO_SEGMENT = -1;

  private static final int VERSION_AT = 4;
  private static final int ID_AT = 8;
  static final int PREVIOUS_ID_AT = 16;
  private static final int PREVIOUS_LENGTH_AT = 24;
  private static final int CREATED_AT = 28;
  private static final int CHECKSUM_AT = 36;

  byte[] bytes() {
    byte[] bytes = new byte[SegmentFormat.HEADER_BYTES];
    BigEndian.putInt(bytes, 0, SegmentFormat.MAGIC);
    BigEndian.putInt(bytes, VERSION_AT, SegmentFormat.VERSION);
    BigEndian.putLong(bytes, ID_AT, id);
    BigEndian.putLong(bytes, PREVIOUS_ID_AT, previousId);
    BigEndian.putInt(bytes, PREVIOUS_LENGTH_AT, previousLength);
    BigEndian.putLong(bytes, CREATED_AT, createdMicros);
    BigEndian.putInt(bytes, CHECKSUM_AT, checksum(bytes));
    return bytes;
  }

  /**
   * Reads what {@link #bytes} made.
   *
   * @throws CorruptFileException if it is anything else, or not the header of segment {@code id}
   * @throws IOException if it is whole, but of another version: nothing is damaged then
   */
  static SegmentHeader read(String path, long id, byte[] bytes) throws IOException {
    int magic = BigEndian.getInt(bytes, 0);
    if (magic != SegmentFormat.MAGIC) {
      throw new CorruptFileException(
          path, 0, String.format("magic %08x, allowed %08x", magic, SegmentFormat.MAGIC));
    }
    int version = BigEndian.getInt(bytes, VERSION_AT);
    if (checksum(bytes) != BigEndian.getInt(bytes, CHECKSUM_AT)) {
      throw new CorruptFileException(path, CHECKSUM_AT, "checksum of the header does not match");
    }
    if (version != SegmentFormat.VERSION) {
      throw new IOException(
          path
              + " is a segment of version "
              + version
              + " of the commit log, allowed is "
              + SegmentFormat.VERSION);
    }
    long found = BigEndian.getLong(bytes, ID_AT);
    if (found != id) {
      throw new CorruptFileException(path, ID_AT, "segment id " + found + ", its name says " + id);
    }
    return new SegmentHeader(
        id,
        BigEndian.getLong(bytes, PREVIOUS_ID_AT),
        BigEndian.getInt(bytes, PREVIOUS_LENGTH_AT),
        BigEndian.getLong(bytes, CREATED_AT));
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, CHECKSUM_AT);
    return (int) crc.getValue();
  }
}
