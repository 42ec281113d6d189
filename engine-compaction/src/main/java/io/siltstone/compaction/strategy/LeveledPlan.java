package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What is to be merged of the levels, in Cassandra's order: high levels that hold too much come
 * before low ones, so that what moves down is written least often; when level 0 has fallen behind,
 * it is merged by size within itself first. Confined to one plan.
 */
final class LeveledPlan {
  /** More tables than these in level 0 are too many to wait for a way down. */
  private static final int MOST_UNLEVELED = 32;

  // A level may hold a little more than it should: sizes are never exact.
  private static final double TOLERANCE = 1.001;

  private final LeveledOptions options;
  private final CandidateSelection candidateSelection;
  private final Levels levels;
  private final int highestNeeded;

  // By age, and before anything is taken.
  private final List<LiveTable> freeUnleveled;

  LeveledPlan(LeveledOptions options, CandidateSelection candidateSelection) {
    this.options = options;
    this.candidateSelection = candidateSelection;
    this.levels = new Levels(candidateSelection.tables(), candidateSelection::isFree);
    this.highestNeeded =
        options.levelFor(CandidateSelection.onDiskBytes(candidateSelection.tables()));
    this.freeUnleveled =
        levels.unleveled().stream()
            .filter(candidateSelection::isFree)
            .sorted(Levels.BY_AGE)
            .toList();
  }

  /** Returns about how many bytes are to be merged before there is nothing left to do. */
  long make() {
    long debtBytes = debtBytes();
    boolean isBehind = levels.unleveled().size() > MOST_UNLEVELED;
    boolean isAnyFull = false;
    for (int level = Levels.COUNT - 2; level > 0; level--) {
      isAnyFull |= isFull(level);
    }
    if (isBehind && isAnyFull) {
      mergeBySize();
    }
    for (int level = Levels.COUNT - 2; level > 0; level--) {
      moveDown(level);
    }
    while (moveUnleveled()) {
      // Until what is left overlaps what is taken.
    }
    if (isBehind) {
      mergeBySize();
    }
    remark();
    return debtBytes;
  }

  /** By then a level has lost none to the one above when its turn comes. */
  private boolean isFull(int level) {
    return levels.get(level).freeBytes() > TOLERANCE * options.maxBytes(level);
  }

  private boolean areFree(List<LiveTable> tables) {
    for (LiveTable table : tables) {
      if (!candidateSelection.isFree(table)) {
        return false;
      }
    }
    return true;
  }

  private void mergeBySize() {
    List<LiveTable> among = levels.unleveled().stream().filter(candidateSelection::isFree).toList();
    SizeTieredStrategy.merge(
        candidateSelection,
        among,
        options.sizeTiered(),
        "level 0 has " + levels.unleveled().size() + " tables, more than " + MOST_UNLEVELED + ": ");
  }

  /**
   * A table of a level by its index, and which of the next level it overlaps, also by index.
   *
   * @param cost bytes of these that are rewritten for each byte of its own
   */
  private record Candidate(int index, int from, int to, double cost)
      implements Comparable<Candidate> {
    @Override
    public int compareTo(Candidate other) {
      int order = Double.compare(cost, other.cost);
      return order != 0 ? order : Integer.compare(index, other.index);
    }
  }

  /** Those of a level that are free. */
  private List<Candidate> candidates(List<LiveTable> tables, Level next) {
    List<Candidate> candidates = new ArrayList<>(tables.size());
    int from = 0;
    int to = 0;
    for (int i = 0; i < tables.size(); i++) {
      LiveTable table = tables.get(i);
      if (candidateSelection.isFree(table)) {
        from = next.endingBefore(table.firstKey(), from);
        to = next.beginningTo(table.lastKey(), to);
        double cost = (double) next.onDiskBytes(from, to) / table.onDiskBytes();
        candidates.add(new Candidate(i, from, to, cost));
      }
    }
    return candidates;
  }

