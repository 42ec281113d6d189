package io.siltstone.tools.inspect;

import io.siltstone.tools.terminal.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Recommends a compaction strategy. Compaction that is turned off must be turned on first; many
 * SSTables per read call for levels; a time series that expires calls for time windows, whose
 * SSTables expire as a whole; levels without a benefit for reads cost writes.
 */
final class StrategyAdvice {
  /** Number of SSTables per read from which on more writes are worth having fewer. */
  static final double MANY_PER_READ = 4;

  /** A strategy must reduce SSTables per read to this share to be worth the rewriting. */
  static final double WORTH_PER_READ_SHARE = 0.7;

  /** Share of the data that waits to be merged from which on compaction has to catch up first. */
  static final double BEHIND = 0.3;

  /** Share of neighboring rows in the order of writing from which on a table is a time series. */
  static final double TIME_ORDER = 0.9;

  /** Share below which a table is not a time series, because windows would mix. */
  static final double NO_TIME_ORDER = 0.7;

  /** Share of cells that were overwritten or deleted from which on time windows do not suit. */
  static final double UPDATED = 0.1;

  /** Share below which there are practically no overwrites. */
  static final double HARDLY_UPDATED = 0.01;

  /**
   * Least number of windows in the time to live: fewer windows keep data for too long, more windows
   * mean more SSTables.
   */
  static final int LEAST_WINDOWS = 8;

  /** Greatest number of windows in the time to live; see {@link #LEAST_WINDOWS}. */
  static final int MOST_WINDOWS = 60;

  /** Number of windows to aim at; Cassandra's documentation says 20 to 30. */
  static final int WINDOWS = 24;

  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;
  private static final String STCS = "SizeTieredCompactionStrategy";
  private static final String LCS = "LeveledCompactionStrategy";
  private static final String TWCS = "TimeWindowCompactionStrategy";

  private final TableFacts facts;
  private final BiFunction<TableFacts, Map<String, String>, SimulatedCost> simulate;

  StrategyAdvice(
      TableFacts facts, BiFunction<TableFacts, Map<String, String>, SimulatedCost> simulate) {
    this.facts = facts;
    this.simulate = simulate;
  }

  /** Returns the recommendation to keep the strategy, or to change it. */
  Advice advice() {
    boolean isManyPerRead = facts.perRead() >= MANY_PER_READ;
    if (!facts.isCompacted()) {
      return isManyPerRead || facts.data().debtBytes() > 0
          ? turnOn()
          : Advice.keep(
              "strategy",
              "compaction-is-off",
              "compaction is turned off ('enabled': 'false'), and there is no backlog");
    }
    if (isManyPerRead && facts.data().debtBytes() >= BEHIND * facts.data().onDiskBytes()) {
      return new Advice(
          "strategy",
          "compaction-is-behind",
          false,
          "keep " + facts.strategy() + ", and let compaction catch up first",
          AdviceFormat.text(
              "%s of %s wait to be merged: %.1f SSTables per read are not due to the" + " strategy",
              Units.bytes(facts.data().debtBytes()),
              Units.bytes(facts.data().onDiskBytes()),
              facts.perRead()),
          List.of(),
          "",
          "siltstone compact");
    }
    boolean isTimeSeries =
        !facts.times().clustering().isEmpty()
            && facts.times().order() >= TIME_ORDER
            && facts.keys().shadowed() < UPDATED;
    if (isTimeSeries && facts.times().ttlSeconds() > 0) {
      return timeSeries();
    }
    if (facts.strategy().equals(TWCS)) {
      return windows();
    }
    TableTraffic traffic = facts.traffic();
    boolean isRarelyRead = traffic != null && traffic.hasRareReads();
    if (isManyPerRead && !facts.strategy().equals(LCS)) {
      return isRarelyRead
          ? Advice.keep(
              "strategy",
              "reads-are-rare",
              AdviceFormat.text(
                  "%.1f SSTables per read, but few reads: %s",
                  facts.perRead(), AdviceFormat.use(facts)))
          : levels();
    }
    if (facts.strategy().equals(LCS) && isRarelyRead) {
      return noLevels(
          "levels-for-few-reads",
          "levels rewrite data several times, for few reads: " + AdviceFormat.use(facts));
    }
    if (facts.strategy().equals(LCS)
        && facts.keys().shadowed() < HARDLY_UPDATED
        && facts.keys().tombstones() < HARDLY_UPDATED
        && facts.times().partitionSpan() < HARDLY_UPDATED
        && facts.keys().count() > 0) {
      return noLevels(
          "levels-for-nothing",
          "rows of a partition are written once and at one time, so that any strategy"
              + " finds a key in one SSTable; levels rewrite them several times without a"
              + " benefit");
    }
    return Advice.keep(
        "strategy",
        "strategy-suits",
        AdviceFormat.text(
            "%s suits: %.1f SSTables per read, %.0f %% of cells overwritten or deleted",
            facts.strategy(), facts.perRead(), 100 * facts.keys().shadowed()));
  }

