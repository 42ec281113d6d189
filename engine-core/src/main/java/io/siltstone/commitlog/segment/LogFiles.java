package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** The files of a commit log that nothing has open: their names, and the end of the log. */
public final class LogFiles {
  private LogFiles() {}

  /** Returns the name of the file of a segment. */
  public static String fileName(long segment) {
    return SegmentFormat.name(segment);
  }

  /** Returns the id of the segment in a file; empty if the name is not that of a segment. */
  public static OptionalLong segmentOf(String fileName) {
    return SegmentFormat.id(fileName);
  }

  /**
   * Ends the log in a directory, as if no later record had been appended. The directory is to be
   * synced by the caller.
   *
   * @param end the end of the last record that is kept
   */
  public static void endAt(Directory directory, CommitLogPosition end) throws IOException {
    List<Long> ids = CommitLogReplay.ids(directory);
    for (int i = ids.size() - 1; i >= 0 && ids.get(i) > end.segmentId(); i--) {
      directory.delete(SegmentFormat.name(ids.get(i)));
    }
    if (ids.contains(end.segmentId())) {
      directory.truncate(SegmentFormat.name(end.segmentId()), end.position());
    }
  }

  /**
   * Ends the log in a directory before a record; otherwise as {@link #endAt}.
   *
   * @param record the position of the first record that is cut off, as {@link TableReplay} is told
   */
  public static void endBefore(Directory directory, CommitLogPosition record) throws IOException {
    endAt(
        directory,
        new CommitLogPosition(
            record.segmentId(), record.position() - SegmentFormat.RECORD_HEAD_BYTES));
  }
}
