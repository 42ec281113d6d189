package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import io.siltstone.text.CountText;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Plans leveled compaction: picks the jobs of one table by the compaction score of its levels. A
 * level's score is the bytes of its free SSTables over its target size, {@code sstable_size_in_mb}
 * times {@code fanout_size} to the power of the level; a level with a score above 1 has SSTables to
 * move to the next level. Confined to one plan. Source of the order: Cassandra {@code
 * LeveledManifest.getCompactionCandidates}.
 *
 * <p>An example, with SSTables of 160 MiB and a fanout of 10:
 *
 * <pre>
 *   level 0     4 SSTables of 60 MiB, each over nearly all keys
 *   level 1    12 SSTables, 1900 of 1600 MiB      score 1.19
 *   level 2    90 SSTables, 14400 of 16000 MiB    score 0.9
 * </pre>
 *
 * <ul>
 *   <li>Level 2 has a score below 1: nothing moves to level 3. The highest level comes first, so
 *       that what moves is written as few times as possible.
 *   <li>Level 1 is above its target by 300 MiB, so two of its SSTables move. Each candidate has a
 *       cost: the bytes that it overlaps in level 2 for each byte of its own, which is the write
 *       amplification of moving it. One that overlaps no SSTable costs 0, one that overlaps eight
 *       of its size costs 8. The cheapest is merged with the SSTables that it overlaps into level
 *       2, then the next cheapest. The two jobs share no SSTable and may run at once.
 *   <li>The four SSTables of level 0 have more than the 160 MiB that an SSTable of level 1 needs.
 *       They would be merged with all of level 1; but two SSTables of it are now inputs of other
 *       jobs, so level 0 waits for these. With less than 160 MiB, the four would be merged with
 *       each other, and the result would stay in level 0.
 *   <li>If level 0 had more than 32 SSTables, each of which a read may have to ask, waiting would
 *       be worse than writing once more: free SSTables of similar size would first be merged within
 *       level 0, as by {@link SizeTieredStrategy}.
 * </ul>
 */
final class LeveledPlan {
  /** If level 0 has more SSTables than this, they are merged with each other by size. */
  private static final int MAX_LEVEL_0_TABLES = 32;

  // The score above which SSTables move to the next level: the sizes of SSTables are never exact.
  private static final double MAX_SCORE = 1.001;

  private final LeveledOptions options;
  private final CandidateSelection selection;
  private final Levels levels;
  private final int highestNeeded;

  // Level 0 in the order of age, before any job of this plan takes an SSTable.
  private final List<LiveTable> freeUnleveled;

  LeveledPlan(LeveledOptions options, CandidateSelection selection) {
    this.options = options;
    this.selection = selection;
    this.levels = new Levels(selection.tables(), selection::isFree);
    this.highestNeeded = options.levelFor(CandidateSelection.onDiskBytes(selection.tables()));
    this.freeUnleveled =
        levels.unleveled().stream().filter(selection::isFree).sorted(Levels.BY_AGE).toList();
  }

  /**
   * Adds the jobs and remarks.
   *
   * @return the approximate number of bytes to merge before no level has a score above 1
   */
  long make() {
    long debtBytes = debtBytes();
    boolean isLevel0Behind = levels.unleveled().size() > MAX_LEVEL_0_TABLES;
    boolean isAnyLevelFull = false;
    for (int level = Levels.COUNT - 2; level > 0; level--) {
      isAnyLevelFull |= needsCompaction(level);
    }
    if (isLevel0Behind && isAnyLevelFull) {
      mergeBySize();
    }
    for (int level = Levels.COUNT - 2; level > 0; level--) {
      compactLevel(level);
    }
    while (compactLevel0()) {
      // Each round takes one job; the last one finds only SSTables that overlap those of other
      // jobs.
    }
    if (isLevel0Behind) {
      mergeBySize();
    }
    remark();
    return debtBytes;
  }

  /**
   * Returns the compaction score of a level from 1 on: the bytes of its free SSTables over its
   * target size. Levels are planned from the highest down, so no job has taken an SSTable of this
   * level when its turn comes.
   */
  private double compactionScore(int level) {
    return (double) levels.get(level).freeBytes() / options.maxBytes(level);
  }

  private boolean needsCompaction(int level) {
    return compactionScore(level) > MAX_SCORE;
  }

  private boolean areFree(List<LiveTable> tables) {
    for (LiveTable table : tables) {
      if (!selection.isFree(table)) {
        return false;
      }
    }
    return true;
  }

  private void mergeBySize() {
    List<LiveTable> among = levels.unleveled().stream().filter(selection::isFree).toList();
    SizeTieredStrategy.merge(
        selection,
        among,
        options.sizeTiered(),
        "level 0 has "
            + CountText.of(levels.unleveled().size(), "SSTable")
            + ", more than "
            + MAX_LEVEL_0_TABLES
            + ": ");
  }

