package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the SSTables that are worth a job for their tombstones and expired cells: those that have
 * fully expired, and those that have many droppable tombstones. Confined to one plan. Source of the
 * rules: Cassandra {@code AbstractCompactionStrategy.worthDroppingTombstones}, {@code
 * CompactionController.getFullyExpiredSSTables}.
 */
final class TombstoneCandidates {
  // The token range of fewer partitions says little about how they are distributed.
  private static final long LEAST_PARTITIONS = 128;

  // A shorter interval is raised to this.
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
   * Returns the fully expired SSTables: all their data was deleted or has expired before {@link
   * #gcBefore}, and they can shadow no data of other SSTables or of memtables.
   *
   * <p>It is stricter than Cassandra in one point: expired SSTables that are not returned count as
   * others. The task that drops the SSTables checks the overlap with all that stay, and must agree.
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

  /** Returns the estimated share of cells that gc_grace_seconds allows to drop, 0 to 1. */
  double ratio(LiveTable table) {
    return table.droppableTombstoneRatio(gcBefore);
  }

  /** Returns the reason for rewriting an SSTable, with the figures. */
  String reason(LiveTable table) {
    return "1 SSTable of "
        + FigureText.bytes(table.onDiskBytes())
        + " has about "
        + FigureText.percent(ratio(table))
        + " droppable tombstones, tombstone_threshold "
        + options.threshold();
  }

  /**
   * Never 0: otherwise an SSTable of which nothing could be purged would be rewritten again and
   * again.
   */
  private long intervalMillis() {
    return Math.max(options.intervalMillis(), LEAST_INTERVAL_MILLIS);
  }

  /**
   * Returns whether to rewrite an SSTable for its tombstones alone, and counts the reason if not.
   */
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
    if (!options.isUnchecked() && ratio * uniqueShare(table) <= options.threshold()) {
      overlapping++;
      return false;
    }
    return true;
  }

  /**
   * Returns the estimated share of an SSTable's partitions that no other SSTable has, as if keys
   * were evenly distributed between the first and the last. It is 0 if there are too few partitions
   * for an estimate, and as long as a memtable has older data of any key, whose overlap is known
   * only after a flush. Others with only newer data do not count, as no tombstone of this SSTable
   * shadows them; Cassandra counts them, and rewrites less often.
   */
  private double uniqueShare(LiveTable table) {
    if (live.memtableMinTimestamp() <= table.maxTimestamp()) {
      return 0;
    }
    int other = nextOther(0, table);
    if (other < 0) {
      return 1;
    }
    return table.partitions() < LEAST_PARTITIONS ? 0 : 1 - coverage(table, other);
  }

  /**
   * Returns the index of the next other SSTable, by first key, that this one may shadow; -1 if
   * there is none.
   */
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
   * @param index the index of the first SSTable that this one may shadow
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

  /** Adds remarks about the SSTables that were not worth a rewrite, and why. */
  void explain(CandidateSelection selection) {
    if (tooYoung > 0) {
      selection.remark(
          many(tooYoung)
              + ", not rewritten: younger than tombstone_compaction_interval "
              + intervalMillis() / 1000
              + " s");
    }
    if (overlapping > 0) {
      selection.remark(
          many(overlapping)
              + ", not rewritten: older data of other SSTables or of memtables overlaps, and"
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
