package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Assigns SSTables to the levels of leveled compaction. An SSTable that overlaps another of its
 * level, as one may that was imported, counts as one of level 0 until it is merged; of the two it
 * is the newer one. Cassandra changes the level in the file instead. Confined to one plan.
 *
 * <p>An SSTable that is damaged, and in no job, is on no level. It blocks no job; newer data may
 * move to a lower level than it has, and others of its level may come to overlap it. That is safe,
 * because reads compare timestamps, and the purge checks all live SSTables for overlaps.
 */
final class Levels {
  /** Level 0 and eight more, as in Cassandra. */
  static final int COUNT = 9;

  /** Orders SSTables by age, the oldest first, as far as their timestamps show it. */
  static final Comparator<LiveTable> BY_AGE =
      Comparator.comparingLong(LiveTable::maxTimestamp)
          .thenComparingLong(LiveTable::minTimestamp)
          .thenComparingLong(LiveTable::writtenAt)
          .thenComparing(table -> table.descriptor().id());

  private final List<LiveTable> unleveled = new ArrayList<>();
  private final Level[] levels = new Level[COUNT];
  private final Predicate<LiveTable> isFree;

  /**
   * Assigns SSTables to levels.
   *
   * @param tables SSTables in the order of their first keys
   * @param isFree whether a job may take an SSTable
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
    } else if (staysOnLevel(level.last(), table)) {
      unleveled.add(table);
    } else {
      unleveled.add(level.last());
      level.removeLast(isFree.test(level.last()));
      level.add(table, isFree.test(table));
    }
  }

  /** An SSTable that a job has stays where the job expects it. */
  private static boolean staysOnLevel(LiveTable one, LiveTable other) {
    return one.isClaimed() != other.isClaimed() ? one.isClaimed() : BY_AGE.compare(one, other) <= 0;
  }

  /** Returns level 0: SSTables that may overlap, in no order. */
  List<LiveTable> unleveled() {
    return Collections.unmodifiableList(unleveled);
  }

  /** Returns a level from 1 on. */
  Level get(int level) {
    return levels[level];
  }

  /** Returns whether an SSTable is on the level that its file states. */
  boolean isLeveled(LiveTable table) {
    return table.level() > 0
        && table.level() < COUNT
        && levels[table.level()].overlapping(table.firstKey(), table.firstKey()).stream()
            .anyMatch(there -> there.descriptor().equals(table.descriptor()));
  }

  /** Returns the highest level that is not empty; 0 if there is none. */
  int highest() {
    int highest = COUNT - 1;
    while (highest > 0 && levels[highest].isEmpty()) {
      highest--;
    }
    return highest;
  }

  /** Returns the least of the first keys of at least one SSTable. */
  static PartitionKey firstKey(List<LiveTable> tables) {
    PartitionKey least = tables.get(0).firstKey();
    for (LiveTable table : tables) {
      if (table.firstKey().compareTo(least) < 0) {
        least = table.firstKey();
      }
    }
    return least;
  }

  /** Returns the greatest of the last keys of at least one SSTable. */
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
