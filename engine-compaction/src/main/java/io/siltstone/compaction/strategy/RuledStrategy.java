package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;

/**
 * What all strategies have in common: tables of one state of repair are looked at by themselves;
 * those that have expired are dropped first, then comes what the {@link Rules} merge, then single
 * tables are rewritten for their tombstones.
 */
final class RuledStrategy implements Strategy {
  private final Rules rules;
  private final PurgeOptions options;
  private final boolean isEnabled;

  RuledStrategy(Rules rules, PurgeOptions options, boolean isEnabled) {
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
      return new Plan(List.of(), List.of("nothing is done: enabled = false"), 0);
    }
    Purges purges = new Purges(options, live, now);
    List<Selection> selections = Selection.ofStates(live, now);
    List<Job> jobs = new ArrayList<>();
    for (Selection selection : selections) {
      dropExpired(selection, purges);
      jobs.addAll(selection.jobs());
    }
    long debtBytes = 0;
    for (Selection selection : selections) {
      int before = selection.jobs().size();
      debtBytes += rules.merge(selection);
      jobs.addAll(since(selection, before));
    }
    for (Selection selection : selections) {
      int before = selection.jobs().size();
      purge(selection, purges);
      jobs.addAll(since(selection, before));
    }
    List<String> remarks = new ArrayList<>(generalRemarks(live));
    selections.forEach(selection -> remarks.addAll(selection.remarks()));
    return new Plan(jobs, remarks, debtBytes);
  }

  private static List<Job> since(Selection selection, int before) {
    return selection.jobs().subList(before, selection.jobs().size());
  }

  private void dropExpired(Selection selection, Purges purges) {
    ExpiryOptions expiry = rules.expiry();
    List<LiveTable> expired = purges.expired(selection, expiry);
    if (!expired.isEmpty()) {
      selection.take(
          new Job(
              expired,
              0,
              Split.NONE,
              expiry.ignoresOverlaps(),
              Text.tables(expired)
                  + (expired.size() == 1 ? " has" : " have")
                  + " expired as a whole, gc_grace_seconds "
                  + options.gcGraceSeconds()
                  + (expiry.ignoresOverlaps()
                      ? "; unsafe_aggressive_sstable_expiration: what they shadow is not looked for"
                      : "; nothing elsewhere is shadowed by them")));
    }
  }

  private void purge(Selection selection, Purges purges) {
    if (!rules.purgesByDefault() && !options.isAskedFor()) {
      return;
    }
    List<LiveTable> worth = new ArrayList<>();
    for (LiveTable table : selection.tables()) {
      if (purges.ratio(table) > 0 && selection.isFree(table) && purges.isWorthIt(table)) {
        worth.add(table);
      }
    }
    if (!worth.isEmpty()) {
      rules.rewrite(selection, worth, purges);
    }
    purges.explain(selection);
  }

  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    return rules.group(live, table);
  }

  @Override
  public List<Job> major(LiveTables live, boolean isSplit, long now) {
    List<Job> jobs = new ArrayList<>();
    for (Selection selection : Selection.ofStates(live, now)) {
      rules.mergeAll(selection, isSplit);
      jobs.addAll(selection.jobs());
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
      remarks.add(Text.tables(claimed) + ": part of running jobs");
    }
    if (!damaged.isEmpty()) {
      remarks.add(
          Text.tables(damaged)
              + ": damaged or unreadable, left alone until scrubbed, or for a while");
    }
    if (!apart.isEmpty()) {
      remarks.add(
          Text.tables(apart) + ": part of a repair that has not ended, or of a transient replica");
    }
    return remarks;
  }

  @Override
  public String toString() {
    return rules.toString();
  }
}
