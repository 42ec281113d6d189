package io.siltstone.commitlog.segment;

import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files of a commit log: their names, and where the log is to end in a copy of it. */
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
   * Returns the files of a log that is {@linkplain CommitLog#hold held}, by their names, with the
   * number of bytes of each that belong to the log up to a position.
   *
   * @param end up to which the log is synced
   */
  public static SortedMap<String, Long> upTo(Directory directory, CommitLogPosition end)
      throws IOException {
    while (true) {
      List<Long> ids = idsUpTo(directory, end);
      SortedMap<String, Long> lengths = new TreeMap<>();
      for (long id : ids) {
        long length = directory.length(SegmentFormat.name(id));
        lengths.put(
            SegmentFormat.name(id),
            id == end.segmentId() ? Math.min(length, end.position()) : length);
      }
      // A segment that was completed meanwhile may name the next one, which must not be missing.
      if (idsUpTo(directory, end).equals(ids)) {
        return lengths;
      }
    }
  }

  private static List<Long> idsUpTo(Directory directory, CommitLogPosition end) throws IOException {
    return CommitLogReplay.ids(directory).stream().filter(id -> id <= end.segmentId()).toList();
  }

  /**
   * Ends a log that nothing has open, as if no later record had been appended. The directory is to
   * be synced by the caller.
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
   * Ends a log before a record; otherwise as {@link #endAt}.
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