  /**
   * An SSTable of a level that may move, by its index, and the index range of the SSTables of the
   * next level that it overlaps.
   *
   * @param cost the bytes of the next level that are rewritten for each byte moved: the write
   *     amplification
   */
  private record Candidate(int index, int from, int to, double cost)
      implements Comparable<Candidate> {
    @Override
    public int compareTo(Candidate other) {
      int order = Double.compare(cost, other.cost);
      return order != 0 ? order : Integer.compare(index, other.index);
    }
  }

  /** Returns the free SSTables of a level with their costs. */
  private List<Candidate> candidates(List<LiveTable> tables, Level next) {
    List<Candidate> candidates = new ArrayList<>(tables.size());
    int from = 0;
    int to = 0;
    for (int i = 0; i < tables.size(); i++) {
      LiveTable table = tables.get(i);
      if (selection.isFree(table)) {
        from = next.endingBefore(table.firstKey(), from);
        to = next.beginningTo(table.lastKey(), to);
        double cost = (double) next.onDiskBytes(from, to) / table.onDiskBytes();
        candidates.add(new Candidate(i, from, to, cost));
      }
    }
    return candidates;
  }

  private void compactLevel(int level) {
    if (!needsCompaction(level)) {
      return;
    }
    long bytes = levels.get(level).freeBytes();
    long most = options.maxBytes(level);
    String allowed = FigureText.bytes(most) + " allowed: ";
    String reason = "level " + level + " has " + FigureText.bytes(bytes) + ", " + allowed;
    List<LiveTable> tables = levels.get(level).tables();
    Level next = levels.get(level + 1);
    // Few SSTables of a large level move at once: a heap finds them without sorting all.
    Queue<Candidate> candidates = new PriorityQueue<>(candidates(tables, next));
    long left = bytes;
    while (left > MAX_SCORE * most && !candidates.isEmpty()) {
      Candidate candidate = candidates.remove();
      LiveTable table = tables.get(candidate.index());
      List<LiveTable> below = next.tables().subList(candidate.from(), candidate.to());
      if (areFree(below)) {
        List<LiveTable> inputs = new ArrayList<>(below.size() + 1);
        inputs.add(table);
        inputs.addAll(below);
        take(
            inputs,
            level + 1,
            reason + FigureText.tables(List.of(table)) + overlapping(below, level + 1));
        left -= table.onDiskBytes();
      }
    }
    if (left > MAX_SCORE * most) {
      selection.remark(
          "level "
              + level
              + " still has "
              + FigureText.bytes(left)
              + ", "
              + allowed
              + "the SSTables that it overlaps in level "
              + (level + 1)
              + " are part of other jobs");
    }
  }

  private static String overlapping(List<LiveTable> below, int level) {
    return below.isEmpty()
        ? ", which overlap no SSTable of level " + level
        : " and the " + FigureText.tables(below) + " of level " + level + " that overlap";
  }

  private void take(List<LiveTable> inputs, int target, String reason) {
    List<LiveTable> all = withStarvedLevel(inputs, target);
    selection.take(
        new Job(
            all,
            target,
            new Split.BySize(options.sstableBytes()),
            false,
            all.size() == inputs.size()
                ? reason
                : reason + "; with 1 SSTable of a level higher than the data needs"));
  }

  /**
   * Returns the inputs, and also an SSTable of a level that should be empty if the job covers its
   * keys: it would otherwise starve there, as no other job reaches it.
   */
  private List<LiveTable> withStarvedLevel(List<LiveTable> inputs, int target) {
    int highest = levels.highest();
    if (highest <= target || highest <= highestNeeded) {
      return inputs;
    }
    PartitionKey first = Levels.firstKey(inputs);
    PartitionKey last = Levels.lastKey(inputs);
    for (LiveTable table : levels.get(highest).overlapping(first, last)) {
      if (selection.isFree(table)
          && first.compareTo(table.firstKey()) <= 0
          && last.compareTo(table.lastKey()) >= 0
          && isNothingBetween(table, target, highest)) {
        List<LiveTable> all = new ArrayList<>(inputs);
        all.add(table);
        return all;
      }
    }
    return inputs;
  }

