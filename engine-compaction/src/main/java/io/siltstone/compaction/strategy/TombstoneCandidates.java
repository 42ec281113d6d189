package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tables are worth a job for what has been deleted or has expired in them. Confined to one
 * plan. Source of the rules: Cassandra {@code AbstractCompactionStrategy.worthDroppingTombstones},
 * {@code CompactionController.getFullyExpiredSSTables}.
 */
final class TombstoneCandidates {
  // A table with fewer partitions says little about how they lie.
  private static final long LEAST_PARTITIONS = 128;

  // An interval that is shorter is as long as this.
  private static final long LEAST_INTERVAL_MILLIS = 60_000;

  private final PurgeOptions options;
  private final LiveTables live;
  private final long now;
  private final long gcBefore;
  private @Nullable ShadowIndex shadowIndex;
  private int tooYoung;
  private int overlapping;

  TombstoneCandidates(PurgeOptions options, LiveTables live, long now) {
    this.options = options;
    this.live = live;
    this.now = now;
    this.gcBefore = Math.floorDiv(now, 1000L) - options.gcGraceSeconds();
  }

  /**
   * Those that have nothing but what was deleted or has expired before {@link #gcBefore}, and
   * nothing that could shadow what the other tables or the memtables have.
   *
   * <p>Stricter than Cassandra in one thing: tables that have expired, but are not among those
   * returned, count as others. The task that drops them looks at all that stay, and must agree.
   */
  List<LiveTable> expired(CandidateSelection candidates, ExpiryOptions expiry) {
    List<LiveTable> expired = new ArrayList<>();
    for (LiveTable table : candidates.tables()) {
      if (table.maxLocalDeletionTime() < gcBefore
          && candidates.isFree(table)
          && now - table.writtenAt() >= expiry.leastAgeMillis()
          && mayPurge(table)) {
        expired.add(table);
      }
    }
    if (expired.isEmpty() || expiry.ignoresOverlaps()) {
      return expired;
    }
    Deque<LiveTable> others = new ArrayDeque<>(live.tables());
    others.removeAll(expired);
    expired.removeIf(
        table -> {
          boolean mayShadow = live.memtableMinTimestamp() <= table.maxTimestamp();
          if (mayShadow) {
            others.add(table);
          }
          return mayShadow;
        });
    while (!others.isEmpty() && !expired.isEmpty()) {
      LiveTable other = others.remove();
      expired.removeIf(
          table -> {
            boolean mayShadow = mayShadow(table, other);
            if (mayShadow) {
              others.add(table);
            }
            return mayShadow;
          });
    }
    return expired;
  }

  private boolean mayPurge(LiveTable table) {
    return !options.onlyRepaired() || table.repair().isRepaired();
  }

  private static boolean mayShadow(LiveTable table, LiveTable other) {
    return other.minTimestamp() <= table.maxTimestamp() && table.overlaps(other);
  }

  /** Share of its cells that can be dropped by time, 0 to 1. */
  double ratio(LiveTable table) {
    return table.droppableTombstoneRatio(gcBefore);
  }

  /** Why it is rewritten, with the figures. */
  String reason(LiveTable table) {
    return "1 table of "
        + FigureText.bytes(table.onDiskBytes())
        + " has about "
        + FigureText.percent(ratio(table))
        + " droppable tombstones, tombstone_threshold "
        + options.threshold();
  }

  /** Never 0: a table of which nothing could be purged would be rewritten at once, for ever. */
  private long intervalMillis() {
    return Math.max(options.intervalMillis(), LEAST_INTERVAL_MILLIS);
  }

  /** Whether to rewrite it for its tombstones alone; a reason against it is counted. */
  boolean isWorthIt(LiveTable table) {
    if (!mayPurge(table)) {
      return false;
    }
    double ratio = ratio(table);
    if (ratio <= options.threshold()) {
      return false;
    }
    if (now - table.writtenAt() < intervalMillis()) {
      tooYoung++;
      return false;
    }
    if (!options.isUnchecked() && ratio * shareOfItsOwn(table) <= options.threshold()) {
      overlapping++;
      return false;
    }
    return true;
  }

  /**
   * About which share of its partitions no other table can have, as far as keys lie evenly between
   * the first and the last; 0 where that says too little, and as long as a memtable has older data,
   * of whatever keys: what it shadows is known when that is flushed. Others whose data is all newer
   * do not count: no tombstone of this one shadows it, so that Cassandra's rule is met more often.
   */
  private double shareOfItsOwn(LiveTable table) {
    if (live.memtableMinTimestamp() <= table.maxTimestamp()) {
      return 0;
    }
    int other = nextOther(0, table);
    if (other < 0) {
      return 1;
    }
    return table.partitions() < LEAST_PARTITIONS ? 0 : 1 - coverage(table, other);
  }

  /** Index of the next other table, by first key, that this one may shadow; -1 if there is none. */
  private int nextOther(int from, LiveTable table) {
    ShadowIndex tables = shadowIndex;
    if (tables == null) {
      tables = new ShadowIndex(live.tables());
      shadowIndex = tables;
    }
    int index = tables.next(from, table);
    return index >= 0 && live.tables().get(index).descriptor().equals(table.descriptor())
        ? tables.next(index + 1, table)
        : index;
  }

  /**
   * @param index of the first that it may shadow
   */
  private double coverage(LiveTable table, int index) {
    double first = table.firstKey().token();
    double last = table.lastKey().token();
    if (first == last) {
      return 1;
    }
    double covered = 0;
    double end = first;
    for (int i = index; i >= 0 && end < last; i = nextOther(i + 1, table)) {
      LiveTable other = live.tables().get(i);
      double from = Math.max(end, (double) other.firstKey().token());
      double to = Math.min(last, (double) other.lastKey().token());
      if (to > from) {
        covered += to - from;
        end = to;
      }
    }
    return covered / (last - first);
  }

  /** Says which tables were not found worth it, and why. */
  void explain(CandidateSelection candidateSelection) {
    if (tooYoung > 0) {
      candidateSelection.remark(
          many(tooYoung)
              + ", but written less than tombstone_compaction_interval "
              + intervalMillis() / 1000
              + " s ago");
    }
    if (overlapping > 0) {
      candidateSelection.remark(
          many(overlapping)
              + ", but share their keys with older data of others or of memtables, and"
              + " unchecked_tombstone_compaction is false");
    }
    tooYoung = 0;
    overlapping = 0;
  }

  private String many(int tables) {
    return FigureText.count(tables)
        + " with more droppable tombstones than tombstone_threshold "
        + options.threshold();
  }
}
