package io.siltstone.compaction.strategy;

import io.siltstone.compaction.strategy.UnifiedOptions.Inclusion;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Which of some tables overlap at one key: the fewest sets such that wherever tables overlap, one
 * set has them all, and no set has two that do not.
 *
 * <p>Sets are numbered in the order of their keys. A table is in all sets from one to another, so
 * that these two numbers say of each table which sets have it, and no set is ever made. Confined to
 * one plan. Source of the rules: Cassandra {@code utils.Overlaps}.
 */
final class OverlapSets {
  private static final Comparator<Member> BY_AGE =
      (one, other) -> Levels.BY_AGE.compare(one.table, other.table);

  /** A table and the sets that have it. */
  private static final class Member {
    final LiveTable table;
    int first;
    int last;

    Member(LiveTable table) {
      this.table = table;
    }

    PartitionKey lastKey() {
      return table.lastKey();
    }
  }

  /** Adjacent sets, perhaps with tables in common with those of other sections. */
  static final class Section {
    private final int from;
    private final int to;
    private final int overlap;
    private final List<Member> members = new ArrayList<>();

    private Section(int from, int to, int overlap) {
      this.from = from;
      this.to = to;
      this.overlap = overlap;
    }

    /** Tables of the largest set. */
    int overlap() {
      return overlap;
    }

    /** Whether it has a table in common with others. */
    boolean hasAnyOf(Set<LiveTable> others) {
      for (Member member : members) {
        if (others.contains(member.table)) {
          return true;
        }
      }
      return false;
    }

    /** The oldest first, as long as no more than {@code limit} of them overlap at one key. */
    List<LiveTable> oldest(int limit) {
      members.sort(BY_AGE);
      List<LiveTable> oldest = new ArrayList<>(members.size());
      int[] counts = new int[to - from];
      for (Member member : members) {
        if (limit < overlap && isAnyMore(counts, member, limit)) {
          break;
        }
        oldest.add(member.table);
      }
      return oldest;
    }

    /** Counts a table in the sets that have it. */
    private boolean isAnyMore(int[] counts, Member member, int limit) {
      boolean isMore = false;
      for (int set = Math.max(from, member.first); set < to && set <= member.last; set++) {
        isMore |= ++counts[set - from] > limit;
      }
      return isMore;
    }
  }

  // By first key, and so by the first of their sets.
  private final Member[] members;
  // How many tables each set has; there are no more sets than tables.
  private final int[] sizes;
  private int count;

  /**
   * Goes through tables by key: wherever one begins behind the end of others, these leave, and what
   * was there together until then is a set.
   *
   * @param tables by first key
   */
  OverlapSets(List<LiveTable> tables) {
    members = new Member[tables.size()];
    sizes = new int[members.length];
    Arrays.setAll(members, i -> new Member(tables.get(i)));
    Member[] byLastKey = members.clone();
    Arrays.sort(byLastKey, Comparator.comparing(Member::lastKey));
    int ended = 0;
    for (int begun = 0; begun < members.length; begun++) {
      PartitionKey key = members[begun].table.firstKey();
      if (byLastKey[ended].lastKey().compareTo(key) < 0) {
        sizes[count] = begun - ended;
        // Ends with a table that has begun by then: the one of the key does not end before it.
        while (byLastKey[ended].lastKey().compareTo(key) < 0) {
          byLastKey[ended++].last = count;
        }
        count++;
      }
      members[begun].first = count;
    }
    if (members.length > 0) {
      sizes[count] = members.length - ended;
      while (ended < members.length) {
        byLastKey[ended++].last = count;
      }
      count++;
    }
  }

  /** Tables of the largest set, 0 if there is none. */
  int most() {
    return most(0, count);
  }

  private int most(int from, int to) {
    int most = 0;
    for (int set = from; set < to; set++) {
      most = Math.max(most, sizes[set]);
    }
    return most;
  }

  /** The sets that are large enough, each with those beside it that have to do with it. */
  List<Section> sections(int threshold, Inclusion inclusion) {
    if (most() < threshold) {
      return List.of();
    }
    int[] first = new int[count];
    int[] last = new int[count];
    relate(inclusion, first, last);
    List<Section> sections = new ArrayList<>();
    int begin = 0;
    for (int set = 0; set < count; set++) {
      if (sizes[set] >= threshold) {
        int from = Math.max(begin, first[set]);
        int to = last[set] + 1;
        sections.add(new Section(from, to, most(from, to)));
        begin = to;
        set = to - 1;
      }
    }
    fill(sections);
    return sections;
  }

  /** Finds of each set the first and the last that it has to do with. */
  private void relate(Inclusion inclusion, int[] first, int[] last) {
    Arrays.setAll(first, set -> set);
    Arrays.setAll(last, set -> set);
    if (inclusion == Inclusion.NONE) {
      return;
    }
    for (Member member : members) {
      first[member.last] = Math.min(first[member.last], member.first);
      last[member.first] = Math.max(last[member.first], member.last);
    }
    // What reaches over a set is in it.
    for (int set = 1; set < count; set++) {
      first[count - 1 - set] = Math.min(first[count - 1 - set], first[count - set]);
      last[set] = Math.max(last[set], last[set - 1]);
    }
    if (inclusion == Inclusion.TRANSITIVE) {
      for (int set = 0; set < count; set++) {
        first[set] = first[first[set]];
        last[count - 1 - set] = last[last[count - 1 - set]];
      }
    }
  }

  /** Gives sections, which are in order, their tables. */
  private void fill(List<Section> sections) {
    int next = 0;
    for (Member member : members) {
      while (next < sections.size() && sections.get(next).to <= member.first) {
        next++;
      }
      for (int i = next; i < sections.size() && sections.get(i).from <= member.last; i++) {
        sections.get(i).members.add(member);
      }
    }
  }
}
