package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;

/**
 * A position in a commit log.
 *
 * @param segmentId of the segment
 * @param position offset after the last byte, 0 or more
 */
public record CommitLogPosition(long segmentId, int position)
    implements Comparable<CommitLogPosition> {

  /** The position before all others, of an SSTable whose data is in no log. */
  public static final CommitLogPosition NONE = new CommitLogPosition(-1, 0);

  static final int BYTES = 12;

  /** Checks the position. */
  public CommitLogPosition {
    if (position < 0) {
      throw new IllegalArgumentException(
          "position " + position + " in a commit log segment, allowed 0 or more");
    }
  }

  @Override
  public int compareTo(CommitLogPosition other) {
    return segmentId != other.segmentId
        ? Long.compare(segmentId, other.segmentId)
        : Integer.compare(position, other.position);
  }

  static CommitLogPosition read(MetadataInput in) throws CorruptSSTableException {
    int start = in.offset();
    long segmentId = in.int64();
    int position = in.int32();
    if (position < 0) {
      throw in.corrupt(start, "commit log position " + position + ", allowed 0 or more");
    }
    return new CommitLogPosition(segmentId, position);
  }

  void write(MetadataOutput out) {
    out.int64(segmentId);
    out.int32(position);
  }
}