  private void moveDown(int level) {
    if (!isFull(level)) {
      return;
    }
    long bytes = levels.get(level).freeBytes();
    long most = options.maxBytes(level);
    String allowed = FigureText.bytes(most) + " allowed: ";
    String reason = "level " + level + " has " + FigureText.bytes(bytes) + ", " + allowed;
    List<LiveTable> tables = levels.get(level).tables();
    Level next = levels.get(level + 1);
    // Of a large level few move at once: these are found without sorting all of them.
    Queue<Candidate> candidates = new PriorityQueue<>(candidates(tables, next));
    long left = bytes;
    while (left > TOLERANCE * most && !candidates.isEmpty()) {
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
    if (left > TOLERANCE * most) {
      candidateSelection.remark(
          "level "
              + level
              + " still has "
              + FigureText.bytes(left)
              + ", "
              + allowed
              + "what it overlaps of level "
              + (level + 1)
              + " is part of other jobs");
    }
  }

  private static String overlapping(List<LiveTable> below, int level) {
    return below.isEmpty()
        ? ", nothing of level " + level + " overlaps"
        : " and the " + FigureText.tables(below) + " of level " + level + " that overlap";
  }

  private void take(List<LiveTable> inputs, int target, String reason) {
    List<LiveTable> all = withStarved(inputs, target);
    candidateSelection.take(
        new Job(
            all,
            target,
            new Split.BySize(options.sstableBytes()),
            false,
            all.size() == inputs.size()
                ? reason
                : reason + "; with 1 table of a level higher than the data needs"));
  }

  /** With a table of a level that should be empty, if the job covers one. */
  private List<LiveTable> withStarved(List<LiveTable> inputs, int target) {
    int highest = levels.highest();
    if (highest <= target || highest <= highestNeeded) {
      return inputs;
    }
    PartitionKey first = Levels.firstKey(inputs);
    PartitionKey last = Levels.lastKey(inputs);
    for (LiveTable table : levels.get(highest).overlapping(first, last)) {
      if (candidateSelection.isFree(table)
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
   * Merges the oldest of level 0, with all that overlaps them, into level 1; or, if they are too
   * few for a table there, into one of level 0.
   *
   * @return whether there was anything to take
   */
  private boolean moveUnleveled() {
    List<LiveTable> busy = levels.unleveled().stream().filter(candidateSelection::isBusy).toList();
    List<LiveTable> chosen = chooseUnleveled(busy);
    if (chosen.isEmpty()) {
      return false;
    }
    long bytes = CandidateSelection.onDiskBytes(chosen);
    if (bytes < options.sstableBytes()) {
      if (chosen.size() < 2) {
        return false;
      }
      candidateSelection.take(
          new Job(
              chosen,
              0,
              Split.NONE,
              false,
              FigureText.tables(chosen)
                  + " of level 0, together "
                  + FigureText.bytes(bytes)
                  + ", too little for a table of level 1, sstable_size_in_mb "
                  + (options.sstableBytes() >> 20)));
      return true;
    }
    PartitionKey first = Levels.firstKey(chosen);
    PartitionKey last = Levels.lastKey(chosen);
    List<LiveTable> below = levels.get(1).overlapping(first, last);
    if (!areFree(below) || overlapsAny(first, last, busy)) {
      candidateSelection.remark(
          FigureText.tables(chosen) + " of level 0: what they overlap is part of other jobs");
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
   * The oldest, as many as may be merged at once: no more than one job at a time has a place of
   * level 0, and none that is left behind is older than one that overlaps it and is chosen.
   */
  private List<LiveTable> chooseUnleveled(List<LiveTable> busy) {
    List<LiveTable> chosen = new ArrayList<>();
    List<LiveTable> left = new ArrayList<>();
    @Nullable PartitionKey first = busy.isEmpty() ? null : Levels.firstKey(busy);
    @Nullable PartitionKey last = busy.isEmpty() ? null : Levels.lastKey(busy);
    for (LiveTable table : freeUnleveled) {
      if (!candidateSelection.isFree(table)) {
        continue;
      }
      boolean isInTheWay = first != null && last != null && overlapsSpan(table, first, last);
      if (isInTheWay || left.stream().anyMatch(table::overlaps)) {
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
   * What is above a level's measure moves down, and takes as much of the next level with it as the
   * two are in proportion; so does what comes down to the next by that.
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
      double most = TOLERANCE * options.maxBytes(level);
      coming = Math.max(0, bytes - most);
      if (coming > 0) {
        double share = Math.min(1, coming / bytes);
        debt += coming + share * levels.get(level + 1).onDiskBytes();
      }
    }
    return (long) debt;
  }

  private void remark() {
    List<LiveTable> waiting =
        levels.unleveled().stream().filter(candidateSelection::isFree).toList();
    if (!waiting.isEmpty()) {
      candidateSelection.remark(
          "level 0: "
              + FigureText.tables(waiting)
              + (levels.unleveled().size() == 1 ? " waits for another" : " wait"));
    }
    for (int level = 1; level < Levels.COUNT; level++) {
      Level there = levels.get(level);
      if (!there.isEmpty()) {
        candidateSelection.remark(
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
