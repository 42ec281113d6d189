package io.siltstone.commitlog.segment;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The result of a {@link CommitLogReplay}, which {@link CommitLog#open} continues. Immutable. */
public final class ReplayedLog {
  private final List<Segment> segments;
  private final List<Long> lost;
  private final List<CorruptFileException> damage;
  private final List<CorruptFileException> cutOff;
  private final long records;
  private final long tornBytes;
  private final boolean partial;
  private final boolean isDurable;
  private final @Nullable LogEnd end;

  /**
   * A segment with a header.
   *
   * @param id as in its name
   * @param length bytes up to the end of its last record
   * @param tables end of the last record of each table
   */
  record Segment(long id, long length, Map<UUID, Integer> tables) {
    Segment {
      // These lists are in the order of reading.
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
      boolean partial,
      @Nullable LogEnd end) {
    this(segments, lost, damage, cutOff, records, tornBytes, partial, false, end);
  }

  private ReplayedLog(
      List<Segment> segments,
      List<Long> lost,
      List<CorruptFileException> damage,
      List<CorruptFileException> cutOff,
      long records,
      long tornBytes,
      boolean partial,
      boolean isDurable,
      @Nullable LogEnd end) {
    this.segments = List.copyOf(segments);
    this.lost = List.copyOf(lost);
    this.damage = List.copyOf(damage);
    this.cutOff = List.copyOf(cutOff);
    this.records = records;
    this.tornBytes = tornBytes;
    this.partial = partial;
    this.isDurable = isDurable;
    this.end = end;
  }

  /**
   * Returns the log of a directory as if it had been replayed without a record that a table needs:
   * all of them are known to be in SSTables, and all files to be complete and synced.
   */
  public static ReplayedLog ofFlushed(Directory directory) throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (long id : CommitLogReplay.ids(directory)) {
      segments.add(new Segment(id, directory.length(SegmentFormat.name(id)), Map.of()));
    }
    return new ReplayedLog(segments, List.of(), List.of(), List.of(), 0, 0, false, true, null);
  }

  /**
   * Returns whether its segments end with a clean close and nothing of them is needed: then there
   * is no need for another segment before the first record.
   */
  boolean isFlushed() {
    return isDurable && !segments.isEmpty();
  }

  List<Segment> segments() {
    return segments;
  }

  /** Returns the number of records that were replayed. */
  public long records() {
    return records;
  }

  /**
   * Returns the size in bytes of the torn tails: the bytes after the last complete record of each
   * segment, which a power loss or the kill of the process cut off.
   */
  public long tornBytes() {
    return tornBytes;
  }

  /**
   * Returns the damage that was skipped, in the order of the log; empty unless the options ask for
   * it.
   */
  public List<CorruptFileException> damage() {
    return damage;
  }

  /**
   * Returns the places after which intact records are cut off, because records before them were not
   * written: within the segment of the last replayed record, or a whole segment. None of the
   * records is known to have been synced. A power loss may leave such records, as a disk writes
   * unsynced data in any order. If only the process died, the place itself is damaged.
   */
  public List<CorruptFileException> cutOff() {
    return cutOff;
  }

  /** Returns the tables that the log has changes of. */
  public Set<UUID> tables() {
    Set<UUID> all = new TreeSet<>();
    segments.forEach(segment -> all.addAll(segment.tables().keySet()));
    return all;
  }

  /** Returns the end of the log; {@link CommitLogPosition#NONE} if it is empty. */
  public CommitLogPosition end() {
    if (segments.isEmpty()) {
      return CommitLogPosition.NONE;
    }
    Segment last = segments.get(segments.size() - 1);
    return new CommitLogPosition(last.id(), (int) last.length());
  }

  /**
   * Returns the end from which a later replay can continue; empty if something before it was left
   * out, so that another replay may find more there.
   */
  public Optional<LogEnd> continuation() {
    boolean isWhole = lost.isEmpty() && damage.isEmpty() && cutOff.isEmpty() && !partial;
    return isWhole ? Optional.ofNullable(end) : Optional.empty();
  }

  /** Returns the greatest id of any segment, -1 if there is none. */
  long greatestId() {
    long id = segments.isEmpty() ? -1 : segments.get(segments.size() - 1).id();
    for (long other : lost) {
      id = Math.max(id, other);
    }
    return id;
  }

  /**
   * Makes the end of the log durable before another segment follows: deletes segments after the
   * torn place, cuts off the torn tail of the last one that stays, and syncs data that was only in
   * the page cache.
   */
  void settle(Directory directory) throws IOException {
    if (partial) {
      throw new IllegalArgumentException(
          directory.path() + " was replayed in part, its commit log cannot be continued");
    }
    requireAllOf(directory);
    if (!segments.isEmpty() && !isDurable) {
      // This precedes the deletion of segments that it may name.
      Segment last = segments.get(segments.size() - 1);
      directory.truncate(SegmentFormat.name(last.id()), last.length());
    }
    // Delete the last one first, so that there is never a gap.
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
