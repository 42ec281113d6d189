package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Replays one commit-log segment: passes its records to a visitor. Confined to one thread. */
final class SegmentReplay {
  private final long segmentId;
  private final ReplayVisitor visitor;
  private final Map<Integer, Table> byNumber = new HashMap<>();
  private final Map<Integer, LogEnd.Introduction> introduced = new HashMap<>();
  private final Map<UUID, Integer> ends = new LinkedHashMap<>();
  private long records;
  private long nextId = SegmentHeader.NO_SEGMENT;

  /** A table with its number in the segment. */
  private record Table(UUID id, TableReplay replay) {}

  /** Thrown for a record with valid checksums but invalid contents. */
  static final class MeaninglessException extends Exception {
    private static final long serialVersionUID = 1L;

    MeaninglessException(String message) {
      super(message);
    }
  }

  SegmentReplay(long segmentId, ReplayVisitor visitor) {
    this.segmentId = segmentId;
    this.visitor = visitor;
  }

  /**
   * Makes tables known that the segment has introduced before the first record that is replayed.
   */
  void introduce(Map<Integer, LogEnd.Introduction> tables) throws IOException {
    for (Map.Entry<Integer, LogEnd.Introduction> each : tables.entrySet()) {
      introduce(each.getKey(), each.getValue());
    }
  }

  private void introduce(int number, LogEnd.Introduction table) throws IOException {
    introduced.put(number, table);
    byNumber.put(number, new Table(table.id(), visitor.table(table.id(), table.header())));
  }

  /** Returns the tables that were introduced so far. */
  Map<Integer, LogEnd.Introduction> introduced() {
    return introduced;
  }

  /** Returns the end of the last record of each table. */
  Map<UUID, Integer> ends() {
    return ends;
  }

  long records() {
    return records;
  }

  /**
   * Returns the id of the next segment that a "continued" record names; {@link
   * SegmentHeader#NO_SEGMENT} if there is none.
   */
  long nextId() {
    return nextId;
  }

  private static long nextId(SegmentReader reader) throws MeaninglessException {
    if (reader.bodyLength() < Long.BYTES) {
      throw new MeaninglessException("id of a segment of " + reader.bodyLength() + " bytes");
    }
    return reader.segmentId();
  }

  /** Returns a position within the record that the reader is at. */
  CommitLogPosition positionOf(SegmentReader reader) {
    return new CommitLogPosition(segmentId, reader.bodyStart());
  }

  /** Replays the reader's present record. */
  void replay(SegmentReader reader) throws IOException, MeaninglessException {
    switch (reader.type()) {
      case SegmentFormat.SYNCED, SegmentFormat.BEGINS -> {
        // These records are only needed if a record is bad or a segment is missing.
      }
      case SegmentFormat.CONTINUED -> nextId = nextId(reader);
      case SegmentFormat.TABLE -> table(reader);
      default -> parts(typeOf(reader.type()), reader);
    }
  }

  private static RecordType typeOf(byte code) throws MeaninglessException {
    for (RecordType type : RecordType.values()) {
      if (type.code() == code) {
        return type;
      }
    }
    throw new MeaninglessException("record of type " + code + ", which is not known");
  }

  private void table(SegmentReader reader) throws IOException, MeaninglessException {
    if (reader.bodyLength() < SegmentFormat.TABLE_HEAD_BYTES) {
      throw new MeaninglessException("table of " + reader.bodyLength() + " bytes");
    }
    byte[] bytes = reader.bytes();
    int at = reader.bodyOffset();
    UUID id = new UUID(BigEndian.getLong(bytes, at + 4), BigEndian.getLong(bytes, at + 12));
    byte[] header =
        Arrays.copyOfRange(bytes, at + SegmentFormat.TABLE_HEAD_BYTES, at + reader.bodyLength());
    introduce(BigEndian.getInt(bytes, at), new LogEnd.Introduction(id, header));
  }

  private void parts(RecordType type, SegmentReader reader)
      throws IOException, MeaninglessException {
    requireParts(reader);
    byte[] bytes = reader.bytes();
    CommitLogPosition position = positionOf(reader);
    int at = reader.bodyOffset();
    int to = at + reader.bodyLength();
    while (at < to) {
      Table table = byNumber.get(BigEndian.getInt(bytes, at));
      int length = BigEndian.getInt(bytes, at + Integer.BYTES);
      at += SegmentFormat.PART_HEAD_BYTES;
      if (table != null) {
        ends.put(table.id, reader.end());
        table.replay.replay(type, position, bytes, at, length);
      }
      at += length;
    }
    records++;
  }

  /** Checks all parts of a record before any of them is replayed. */
  private void requireParts(SegmentReader reader) throws MeaninglessException {
    byte[] bytes = reader.bytes();
    int at = reader.bodyOffset();
    int to = at + reader.bodyLength();
    while (at < to) {
      if (to - at < SegmentFormat.PART_HEAD_BYTES) {
        throw new MeaninglessException("part of " + (to - at) + " bytes");
      }
      int number = BigEndian.getInt(bytes, at);
      int length = BigEndian.getInt(bytes, at + Integer.BYTES);
      at += SegmentFormat.PART_HEAD_BYTES;
      if (length < 0 || length > to - at) {
        throw new MeaninglessException(
            "length of a part " + length + ", allowed 0 to " + (to - at));
      }
      if (!byNumber.containsKey(number)) {
        throw new MeaninglessException("table " + number + " was not introduced");
      }
      at += length;
    }
  }
}
