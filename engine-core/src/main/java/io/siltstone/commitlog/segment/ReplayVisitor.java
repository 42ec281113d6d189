package io.siltstone.commitlog.segment;

import java.io.IOException;
import java.util.UUID;

/** Receives the segments, tables and changes that {@link CommitLogReplay} finds. */
@FunctionalInterface
public interface ReplayVisitor {
  /**
   * Called before the records of a segment.
   *
   * @param createdMicros creation time of its file by the log's clock, in microseconds since 1970:
   *     all records of earlier segments, including deleted ones, were appended before
   */
  default void segment(long createdMicros) {}

  /**
   * Called before the changes of a table, once per segment and encoding.
   *
   * @param table id
   * @param header as given to {@link CommitLog#table}
   * @return receiver of its changes from this segment, which may ignore flushed changes or whole
   *     tables
   */
  TableReplay table(UUID table, byte[] header) throws IOException;
}
