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
 * Finds the overlap sets of SSTables: the fewest sets such that all SSTables that overlap at a key
 * are in one set, and no set has two that do not overlap. Source of the rules: Cassandra {@code
 * utils.Overlaps}.
 *
 * <p>Sets are numbered in the order of their keys. An SSTable is in all sets from a first to a last
 * one; these two numbers represent the sets, which are never built. Confined to one plan.
 */
final class OverlapSets {
  private static final Comparator<Member> BY_AGE =
      (one, other) -> Levels.BY_AGE.compare(one.table, other.table);

  /** An SSTable and the first and last set that contain it. */
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

  /** Adjacent sets, which may share SSTables with those of other sections. */
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

    /** Returns the number of SSTables in the largest set. */
    int overlap() {
      return overlap;
    }

    /** Returns whether the section has an SSTable in common with others. */
    boolean hasAnyOf(Set<LiveTable> others) {
      for (Member member : members) {
        if (others.contains(member.table)) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns the oldest SSTables, as many as leave at most {@code limit} of them overlapping at
     * one key.
     */
    List<LiveTable> oldest(int limit) {
      members.sort(BY_AGE);
      List<LiveTable> oldest = new ArrayList<>(members.size());
      int[] counts = new int[to - from];
      for (Member member : members) {
        if (limit < overlap && exceedsLimit(counts, member, limit)) {
          break;
        }
        oldest.add(member.table);
      }
      return oldest;
    }

    /** Counts an SSTable in its sets, and returns whether one of them has more than the limit. */
    private boolean exceedsLimit(int[] counts, Member member, int limit) {
      boolean isMore = false;
      for (int set = Math.max(from, member.first); set < to && set <= member.last; set++) {
        isMore |= ++counts[set - from] > limit;
      }
      return isMore;
    }
  }

  // In the order of first keys, and so of their first sets.
  private final Member[] members;
  // The number of SSTables of each set; there are no more sets than SSTables.
  private final int[] sizes;
  private int count;

  /**
   * Sweeps over the SSTables by key. Wherever one begins after the end of others, those that
   * overlapped until then are a set, and those that ended leave it.
   *
   * @param tables SSTables in the order of their first keys
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
        // The loop ends at an SSTable that has begun: the one that begins at this key does not end
        // before it.
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

  /** Returns the number of SSTables in the largest set; 0 if there is none. */
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

  /**
   * Returns the sets that have at least {@code threshold} SSTables, each with the adjacent sets
   * that the inclusion rule adds.
   */
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

  /** Finds for each set the first and the last set that the inclusion rule adds to it. */
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
    // An SSTable that spans a set is also in it.
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

  /** Adds the SSTables to the sections, which are in order. */
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
