package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;

/**
 * What all strategies have in common: tables of one state of repair are looked at by themselves;
 * those that have expired are dropped first, then comes what the {@link StrategyRules} merge, then
 * single tables are rewritten for their tombstones.
 */
final class RuledStrategy implements Strategy {
  private final StrategyRules strategyRules;
  private final PurgeOptions options;
  private final boolean isEnabled;

  RuledStrategy(StrategyRules strategyRules, PurgeOptions options, boolean isEnabled) {
    this.strategyRules = strategyRules;
    this.options = options;
    this.isEnabled = isEnabled;
  }

  @Override
  public String name() {
    return strategyRules.name();
  }

  @Override
  public Plan plan(LiveTables live, long now) {
    if (!isEnabled) {
      return new Plan(List.of(), List.of("nothing is done: enabled = false"), 0);
    }
    TombstoneCandidates tombstoneCandidates = new TombstoneCandidates(options, live, now);
    List<CandidateSelection> selections = CandidateSelection.ofStates(live, now);
    List<Job> jobs = new ArrayList<>();
    for (CandidateSelection candidateSelection : selections) {
      dropExpired(candidateSelection, tombstoneCandidates);
      jobs.addAll(candidateSelection.jobs());
    }
    long debtBytes = 0;
    for (CandidateSelection candidateSelection : selections) {
      int before = candidateSelection.jobs().size();
      debtBytes += strategyRules.merge(candidateSelection);
      jobs.addAll(since(candidateSelection, before));
    }
    for (CandidateSelection candidateSelection : selections) {
      int before = candidateSelection.jobs().size();
      purge(candidateSelection, tombstoneCandidates);
      jobs.addAll(since(candidateSelection, before));
    }
    List<String> remarks = new ArrayList<>(generalRemarks(live));
    selections.forEach(candidateSelection -> remarks.addAll(candidateSelection.remarks()));
    return new Plan(jobs, remarks, debtBytes);
  }

  private static List<Job> since(CandidateSelection candidateSelection, int before) {
    return candidateSelection.jobs().subList(before, candidateSelection.jobs().size());
  }

  private void dropExpired(
      CandidateSelection candidateSelection, TombstoneCandidates tombstoneCandidates) {
    ExpiryOptions expiry = strategyRules.expiry();
    List<LiveTable> expired = tombstoneCandidates.expired(candidateSelection, expiry);
    if (!expired.isEmpty()) {
      candidateSelection.take(
          new Job(
              expired,
              0,
              Split.NONE,
              expiry.ignoresOverlaps(),
              FigureText.tables(expired)
                  + (expired.size() == 1 ? " has" : " have")
                  + " expired as a whole, gc_grace_seconds "
                  + options.gcGraceSeconds()
                  + (expiry.ignoresOverlaps()
                      ? "; unsafe_aggressive_sstable_expiration: what they shadow is not looked for"
                      : "; nothing elsewhere is shadowed by them")));
    }
  }

  private void purge(
      CandidateSelection candidateSelection, TombstoneCandidates tombstoneCandidates) {
    if (!strategyRules.purgesByDefault() && !options.isAskedFor()) {
      return;
    }
    List<LiveTable> worth = new ArrayList<>();
    for (LiveTable table : candidateSelection.tables()) {
      if (tombstoneCandidates.ratio(table) > 0
          && candidateSelection.isFree(table)
          && tombstoneCandidates.isWorthIt(table)) {
        worth.add(table);
      }
    }
    if (!worth.isEmpty()) {
      strategyRules.rewrite(candidateSelection, worth, tombstoneCandidates);
    }
    tombstoneCandidates.explain(candidateSelection);
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    return strategyRules.group(live, table);
  }

  @Override
  public List<Job> major(LiveTables live, boolean isSplit, long now) {
    List<Job> jobs = new ArrayList<>();
    for (CandidateSelection candidateSelection : CandidateSelection.ofStates(live, now)) {
      strategyRules.mergeAll(candidateSelection, isSplit);
      jobs.addAll(candidateSelection.jobs());
    }
    return jobs;
  }

  private List<String> generalRemarks(LiveTables live) {
    List<String> remarks = new ArrayList<>();
    if (live.tables().isEmpty()) {
      remarks.add("there are no tables");
    }
    List<LiveTable> claimed = new ArrayList<>();
    List<LiveTable> damaged = new ArrayList<>();
    List<LiveTable> apart = new ArrayList<>();
    for (LiveTable table : live.tables()) {
      if (table.isClaimed()) {
        claimed.add(table);
      } else if (table.isDamaged()) {
        damaged.add(table);
      } else if (table.repair().isSetApart()) {
        apart.add(table);
      }
    }
    if (!claimed.isEmpty()) {
      remarks.add(FigureText.tables(claimed) + ": part of running jobs");
    }
    if (!damaged.isEmpty()) {
      remarks.add(
          FigureText.tables(damaged)
              + ": damaged or unreadable, left alone until scrubbed, or for a while");
    }
    if (!apart.isEmpty()) {
      remarks.add(
          FigureText.tables(apart)
              + ": part of a repair that has not ended, or of a transient replica");
    }
    return remarks;
  }

  @Override
  public String toString() {
    return strategyRules.toString();
  }
}
