package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import io.siltstone.commitlog.CommitLogOptions;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * A record to append to the commit log: changes of one or more tables that are replayed all or
 * none. It points at the callers' bytes, which must not change until {@link CommitLog#append}
 * returns. Reusable: filling it again allocates nothing. Confined to one thread.
 */
public final class LogRecord {
  private RecordType type = RecordType.MUTATION;
  private int parts;
  private LogTable[] tables = new LogTable[1];
  private byte[][] arrays = new byte[1][];
  private int[] offsets = new int[1];
  private int[] lengths = new int[1];
  private long bodyBytes;
  private final byte[] partHead = new byte[SegmentFormat.PART_HEAD_BYTES];
  private final CRC32 crc = new CRC32();

  /** Creates an empty record. */
  public LogRecord() {}

  /** Begins another record, and drops the changes added before. */
  public LogRecord begin(RecordType of) {
    Arrays.fill(tables, 0, parts, null);
    Arrays.fill(arrays, 0, parts, null);
    type = of;
    parts = 0;
    bodyBytes = 0;
    return this;
  }

  /** Adds a change of a table, which may have no bytes. A table may be added more than once. */
  public LogRecord add(LogTable table, byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (parts == tables.length) {
      int capacity = 2 * parts;
      tables = Arrays.copyOf(tables, capacity);
      arrays = Arrays.copyOf(arrays, capacity);
      offsets = Arrays.copyOf(offsets, capacity);
      lengths = Arrays.copyOf(lengths, capacity);
    }
    tables[parts] = table;
    arrays[parts] = bytes;
    offsets[parts] = offset;
    lengths[parts] = length;
    parts++;
    bodyBytes += partBytes(length);
    return this;
  }

  /**
   * Returns the share of {@link CommitLogOptions#maxMutationBytes()} that a change of {@code
   * length} bytes takes.
   */
  public static long partBytes(int length) {
    return SegmentFormat.PART_HEAD_BYTES + (long) length;
  }

  RecordType type() {
    return type;
  }

  /** Returns the number of changes that were added. */
  public int parts() {
    return parts;
  }

  LogTable table(int part) {
    return tables[part];
  }

  byte[] array(int part) {
    return arrays[part];
  }

  int offset(int part) {
    return offsets[part];
  }

  int length(int part) {
    return lengths[part];
  }

  /** Returns the table of the largest part. */
  LogTable largest() {
    int largest = 0;
    for (int part = 1; part < parts; part++) {
      largest = lengths[part] > lengths[largest] ? part : largest;
    }
    return tables[largest];
  }

  /** Returns the number of bytes of all parts with their heads. */
  long bodyBytes() {
    return bodyBytes;
  }

  /** Copies the head of a part to an array. */
  void copyPartHead(int part, byte[] target, int offset) {
    BigEndian.putInt(target, offset, tables[part].number());
    BigEndian.putInt(target, offset + Integer.BYTES, lengths[part]);
  }

  /** Returns the CRC32 of the body. */
  int bodyChecksum() {
    crc.reset();
    for (int part = 0; part < parts; part++) {
      copyPartHead(part, partHead, 0);
      crc.update(partHead, 0, SegmentFormat.PART_HEAD_BYTES);
      crc.update(arrays[part], offsets[part], lengths[part]);
    }
    return (int) crc.getValue();
  }
}
