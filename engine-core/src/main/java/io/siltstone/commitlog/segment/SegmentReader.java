package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one commit-log segment through a window, which grows to the largest record.
 * Confined to one thread. The opener closes it.
 */
final class SegmentReader implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;

  private final ReadableFile file;
  private final boolean isOwner;
  private final long id;
  private final SegmentFormat.HeadChecksum headChecksum;
  private final CRC32 crc = new CRC32();
  private byte[] window = new byte[WINDOW_BYTES];
  private long windowStart;
  private int windowLength;

  private byte type;
  private int bodyLength;
  private long bodyStart;
  private String problem = "";

  private SegmentReader(ReadableFile file, boolean isOwner, long id) throws CorruptFileException {
    if (file.length() > Integer.MAX_VALUE) {
      throw new CorruptFileException(
          file.path(), CorruptFileException.WHOLE_FILE, file.length() + " bytes, allowed 2 GiB");
    }
    this.file = file;
    this.isOwner = isOwner;
    this.id = id;
    this.headChecksum = new SegmentFormat.HeadChecksum(id);
  }

  static SegmentReader open(Directory directory, long id) throws IOException {
    ReadableFile file = directory.open(SegmentFormat.name(id), ReadIntent.SCAN);
    try {
      return new SegmentReader(file, true, id);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  /** Creates a reader of an open file, which it does not close. */
  static SegmentReader over(ReadableFile file, long id) throws IOException {
    return new SegmentReader(file, false, id);
  }

  String path() {
    return file.path();
  }

  int length() {
    return (int) file.length();
  }

  /**
   * Returns the header.
   *
   * @return null if there is none, because the segment ends before its first record
   * @throws CorruptFileException if it is damaged
   */
  @Nullable SegmentHeader header() throws IOException {
    if (length() < SegmentHeader.COMMON_BYTES) {
      return null;
    }
    try {
      byte[] common = head(SegmentHeader.COMMON_BYTES);
      if (SegmentHeader.version(path(), common) == SegmentFormat.OLDEST_VERSION) {
        return SegmentHeader.readOld(path(), common);
      }
      if (length() < SegmentFormat.HEADER_BYTES) {
        return null;
      }
      int bytes = SegmentHeader.length(path(), head(SegmentFormat.HEADER_BYTES));
      return length() < bytes ? null : SegmentHeader.read(path(), head(bytes));
    } catch (CorruptFileException e) {
      if (length() <= SegmentFormat.HEADER_BYTES) {
        return null;
      }
      throw e;
    }
  }

  private byte[] head(int length) throws IOException {
    fetch(0, length);
    return Arrays.copyOf(window, length);
  }

  /**
   * Returns the offset of the first record if one directly follows a header (of any version) that
   * cannot be read; -1 otherwise.
   */
  int findFirst() throws IOException {
    for (int offset : new int[] {SegmentFormat.HEADER_BYTES, SegmentHeader.COMMON_BYTES}) {
      if (read(offset, length())) {
        return offset;
      }
    }
    return -1;
  }

  /**
   * Reads the record at {@code offset}.
   *
   * @param limit end of the segment
   * @return whether there is one; if not, {@link #problem} returns the reason
   */
  boolean read(int offset, int limit) throws IOException {
    if (!readHead(offset, limit)) {
      return false;
    }
    fetch(offset, bodyLength + SegmentFormat.RECORD_OVERHEAD);
    crc.reset();
    crc.update(window, bodyOffset(), bodyLength);
    if ((int) crc.getValue() != BigEndian.getInt(window, bodyOffset() + bodyLength)) {
      problem = "checksum of a record of " + bodyLength + " bytes does not match";
      return false;
    }
    return true;
  }

  private boolean readHead(int offset, int limit) throws IOException {
    if (limit - offset < SegmentFormat.RECORD_OVERHEAD) {
      problem = (limit - offset) + " bytes, a record has " + SegmentFormat.RECORD_OVERHEAD;
      return false;
    }
    fetch(offset, SegmentFormat.RECORD_HEAD_BYTES);
    int at = (int) (offset - windowStart);
    bodyLength = BigEndian.getInt(window, at);
    type = window[at + 4];
    bodyStart = offset + (long) SegmentFormat.RECORD_HEAD_BYTES;
    if (bodyLength < 1 || bodyLength > limit - offset - SegmentFormat.RECORD_OVERHEAD) {
      problem =
          "length of a record "
              + bodyLength
              + ", allowed 1 to "
              + (limit - offset - SegmentFormat.RECORD_OVERHEAD);
      return false;
    }
    if (headChecksum.of(offset, bodyLength, type) != BigEndian.getInt(window, at + 5)) {
      problem = "checksum of a record's head does not match";
      return false;
    }
    return true;
  }

  /**
   * Searches for the next record at any offset from {@code from} on; returns {@code limit} if there
   * is none.
   */
  int find(int from, int limit) throws IOException {
    for (int offset = from; offset < limit; offset++) {
      if (read(offset, limit)) {
        return offset;
      }
    }
    return limit;
  }

  /**
   * Returns the greatest position in a "synced" record from {@code from} on; {@link
   * CommitLogPosition#NONE} if there is none.
   */
  CommitLogPosition greatestSynced(int from) throws IOException {
    int limit = length();
    CommitLogPosition greatest = CommitLogPosition.NONE;
    for (int offset = from;
        offset <= limit - SegmentFormat.RECORD_OVERHEAD - Integer.BYTES;
        offset++) {
      fetch(offset, SegmentFormat.RECORD_HEAD_BYTES);
      int at = (int) (offset - windowStart);
      if (window[at + 4] == SegmentFormat.SYNCED
          && BigEndian.getInt(window, at) <= SegmentFormat.POSITION_BYTES
          && read(offset, limit)) {
        CommitLogPosition told = synced();
        greatest = told.compareTo(greatest) > 0 ? told : greatest;
      }
    }
    return greatest;
  }

  /** Returns the position in the "synced" record that was read last. */
  private CommitLogPosition synced() {
    boolean isOld = bodyLength < SegmentFormat.POSITION_BYTES;
    long segment = isOld ? id : BigEndian.getLong(window, bodyOffset());
    int length = BigEndian.getInt(window, bodyOffset() + (isOld ? 0 : Long.BYTES));
    return length < 0 ? CommitLogPosition.NONE : new CommitLogPosition(segment, length);
  }

  /**
   * Returns the greatest id in a "begins" record from {@code from} on, up to the first bad record;
   * {@link SegmentHeader#NO_SEGMENT} if there is none.
   */
  long greatestBegins(int from) throws IOException {
    long greatest = SegmentHeader.NO_SEGMENT;
    int limit = length();
    for (int offset = from; offset < limit && read(offset, limit); offset = end()) {
      if (type == SegmentFormat.BEGINS && bodyLength >= Long.BYTES) {
        greatest = Math.max(greatest, segmentId());
      }
    }
    return greatest;
  }

  /** Returns the id of a segment with which the body of the last record begins. */
  long segmentId() {
    return BigEndian.getLong(window, bodyOffset());
  }

  /** Returns why the last {@link #read} found no record. */
  String problem() {
    return problem;
  }

  byte type() {
    return type;
  }

  /** Returns the id of the segment, as its name says. */
  long id() {
    return id;
  }

  /** Returns the array with the body of the last record, valid until the next call. */
  byte[] bytes() {
    return window;
  }

  /** Returns the index of the body in {@link #bytes()}. */
  int bodyOffset() {
    return (int) (bodyStart - windowStart);
  }

  /** Returns the number of bytes of the body. */
  int bodyLength() {
    return bodyLength;
  }

  /** Returns the offset of the body in the file. */
  int bodyStart() {
    return (int) bodyStart;
  }

  /** Returns the offset in the file after the record. */
  int end() {
    return (int) bodyStart + bodyLength + Integer.BYTES;
  }

  /** Reads bytes of the file, which must exist, into the window. */
  private void fetch(int offset, int length) throws IOException {
    if (offset >= windowStart && offset + (long) length <= windowStart + windowLength) {
      return;
    }
    if (length > window.length) {
      window = new byte[Math.max(length, (int) Math.min(2L * window.length, length()))];
    }
    windowStart = offset;
    int wanted = Math.min(window.length, length() - offset);
    windowLength = 0;
    file.readFully(offset, ByteBuffer.wrap(window, 0, wanted));
    windowLength = wanted;
  }

  @Override
  public void close() throws IOException {
    if (isOwner) {
      file.close();
    }
  }
}
