package io.siltstone.compaction.strategy;

import io.siltstone.compaction.strategy.UnifiedOptions.Inclusion;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Which tables overlap at one key. Source of the rules: Cassandra {@code utils.Overlaps}. */
final class OverlapSets {

  /**
   * Sets of tables that all overlap at some key, adjacent ones perhaps with tables in common.
   *
   * @param overlap tables of the largest set
   */
  record Section(List<Set<LiveTable>> sets, int overlap) {
    Section(List<Set<LiveTable>> sets) {
      this(sets, sets.stream().mapToInt(Set::size).max().orElse(0));
    }

    /** Whether it has a table in common with others. */
    boolean hasAnyOf(Set<LiveTable> others) {
      return !others.isEmpty() && sets.stream().anyMatch(set -> intersect(set, others));
    }

    /** All of them once, the oldest first. */
    List<LiveTable> tables() {
      Set<LiveTable> all = newSet(List.of());
      sets.forEach(all::addAll);
      return all.stream().sorted(Levels.BY_AGE).toList();
    }

    /** The oldest, as long as no more than {@code limit} of them overlap at one key. */
    List<LiveTable> oldest(int limit) {
      List<LiveTable> all = tables();
      int[] counts = new int[sets.size()];
      for (int i = 0; i < all.size(); i++) {
        for (int j = 0; j < counts.length; j++) {
          if (sets.get(j).contains(all.get(i)) && ++counts[j] > limit) {
            return all.subList(0, i);
          }
        }
      }
      return all;
    }
  }

  private OverlapSets() {}

  /**
   * The fewest sets such that wherever tables overlap, one set has them all, and no set has two
   * that do not.
   *
   * @param tables by first key
   */
  static List<Set<LiveTable>> of(List<LiveTable> tables) {
    List<Set<LiveTable>> sets = new ArrayList<>();
    PriorityQueue<LiveTable> active = new PriorityQueue<>(Comparator.comparing(LiveTable::lastKey));
    for (LiveTable table : tables) {
      if (!active.isEmpty() && isBehind(table, active.element())) {
        sets.add(newSet(active));
        do {
          active.remove();
        } while (!active.isEmpty() && isBehind(table, active.element()));
      }
      active.add(table);
    }
    if (!active.isEmpty()) {
      sets.add(newSet(active));
    }
    return sets;
  }

  private static boolean isBehind(LiveTable table, LiveTable other) {
    return table.firstKey().compareTo(other.lastKey()) > 0;
  }

  /** The sets that are large enough, each with those beside it that have to do with it. */
  static List<Section> sections(List<Set<LiveTable>> sets, int threshold, Inclusion inclusion) {
    List<Section> sections = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < sets.size(); i++) {
      if (sets.get(i).size() < threshold) {
        continue;
      }
      int from = i;
      int to = i + 1;
      if (inclusion != Inclusion.NONE) {
        Set<LiveTable> all = newSet(sets.get(i));
        Set<LiveTable> related = inclusion == Inclusion.TRANSITIVE ? all : sets.get(i);
        while (from > begin && intersect(sets.get(from - 1), related)) {
          all.addAll(sets.get(--from));
        }
        while (to < sets.size() && intersect(sets.get(to), related)) {
          all.addAll(sets.get(to++));
        }
      }
      sections.add(new Section(sets.subList(from, to)));
      begin = to;
      i = to - 1;
    }
    return sections;
  }

  private static boolean intersect(Set<LiveTable> one, Set<LiveTable> other) {
    return one.stream().anyMatch(other::contains);
  }

  private static Set<LiveTable> newSet(Collection<LiveTable> tables) {
    Set<LiveTable> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.addAll(tables);
    return set;
  }
}
