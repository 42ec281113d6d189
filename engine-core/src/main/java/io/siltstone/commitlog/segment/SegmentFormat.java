package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/**
 * The file format of a commit-log segment, {@code CommitLog-<id>.log}, and the rules that
 * distinguish a torn tail from damage.
 *
 * <pre>
 *   header
 *     magic            int    0x53544C47
 *     version          int    2; 1 is read, too
 *     id               long   as in the name; ids grow, and are the clock's milliseconds at least
 *     previous id      long   of the segment before this one, -1 if there was none
 *     previous length  int    of that segment's file when this one was begun, 0 if there was none
 *     created          long   microseconds since 1970
 *     checksum         int    CRC32 of the header so far, with which version 1 ends. All versions
 *                             have this part, so that each can tell a later one by its name
 *     header length    int    of all of the header
 *     host id          two longs
 *     first id         long   of the oldest segment that was needed when this one was begun
 *     synced           long, int   id of a segment, and length up to which it, and all segments
 *                             before it, had been synced when this one was begun; -1, 0 if none
 *     named id         long   of the newest segment whose name was durable when this one was begun
 *     (fields of later revisions of this version, which readers skip)
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
 *   2 truncation   parts, one after the other: table number (int), length (int), bytes
 *  64 table        number (int), id (two longs), header of the table (the rest); before the first
 *                  record of the segment that names the number
 *  65 synced       id of a segment (long), length (int): the log had been synced up to there when
 *                  this was written. In version 1 the length alone, of the segment itself
 *  66 begins       id (long) of the oldest segment that is still needed. It is synced before the
 *                  segments before that one are deleted
 *  67 continued    id (long) of the segment after this one, whose name is durable. The last record
 *                  of a segment, not counted in the "previous length" of the next one
 * </pre>
 *
 * <p><b>Torn tail or damage.</b> Records are handed to the operating system in their order, and a
 * segment is begun when the previous one was handed over completely. Syncs follow in the same
 * order, but several segments may wait for theirs. After a power loss the log may therefore end
 * within any segment that was not synced (its torn tail), and records of later segments must not be
 * replayed. The part that is <em>proven</em> to have been synced must be intact:
 *
 * <ul>
 *   <li>all bytes before a position that the header or a "synced" record of any segment names as
 *       synced;
 *   <li>the names of all segments up to the "named id" of a later one, or to a "continued" record;
 *   <li>all bytes before a segment whose successor has version 1: in this version a segment was
 *       begun only after the previous one was synced.
 * </ul>
 *
 * A bad record, a bad header, a wrong length or a missing segment is damage if it lies in the
 * proven part. So is a segment of another host, and the lack of the segment that the last "begins"
 * record or "first id" names: segments are deleted oldest first, and only when no table needs them.
 * Anywhere else the log ends there.
 *
 * <p>A "synced" record is written with the next record after a sync, and at close. Damage among the
 * records of the last sync before a crash is therefore taken for a torn tail; to distinguish the
 * two, a log would need a second sync.
 *
 * <p>The checksum in a record's header depends on its position, so that neither stale data at the
 * end of a file nor a part of another segment looks like a record.
 */
final class SegmentFormat {
  static final int MAGIC = 0x53544C47;
  static final int VERSION = 2;
  static final int OLDEST_VERSION = 1;
  static final int HEADER_BYTES = 92;

  static final int RECORD_HEAD_BYTES = 9;
  static final int RECORD_OVERHEAD = RECORD_HEAD_BYTES + Integer.BYTES;
  static final int PART_HEAD_BYTES = 8;
  static final int TABLE_HEAD_BYTES = 20;

  static final byte TABLE = 64;
  static final byte SYNCED = 65;
  static final byte BEGINS = 66;
  static final byte CONTINUED = 67;
  static final int POSITION_BYTES = Long.BYTES + Integer.BYTES;
  static final int SYNCED_BYTES = RECORD_OVERHEAD + POSITION_BYTES;
  static final int CONTINUED_BYTES = RECORD_OVERHEAD + Long.BYTES;

  private static final String PREFIX = "CommitLog-";
  private static final String SUFFIX = ".log";

  private SegmentFormat() {}

  static String name(long id) {
    return String.format(Locale.ROOT, "%s%d%s", PREFIX, id, SUFFIX);
  }

  /** Returns the id in a segment's name; nothing if it is the name of something else. */
  static OptionalLong id(String name) {
    if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
      String digits = name.substring(PREFIX.length(), name.length() - SUFFIX.length());
      if (digits.matches("0|[1-9][0-9]{0,17}")) {
        return OptionalLong.of(Long.parseLong(digits));
      }
    }
    return OptionalLong.empty();
  }

  /** Returns the record at {@code offset} which says that another segment follows. */
  static byte[] continued(HeadChecksum headChecksum, int offset, long nextId) {
    byte[] record = new byte[CONTINUED_BYTES];
    BigEndian.putInt(record, 0, Long.BYTES);
    record[4] = CONTINUED;
    BigEndian.putInt(record, 5, headChecksum.of(offset, Long.BYTES, CONTINUED));
    BigEndian.putLong(record, RECORD_HEAD_BYTES, nextId);
    CRC32 crc = new CRC32();
    crc.update(record, RECORD_HEAD_BYTES, Long.BYTES);
    BigEndian.putInt(record, RECORD_HEAD_BYTES + Long.BYTES, (int) crc.getValue());
    return record;
  }

  /** Computes the checksum in a record's header. Confined to one thread at a time. */
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
