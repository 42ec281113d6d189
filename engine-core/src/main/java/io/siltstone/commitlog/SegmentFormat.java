package io.siltstone.commitlog;

import io.siltstone.bytes.BigEndian;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/**
 * The form of a segment, {@code CommitLog-<id>.log}.
 *
 * <pre>
 *   header
 *     magic            int    0x53544C47
 *     version          int    1
 *     id               long   as in the name; ids grow, and are the clock's milliseconds at least
 *     previous id      long   of the segment before this one, -1 if there was none
 *     previous length  int    of that segment's file, 0 if there was none
 *     created          long   microseconds since 1970
 *     checksum         int    CRC32 of the header so far
 *   record, any number
 *     length           int    of the body, 1 or more
 *     type             byte
 *     checksum         int    CRC32 of: id of the segment (long), offset of this record (int), length, type
 *     body             length bytes
 *     checksum         int    CRC32 of the body
 * </pre>
 *
 * All numbers are big-endian. Bodies by type:
 *
 * <pre>
 *   1 mutation,
 *   2 truncation   parts, one behind the other: table number (int), length (int), bytes
 *  64 table        number (int), id (two longs), header of the table (the rest); before the first
 *                  record of the segment that names the number
 *  65 synced       length (int): the file had been synced up to there when this was written
 * </pre>
 *
 * <p>How a torn tail differs from damage. A segment's file is made only after the one before it is
 * complete and synced, and no record follows the header before header and name are synced. So:
 *
 * <ul>
 *   <li>What lies before the "previous length" of the next segment was whole; so was what lies
 *       before the length that any "synced" record of the segment itself tells. A bad record there
 *       is damage.
 *   <li>A header that is bad although records follow it is damage.
 *   <li>Any other bad record is where the power went: it was never synced, nor was what follows it,
 *       some of which may have reached the disk nevertheless.
 *   <li>A segment whose "previous id" is not that of the segment before it misses one.
 * </ul>
 *
 * A "synced" record is written with the next record after a sync, and at close. So damage among the
 * records of the very last sync before a crash is taken for a torn tail: no log without a second
 * sync can tell them apart.
 *
 * <p>The header's checksum of a record depends on its place, so that neither what a file system
 * left in a file's tail nor a part of another segment looks like a record.
 */
final class SegmentFormat {
  static final int MAGIC = 0x53544C47;
  static final int VERSION = 1;
  static final int HEADER_BYTES = 40;

  static final int RECORD_HEAD_BYTES = 9;
  static final int RECORD_OVERHEAD = RECORD_HEAD_BYTES + Integer.BYTES;
  static final int PART_HEAD_BYTES = 8;
  static final int TABLE_HEAD_BYTES = 20;

  static final byte TABLE = 64;
  static final byte SYNCED = 65;
  static final int SYNCED_BYTES = RECORD_OVERHEAD + Integer.BYTES;

  private static final String PREFIX = "CommitLog-";
  private static final String SUFFIX = ".log";

  private SegmentFormat() {}

  static String name(long id) {
    return String.format(Locale.ROOT, "%s%d%s", PREFIX, id, SUFFIX);
  }

  /** The id in a segment's name; nothing if it is the name of something else. */
  static OptionalLong id(String name) {
    if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
      String digits = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
      if (digits.matches("0|[1-9][0-9]{0,17}")) {
        return OptionalLong.of(Long.parseLong(digits));
      }
    }
    return OptionalLong.empty();
  }

  /** The checksum in a record's head. */
  static final class HeadChecksum {
    private final byte[] bytes = new byte[Long.BYTES + 2 * Integer.BYTES + 1];
    private final CRC32 crc = new CRC32();

    HeadChecksum(long segmentId) {
      BigEndian.putLong(bytes, 0, segmentId);
    }

    int of(int offset, int length, byte type) {
      BigEndian.putInt(bytes, 8, offset);
      BigEndian.putInt(bytes, 12, length);
      bytes[16] = type;
      crc.reset();
      crc.update(bytes, 0, bytes.length);
      return (int) crc.getValue();
    }
  }
}