  private boolean isNothingBetween(LiveTable table, int target, int highest) {
    for (int level = target + 1; level < highest; level++) {
      if (!levels.get(level).overlapping(table.firstKey(), table.lastKey()).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Merges the oldest SSTables of level 0, and all that overlap them in level 1, into level 1; or,
   * if they have too few bytes for an SSTable of level 1, into one SSTable of level 0.
   *
   * @return whether a job was added
   */
  private boolean compactLevel0() {
    List<LiveTable> busy = levels.unleveled().stream().filter(selection::isBusy).toList();
    List<LiveTable> chosen = chooseFromLevel0(busy);
    if (chosen.isEmpty()) {
      return false;
    }
    long bytes = CandidateSelection.onDiskBytes(chosen);
    if (bytes < options.sstableBytes()) {
      if (chosen.size() < 2) {
        return false;
      }
      selection.take(
          new Job(
              chosen,
              0,
              Split.NONE,
              false,
              FigureText.tables(chosen)
                  + " of level 0, together "
                  + FigureText.bytes(bytes)
                  + ", too little for an SSTable of level 1, sstable_size_in_mb "
                  + (options.sstableBytes() >> 20)));
      return true;
    }
    PartitionKey first = Levels.firstKey(chosen);
    PartitionKey last = Levels.lastKey(chosen);
    List<LiveTable> below = levels.get(1).overlapping(first, last);
    if (!areFree(below) || overlapsAny(first, last, busy)) {
      selection.remark(
          FigureText.tables(chosen)
              + " of level 0 wait: SSTables that they overlap are part of other jobs");
      return false;
    }
    if (chosen.size() + below.size() < 2) {
      return false;
    }
    List<LiveTable> inputs = new ArrayList<>(chosen);
    inputs.addAll(below);
    take(inputs, 1, FigureText.tables(chosen) + " of level 0" + overlapping(below, 1));
    return true;
  }

  /**
   * Chooses the oldest SSTables of level 0, as many as one job may merge. Only one job at a time
   * may cover a range of keys in level 0, and no SSTable is left that overlaps a chosen one and is
   * older.
   */
  private List<LiveTable> chooseFromLevel0(List<LiveTable> busy) {
    List<LiveTable> chosen = new ArrayList<>();
    List<LiveTable> left = new ArrayList<>();
    @Nullable PartitionKey first = busy.isEmpty() ? null : Levels.firstKey(busy);
    @Nullable PartitionKey last = busy.isEmpty() ? null : Levels.lastKey(busy);
    for (LiveTable table : freeUnleveled) {
      if (!selection.isFree(table)) {
        continue;
      }
      boolean overlapsBusy = first != null && last != null && overlapsSpan(table, first, last);
      if (overlapsBusy || left.stream().anyMatch(table::overlaps)) {
        left.add(table);
      } else {
        chosen.add(table);
        if (chosen.size() == options.sizeTiered().maxThreshold()) {
          break;
        }
      }
    }
    return chosen;
  }

  private static boolean overlapsSpan(LiveTable table, PartitionKey first, PartitionKey last) {
    return table.firstKey().compareTo(last) <= 0 && first.compareTo(table.lastKey()) <= 0;
  }

  private static boolean overlapsAny(
      PartitionKey first, PartitionKey last, List<LiveTable> tables) {
    return tables.stream().anyMatch(table -> overlapsSpan(table, first, last));
  }

  /**
   * Returns the approximate compaction debt. The bytes above a level's target move to the next
   * level, and are merged there with a share of it that is as large as the share of the level that
   * moves. The same holds for the next level with what has come down to it.
   */
  private long debtBytes() {
    long unleveled = CandidateSelection.onDiskBytes(freeUnleveled);
    int files = freeUnleveled.size();
    double debt = 0;
    double coming = 0;
    if (files > 1 && unleveled >= options.sstableBytes()) {
      int rounds = -Math.floorDiv(-files, options.sizeTiered().maxThreshold());
      debt += unleveled + (double) rounds * levels.get(1).onDiskBytes();
      coming = unleveled;
    } else if (files > 1) {
      debt += unleveled;
    }
    for (int level = 1; level < Levels.COUNT - 1; level++) {
      double bytes = levels.get(level).freeBytes() + coming;
      double most = MAX_SCORE * options.maxBytes(level);
      coming = Math.max(0, bytes - most);
      if (coming > 0) {
        double share = Math.min(1, coming / bytes);
        debt += coming + share * levels.get(level + 1).onDiskBytes();
      }
    }
    return (long) debt;
  }

  private void remark() {
    List<LiveTable> waiting = levels.unleveled().stream().filter(selection::isFree).toList();
    if (!waiting.isEmpty()) {
      selection.remark(
          "level 0: "
              + FigureText.tables(waiting)
              + (levels.unleveled().size() == 1 ? " waits for another" : " wait"));
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      Level there = levels.get(level);
      if (!there.isEmpty()) {
        selection.remark(
            "level "
                + level
                + ": "
                + FigureText.count(there.tables().size())
                + ", "
                + FigureText.bytes(there.onDiskBytes())
                + " of "
                + FigureText.bytes(options.maxBytes(level)));
      }
    }
  }
}
