package io.siltstone.commitlog.segment;

import java.io.IOException;
import java.util.UUID;

/** Takes what {@link CommitLogReplay} finds. */
@FunctionalInterface
public interface ReplayVisitor {
  /**
   * A segment whose records follow.
   *
   * @param createdMicros what the log's clock said when its file was made, in microseconds since
   *     1970: all records of the segments before it, also of those that are gone, were appended
   *     before
   */
  default void segment(long createdMicros) {}

  /**
   * A table whose changes follow. Comes again for each segment, and for each encoding.
   *
   * @param table id
   * @param header as given to {@link CommitLog#table}
   * @return who takes its changes from this segment. Whoever restores to a point in time, leaves
   *     out tables or what has been flushed, does so there
   */
  TableReplay table(UUID table, byte[] header) throws IOException;
}
