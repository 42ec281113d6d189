package io.siltstone.commitlog.segment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The end of a commit log that was replayed: the position from which a later replay continues, when
 * the log has grown, with what it has to know of the records before. Immutable.
 */
public final class LogEnd {
  private final long segmentId;
  private final int offset;
  private final Map<Integer, Introduction> tables;

  /** The record that introduces a table in a segment, which the records after it refer to. */
  static final class Introduction {
    private final UUID id;
    private final byte[] header;

    /**
     * @param header is kept, and not to be changed
     */
    Introduction(UUID id, byte[] header) {
      this.id = id;
      this.header = header;
    }

    UUID id() {
      return id;
    }

    byte[] header() {
      return header;
    }
  }

  /**
   * @param offset of the byte after the last record that was replayed
   * @param tables introduced in the segment so far, by their numbers
   */
  LogEnd(long segmentId, int offset, Map<Integer, Introduction> tables) {
    this.segmentId = segmentId;
    this.offset = offset;
    this.tables = new LinkedHashMap<>(tables);
  }

  long segmentId() {
    return segmentId;
  }

  int offset() {
    return offset;
  }

  Map<Integer, Introduction> tables() {
    return tables;
  }
}
