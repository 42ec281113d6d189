package io.siltstone.compaction.strategy;

import java.util.stream.Stream;

/**
 * The options of tombstone compaction: when an SSTable is worth rewriting for its tombstones alone.
 * Names and defaults are those of Cassandra's {@code AbstractCompactionStrategy}.
 *
 * @param isConfigured whether any of these options is given and is not {@code false}
 * @param threshold the share of droppable cells above which an SSTable is rewritten
 * @param intervalMillis the least age of an SSTable that is rewritten: a younger one may be the
 *     result of a rewrite for the same estimate
 * @param isUnchecked whether SSTables are rewritten although others share their keys, which may
 *     keep the tombstones from being purged
 * @param onlyRepaired whether only tombstones of repaired SSTables are purged
 * @param gcGraceSeconds for how long a tombstone is kept at least ({@code gc_grace_seconds})
 */
record PurgeOptions(
    boolean isConfigured,
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

  /** The values of {@code provide_overlapping_tombstones}. */
  private enum OverlappingTombstones {
    NONE,
    ROW,
    CELL
  }

  static PurgeOptions of(OptionValues values, int gcGraceSeconds) {
    boolean isConfigured =
        Stream.of(THRESHOLD, INTERVAL, UNCHECKED).anyMatch(name -> isGiven(values, name));
    // Checked only: every merge reads this option itself.
    values.choiceOfAnyCase(OVERLAPPING, OverlappingTombstones.class, OverlappingTombstones.NONE);
    return new PurgeOptions(
        isConfigured,
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
