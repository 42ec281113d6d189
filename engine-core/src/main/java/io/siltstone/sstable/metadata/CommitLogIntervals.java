package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The intervals of a commit log whose data an SSTable contains; replay skips them.
 *
 * @param intervals ascending; one may begin where the one before ends
 */
public record CommitLogIntervals(List<Interval> intervals) {

  /** The intervals of an SSTable whose data is in no log. */
  public static final CommitLogIntervals NONE = new CommitLogIntervals(List.of());

  /**
   * One interval.
   *
   * @param start inclusive
   * @param end inclusive, not before {@code start}
   */
  public record Interval(CommitLogPosition start, CommitLogPosition end) {
    /** Checks the order. */
    public Interval {
      if (start.compareTo(end) > 0) {
        throw new IllegalArgumentException("commit log interval from " + start + " to " + end);
      }
    }
  }

  /** Checks the order. */
  public CommitLogIntervals {
    intervals = List.copyOf(intervals);
    for (int i = 1; i < intervals.size(); i++) {
      if (intervals.get(i - 1).end().compareTo(intervals.get(i).start()) > 0) {
        throw new IllegalArgumentException(
            "commit log interval "
                + intervals.get(i)
                + " begins before the end of "
                + intervals.get(i - 1));
      }
    }
  }

  /** Returns a single interval. */
  public static CommitLogIntervals of(CommitLogPosition start, CommitLogPosition end) {
    return new CommitLogIntervals(List.of(new Interval(start, end)));
  }

  /** Returns the union of both; overlapping intervals are merged. */
  public CommitLogIntervals union(CommitLogIntervals other) {
    NavigableMap<CommitLogPosition, CommitLogPosition> ends = new TreeMap<>();
    for (CommitLogIntervals side : List.of(this, other)) {
      for (Interval interval : side.intervals) {
        ends.merge(interval.start, interval.end, (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
    }
    List<Interval> union = new ArrayList<>();
    for (Map.Entry<CommitLogPosition, CommitLogPosition> entry : ends.entrySet()) {
      Interval last = union.isEmpty() ? null : union.get(union.size() - 1);
      if (last == null || last.end.compareTo(entry.getKey()) < 0) {
        union.add(new Interval(entry.getKey(), entry.getValue()));
      } else if (last.end.compareTo(entry.getValue()) < 0) {
        union.set(union.size() - 1, new Interval(last.start, entry.getValue()));
      }
    }
    return new CommitLogIntervals(union);
  }

  /** Returns whether the position lies in one of them. */
  public boolean contains(CommitLogPosition position) {
    return intervals.stream()
        .anyMatch(i -> i.start.compareTo(position) <= 0 && i.end.compareTo(position) >= 0);
  }

  /** Returns the first position, or {@link CommitLogPosition#NONE}. */
  public CommitLogPosition lowerBound() {
    return intervals.isEmpty() ? CommitLogPosition.NONE : intervals.get(0).start;
  }

  /** Returns the last position, or {@link CommitLogPosition#NONE}. */
  public CommitLogPosition upperBound() {
    return intervals.isEmpty() ? CommitLogPosition.NONE : intervals.get(intervals.size() - 1).end;
  }

  static CommitLogIntervals read(MetadataInput in) throws CorruptSSTableException {
    int begin = in.offset();
    int count = in.count(in.int32(), 2 * CommitLogPosition.BYTES, "commit log intervals");
    List<Interval> intervals = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        CommitLogPosition start = CommitLogPosition.read(in);
        intervals.add(new Interval(start, CommitLogPosition.read(in)));
      }
      return new CommitLogIntervals(intervals);
    } catch (IllegalArgumentException e) {
      throw in.corrupt(begin, String.valueOf(e.getMessage()));
    }
  }

  void write(MetadataOutput out) {
    out.int32(intervals.size());
    for (Interval interval : intervals) {
      interval.start.write(out);
      interval.end.write(out);
    }
  }
}
