package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Tables by level, as leveled compaction may rely on them: a table that overlaps another of its
 * level, because it was brought from elsewhere, counts as one of level 0 until it is merged; of the
 * two it is the newer one. Cassandra changes the level in the file instead. Confined to one plan.
 *
 * <p>What is damaged, and in no job, is on no level: it is in nobody's way, though newer data than
 * its own moves below it by that, and others of its level may come to overlap it. Reads go by
 * timestamps, and a purge asks all live tables.
 */
final class Levels {
  /** Level 0 and eight more, as in Cassandra. */
  static final int COUNT = 9;

  /** The oldest first, as far as timestamps tell. */
  static final Comparator<LiveTable> BY_AGE =
      Comparator.comparingLong(LiveTable::maxTimestamp)
          .thenComparingLong(LiveTable::minTimestamp)
          .thenComparingLong(LiveTable::writtenAt)
          .thenComparing(table -> table.descriptor().id());

  private final List<LiveTable> unleveled = new ArrayList<>();
  private final Level[] levels = new Level[COUNT];
  private final Predicate<LiveTable> isFree;

  /**
   * Divides tables by their level.
   *
   * @param tables by first key
   * @param isFree which of them may be taken
   */
  Levels(List<LiveTable> tables, Predicate<LiveTable> isFree) {
    this.isFree = isFree;
    for (int i = 1; i < COUNT; i++) {
      levels[i] = new Level();
    }
    for (LiveTable table : tables) {
      if (table.isClaimed() || !table.isDamaged()) {
        place(table);
      }
    }
  }

  private void place(LiveTable table) {
    if (table.level() < 1 || table.level() >= COUNT) {
      unleveled.add(table);
      return;
    }
    Level level = levels[table.level()];
    if (level.isEmpty() || level.last().lastKey().compareTo(table.firstKey()) < 0) {
      level.add(table, isFree.test(table));
    } else if (goesFirst(level.last(), table)) {
      unleveled.add(table);
    } else {
      unleveled.add(level.last());
      level.removeLast(isFree.test(level.last()));
      level.add(table, isFree.test(table));
    }
  }

  /** What a job has stays where the job expects it. */
  private static boolean goesFirst(LiveTable one, LiveTable other) {
    return one.isClaimed() != other.isClaimed() ? one.isClaimed() : BY_AGE.compare(one, other) <= 0;
  }

  /** Level 0: tables that may overlap, in no order. */
  List<LiveTable> unleveled() {
    return Collections.unmodifiableList(unleveled);
  }

  /** One of the levels from 1 on. */
  Level get(int level) {
    return levels[level];
  }

  /** Whether a table is on the level that it says. */
  boolean isLeveled(LiveTable table) {
    return table.level() > 0
        && table.level() < COUNT
        && levels[table.level()].overlapping(table.firstKey(), table.firstKey()).stream()
            .anyMatch(there -> there.descriptor().equals(table.descriptor()));
  }

  /** The highest level that has tables. */
  int highest() {
    int highest = COUNT - 1;
    while (highest > 0 && levels[highest].isEmpty()) {
      highest--;
    }
    return highest;
  }

  /** Least of the first keys of one table or more. */
  static PartitionKey firstKey(List<LiveTable> tables) {
    PartitionKey least = tables.get(0).firstKey();
    for (LiveTable table : tables) {
      if (table.firstKey().compareTo(least) < 0) {
        least = table.firstKey();
      }
    }
    return least;
  }

  /** Greatest of the last keys of one table or more. */
  static PartitionKey lastKey(List<LiveTable> tables) {
    PartitionKey greatest = tables.get(0).lastKey();
    for (LiveTable table : tables) {
      if (table.lastKey().compareTo(greatest) > 0) {
        greatest = table.lastKey();
      }
    }
    return greatest;
  }
}