  private Advice turnOn() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("class", facts.strategy());
    options.putAll(facts.schema().options().compaction());
    options.put(TableFacts.ENABLED, "true");
    return new Advice(
        "strategy",
        "compaction-is-off",
        true,
        "turn compaction on ('enabled': 'true'), and look again when it has caught up",
        AdviceFormat.text(
            "compaction is turned off ('enabled': 'false'): there are %d SSTables, %.1f"
                + " per read, %s of %s would be merged; that is not due to the strategy",
            facts.data().sstables(),
            facts.perRead(),
            Units.bytes(facts.data().debtBytes()),
            Units.bytes(facts.data().onDiskBytes())),
        List.of(),
        AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
        "");
  }

  private Advice timeSeries() {
    long window = window(facts.times().ttlSeconds());
    Map<String, String> options = windowOptions(window);
    if (!facts.strategy().equals(TWCS)) {
      return new Advice(
          "strategy",
          "time-series",
          true,
          TWCS + " with windows of " + Units.time(window),
          AdviceFormat.text(
              "rows are written in the order of %s (%.0f %% of neighbors), all expire"
                  + " within %s, and hardly any is overwritten: SSTables of a window expire as a"
                  + " whole, without being merged again",
              facts.times().clustering(),
              100 * facts.times().order(),
              Units.time(facts.times().ttlSeconds())),
          effects(options),
          AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
          "");
    }
    long present = presentWindow();
    long windows = facts.times().ttlSeconds() / Math.max(1, present);
    if (windows < LEAST_WINDOWS || windows > MOST_WINDOWS) {
      return new Advice(
          "strategy",
          "window-size",
          true,
          AdviceFormat.text("windows of %s instead of %s", Units.time(window), Units.time(present)),
          AdviceFormat.text(
              "%d windows fit in the time to live of %s, %d to %d suit: each is an"
                  + " SSTable or more, and is dropped when its last row has expired",
              windows, Units.time(facts.times().ttlSeconds()), LEAST_WINDOWS, MOST_WINDOWS),
          List.of(
              new Advice.Effect(
                  "windows", windows, (double) facts.times().ttlSeconds() / Math.max(1, window))),
          AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
          "");
    }
    return Advice.keep(
        "strategy",
        "time-series",
        AdviceFormat.text(
            "a time series in %d windows, each of which expires as a whole", windows));
  }

  /** Returns a whole number of hours or days, so that about {@link #WINDOWS} windows fit. */
  private static long window(long ttlSeconds) {
    long seconds = Math.max(60, ttlSeconds / WINDOWS);
    if (seconds >= DAY) {
      return seconds / DAY * DAY;
    }
    return seconds >= HOUR ? seconds / HOUR * HOUR : seconds / 60 * 60;
  }

  private static Map<String, String> windowOptions(long window) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("class", TWCS);
    boolean isDays = window % DAY == 0;
    boolean isHours = window % HOUR == 0;
    options.put("compaction_window_unit", isDays ? "DAYS" : isHours ? "HOURS" : "MINUTES");
    options.put(
        "compaction_window_size", Long.toString(window / (isDays ? DAY : isHours ? HOUR : 60)));
    return options;
  }

  private long presentWindow() {
    Map<String, String> options = facts.schema().options().compaction();
    long size = Long.parseLong(options.getOrDefault("compaction_window_size", "1"));
    String unit = options.getOrDefault("compaction_window_unit", "DAYS").toUpperCase(Locale.ROOT);
    return size * (unit.equals("DAYS") ? DAY : unit.equals("HOURS") ? HOUR : 60);
  }

  private Advice windows() {
    boolean isMixed =
        facts.keys().shadowed() >= UPDATED
            || (!Double.isNaN(facts.times().order()) && facts.times().order() < NO_TIME_ORDER);
    if (!isMixed) {
      return Advice.keep("strategy", "windows", "nothing argues against time windows");
    }
    Map<String, String> options = Map.of("class", STCS);
    return new Advice(
        "strategy",
        "no-time-series",
        true,
        STCS,
        AdviceFormat.text(
            "time windows suit rows that are written once, in the order of time: %.0f %%"
                + " of cells are overwritten or deleted, %s",
            100 * facts.keys().shadowed(),
            Double.isNaN(facts.times().order())
                ? "and no order of time is visible"
                : AdviceFormat.text("%.0f %% of neighbors in order", 100 * facts.times().order())),
        effects(options),
        AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
        "siltstone compact");
  }

  private Advice levels() {
    Map<String, String> options = Map.of("class", LCS);
    SimulatedCost now = simulate.apply(facts, facts.schema().options().compaction());
    SimulatedCost then = simulate.apply(facts, options);
    double expected = facts.perRead() * then.sstablesPerRead() / Math.max(1, now.sstablesPerRead());
    // With levels a read finds one SSTable in each of few levels, whatever the strategy before.
    expected = Math.min(expected, Math.max(1, then.sstablesPerRead()));
    if (expected > WORTH_PER_READ_SHARE * facts.perRead()) {
      return Advice.keep(
          "strategy",
          "levels-would-not-help",
          AdviceFormat.text(
              "%.1f SSTables per read, and a simulation finds hardly fewer with levels",
              facts.perRead()));
    }
    return new Advice(
        "strategy",
        "many-sstables-per-read",
        true,
        LCS,
        AdviceFormat.text(
            "%.1f SSTables have a key on average, %d at most: levels keep versions of a"
                + " key in few SSTables, at the cost of more writes, which pays off where reads"
                + " outnumber writes",
            facts.perRead(),
            Math.max(facts.keys().maxSSTablesPerRead(), (int) Math.ceil(facts.perRead()))),
        List.of(
            new Advice.Effect("sstables_per_read", facts.perRead(), expected),
            new Advice.Effect(
                "write_amplification", now.writeAmplification(), then.writeAmplification()),
            new Advice.Effect(
                "space_amplification", now.spaceAmplification(), then.spaceAmplification())),
        AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
        "siltstone relevel");
  }

  private Advice noLevels(String rule, String reason) {
    Map<String, String> options = Map.of("class", STCS);
    return new Advice(
        "strategy",
        rule,
        true,
        STCS,
        reason,
        effects(options),
        AdviceFormat.alter(facts, "compaction = " + AdviceFormat.map(options)),
        "");
  }

  private List<Advice.Effect> effects(Map<String, String> options) {
    SimulatedCost now = simulate.apply(facts, facts.schema().options().compaction());
    SimulatedCost then = simulate.apply(facts, options);
    return List.of(
        new Advice.Effect(
            "write_amplification", now.writeAmplification(), then.writeAmplification()),
        new Advice.Effect("sstables_per_read", now.sstablesPerRead(), then.sstablesPerRead()),
        new Advice.Effect(
            "space_amplification", now.spaceAmplification(), then.spaceAmplification()));
  }
}
