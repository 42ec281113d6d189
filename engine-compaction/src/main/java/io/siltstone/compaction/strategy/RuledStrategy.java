package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules that all compaction strategies share. Repaired and unrepaired SSTables are planned
 * separately; fully expired SSTables are dropped first, then come the merges of the {@link
 * StrategyRules}, then single SSTables are rewritten for their tombstones (tombstone compaction).
 * Immutable, safe for all threads.
 */
final class RuledStrategy implements Strategy {
  private final StrategyRules rules;
  private final PurgeOptions options;
  private final boolean isEnabled;

  RuledStrategy(StrategyRules rules, PurgeOptions options, boolean isEnabled) {
    this.rules = rules;
    this.options = options;
    this.isEnabled = isEnabled;
  }

  @Override
  public String name() {
    return rules.name();
  }

  @Override
  public Plan plan(LiveTables live, long now) {
    if (!isEnabled) {
      return new Plan(List.of(), List.of("no job is planned: enabled = false"), 0);
    }
    TombstoneCandidates tombstoneCandidates = new TombstoneCandidates(options, live, now);
    List<CandidateSelection> selections = CandidateSelection.byRepairState(live, now);
    List<Job> jobs = new ArrayList<>();
    for (CandidateSelection selection : selections) {
      dropHidden(selection);
      dropExpired(selection, tombstoneCandidates);
      jobs.addAll(selection.jobs());
    }
    long debtBytes = 0;
    for (CandidateSelection selection : selections) {
      int before = selection.jobs().size();
      debtBytes += rules.merge(selection);
      jobs.addAll(since(selection, before));
    }
    for (CandidateSelection selection : selections) {
      int before = selection.jobs().size();
      purge(selection, tombstoneCandidates);
      jobs.addAll(since(selection, before));
    }
    List<String> remarks = new ArrayList<>(generalRemarks(live));
    selections.forEach(selection -> remarks.addAll(selection.remarks()));
    return new Plan(jobs, remarks, debtBytes);
  }

  private static List<Job> since(CandidateSelection selection, int before) {
    return selection.jobs().subList(before, selection.jobs().size());
  }

  /**
   * Drops the SSTables of which the retention floor hides all, and rewrites each of those of which
   * it hides all rows: what is left then has no rows, so that this is not repeated.
   */
  private static void dropHidden(CandidateSelection selection) {
    List<LiveTable> hidden =
        selection.free().stream().filter(table -> table.hidden() == LiveTable.Hidden.ALL).toList();
    if (!hidden.isEmpty()) {
      selection.take(
          new Job(
              hidden,
              0,
              Split.NONE,
              false,
              FigureText.tables(hidden)
                  + (hidden.size() == 1 ? " lies" : " lie")
                  + " below the retention floor"));
    }
    for (LiveTable table : selection.free()) {
      if (table.hidden() == LiveTable.Hidden.ROWS) {
        List<LiveTable> one = List.of(table);
        selection.take(
            new Job(
                one,
                table.level(),
                Split.NONE,
                false,
                "all rows of " + FigureText.tables(one) + " lie below the retention floor"));
      }
    }
  }

  private void dropExpired(CandidateSelection selection, TombstoneCandidates tombstoneCandidates) {
    ExpiryOptions expiry = rules.expiry();
    List<LiveTable> expired = tombstoneCandidates.expired(selection, expiry);
    if (!expired.isEmpty()) {
      selection.take(
          new Job(
              expired,
              0,
              Split.NONE,
              expiry.ignoresOverlaps(),
              FigureText.tables(expired)
                  + (expired.size() == 1 ? " has" : " have")
                  + " fully expired, gc_grace_seconds "
                  + options.gcGraceSeconds()
                  + (expiry.ignoresOverlaps()
                      ? "; no overlap check, unsafe_aggressive_sstable_expiration = true"
                      : "; they shadow no other data")));
    }
  }

  private void purge(CandidateSelection selection, TombstoneCandidates tombstoneCandidates) {
    if (!rules.purgesByDefault() && !options.isConfigured()) {
      return;
    }
    List<LiveTable> worth = new ArrayList<>();
    for (LiveTable table : selection.tables()) {
      if (tombstoneCandidates.ratio(table) > 0
          && selection.isFree(table)
          && tombstoneCandidates.isWorthIt(table)) {
        worth.add(table);
      }
    }
    if (!worth.isEmpty()) {
      rules.rewrite(selection, worth, tombstoneCandidates);
    }
    tombstoneCandidates.explain(selection);
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    return rules.group(live, table);
  }

  @Override
  public List<Job> major(LiveTables live, boolean isSplit, long now) {
    List<Job> jobs = new ArrayList<>();
    for (CandidateSelection selection : CandidateSelection.byRepairState(live, now)) {
      rules.mergeAll(selection, isSplit);
      jobs.addAll(selection.jobs());
    }
    return jobs;
  }

  private List<String> generalRemarks(LiveTables live) {
    List<String> remarks = new ArrayList<>();
    if (live.tables().isEmpty()) {
      remarks.add("there are no SSTables");
    }
    List<LiveTable> claimed = new ArrayList<>();
    List<LiveTable> damaged = new ArrayList<>();
    List<LiveTable> inRepair = new ArrayList<>();
    for (LiveTable table : live.tables()) {
      if (table.isClaimed()) {
        claimed.add(table);
      } else if (table.isDamaged()) {
        damaged.add(table);
      } else if (table.repair().isRepairSeparated()) {
        inRepair.add(table);
      }
    }
    if (!claimed.isEmpty()) {
      remarks.add(FigureText.tables(claimed) + ": part of running jobs");
    }
    if (!damaged.isEmpty()) {
      remarks.add(
          FigureText.tables(damaged)
              + ": damaged, left alone until scrubbed; or unreadable, left alone for a while");
    }
    if (!inRepair.isEmpty()) {
      remarks.add(
          FigureText.tables(inRepair)
              + ": part of a repair that has not ended, or of a transient replica");
    }
    return remarks;
  }

  @Override
  public String toString() {
    return rules.toString();
  }
}
