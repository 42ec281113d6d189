package io.siltstone.compaction.strategy;

import java.util.stream.Stream;

/**
 * When a table is worth rewriting for its tombstones alone. Names and defaults are those of
 * Cassandra's {@code AbstractCompactionStrategy}.
 *
 * @param isAskedFor whether any option of tombstones is given and is not {@code false}
 * @param threshold share of cells that can be dropped above which a table is rewritten
 * @param intervalMillis age that a table has at least when it is rewritten: it is the same estimate
 *     that has led to it before
 * @param isUnchecked whether tables count that share their keys with others, which may keep the
 *     tombstones from being dropped
 * @param onlyRepaired whether only tombstones of repaired tables are dropped
 * @param gcGraceSeconds that a tombstone is kept at least
 */
record PurgeOptions(
    boolean isAskedFor,
    double threshold,
    long intervalMillis,
    boolean isUnchecked,
    boolean onlyRepaired,
    int gcGraceSeconds) {
  static final String THRESHOLD = "tombstone_threshold";
  static final String INTERVAL = "tombstone_compaction_interval";
  static final String UNCHECKED = "unchecked_tombstone_compaction";
  private static final String OVERLAPPING = "provide_overlapping_tombstones";
  static final double DEFAULT_THRESHOLD = 0.2;
  static final long DEFAULT_INTERVAL_SECONDS = 86_400;

  /** Values of {@code provide_overlapping_tombstones}. */
  private enum OverlappingTombstones {
    NONE,
    ROW,
    CELL
  }

  static PurgeOptions of(OptionValues values, int gcGraceSeconds) {
    boolean isAskedFor =
        Stream.of(THRESHOLD, INTERVAL, UNCHECKED).anyMatch(name -> isGiven(values, name));
    // Of no concern here, but to be right: every merge follows it.
    values.choiceOfAnyCase(OVERLAPPING, OverlappingTombstones.class, OverlappingTombstones.NONE);
    return new PurgeOptions(
        isAskedFor,
        values.real(THRESHOLD, DEFAULT_THRESHOLD, 0),
        values.secondsInMillis(INTERVAL, DEFAULT_INTERVAL_SECONDS, 0),
        values.flag(UNCHECKED, false),
        values.flag("only_purge_repaired_tombstones", false),
        gcGraceSeconds);
  }

  private static boolean isGiven(OptionValues values, String name) {
    return values.has(name) && !values.text(name, "").equals("false");
  }
}
