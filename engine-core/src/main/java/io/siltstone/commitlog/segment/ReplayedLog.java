package io.siltstone.commitlog.segment;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What {@link CommitLogReplay} found, for {@link CommitLog#open} to go on from. Immutable. */
public final class ReplayedLog {
  private final List<Segment> segments;
  private final List<Long> lost;
  private final List<CorruptFileException> damage;
  private final List<CorruptFileException> cutOff;
  private final long records;
  private final long tornBytes;
  private final boolean partial;

  /**
   * A segment with a header.
   *
   * @param id as in its name
   * @param length bytes up to the end of its last record
   * @param tables where the last record of each table ends
   */
  record Segment(long id, long length, Map<UUID, Integer> tables) {
    Segment {
      // In the order of reading.
      tables = new LinkedHashMap<>(tables);
    }
  }

  ReplayedLog(
      List<Segment> segments,
      List<Long> lost,
      List<CorruptFileException> damage,
      List<CorruptFileException> cutOff,
      long records,
      long tornBytes,
      boolean partial) {
    this.segments = List.copyOf(segments);
    this.lost = List.copyOf(lost);
    this.damage = List.copyOf(damage);
    this.cutOff = List.copyOf(cutOff);
    this.records = records;
    this.tornBytes = tornBytes;
    this.partial = partial;
  }

  List<Segment> segments() {
    return segments;
  }

  /** Records of the database that were replayed. */
  public long records() {
    return records;
  }

  /**
   * Bytes after the last whole record, in all segments, which a loss of power or the kill of the
   * process cut off.
   */
  public long tornBytes() {
    return tornBytes;
  }

  /** What was skipped, in the order of the log; empty unless that was asked for. */
  public List<CorruptFileException> damage() {
    return damage;
  }

  /**
   * The places from which on intact records are cut off, because something before them was not
   * written: of a segment after the last record that is replayed, or of a whole segment. None of it
   * is known to have been synced. A loss of power may leave such records, as a disk writes what was
   * not synced in any order. If only the process died, the place itself is damaged.
   */
  public List<CorruptFileException> cutOff() {
    return cutOff;
  }

  /** Tables that the log has changes of. */
  public Set<UUID> tables() {
    Set<UUID> all = new TreeSet<>();
    segments.forEach(segment -> all.addAll(segment.tables().keySet()));
    return all;
  }

  /** Where the log ends; {@link CommitLogPosition#NONE} of an empty one. */
  public CommitLogPosition end() {
    if (segments.isEmpty()) {
      return CommitLogPosition.NONE;
    }
    Segment last = segments.get(segments.size() - 1);
    return new CommitLogPosition(last.id(), (int) last.length());
  }

  /** The greatest id of any segment, -1 if there is none. */
  long greatestId() {
    long id = segments.isEmpty() ? -1 : segments.get(segments.size() - 1).id();
    for (long other : lost) {
      id = Math.max(id, other);
    }
    return id;
  }

  /**
   * Makes the end durable before another segment builds upon it: segments after the place where the
   * log was torn are deleted, the torn tail of the last one that stays is cut off, and what was
   * only in the page cache synced.
   */
  void settle(Directory directory) throws IOException {
    if (partial) {
      throw new IllegalArgumentException(
          directory.path() + " was replayed in part, its commit log cannot be continued");
    }
    requireAllOf(directory);
    if (!segments.isEmpty()) {
      // Before others are deleted that it may name.
      Segment last = segments.get(segments.size() - 1);
      directory.truncate(SegmentFormat.name(last.id()), last.length());
    }
    // The last one first, so that none is ever missing between others.
    for (int i = lost.size() - 1; i >= 0; i--) {
      directory.delete(SegmentFormat.name(lost.get(i)));
      directory.sync();
    }
  }

  private void requireAllOf(Directory directory) throws IOException {
    Set<Long> replayed = new TreeSet<>(lost);
    segments.forEach(segment -> replayed.add(segment.id()));
    Set<Long> there = new TreeSet<>(CommitLogReplay.ids(directory));
    if (!there.equals(replayed)) {
      throw new IllegalArgumentException(
          directory.path() + " has commit log segments " + there + ", replayed were " + replayed);
    }
  }
}
