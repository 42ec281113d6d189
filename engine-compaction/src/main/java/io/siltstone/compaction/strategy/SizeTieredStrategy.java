package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.Comparator;
import java.util.List;

/**
 * Merges tables of similar size: few bytes are written for each that comes in, but a partition may
 * be in many tables. Source of the rules: Cassandra {@code SizeTieredCompactionStrategy}.
 *
 * <p>Of several buckets the smallest comes first; see {@link Buckets#next}.
 */
final class SizeTieredStrategy implements StrategyRules {
  static final String NAME = "SizeTieredCompactionStrategy";

  /** Below which the rest of a split major compaction is not divided any more. */
  static final long LEAST_SPLIT_BYTES = 50_000_000;

  private static final long LEAST_GROUP_BYTES = 1L << 20;

  private final SizeTieredOptions options;

  SizeTieredStrategy(SizeTieredOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long merge(CandidateSelection candidateSelection) {
    long bytes = merge(candidateSelection, candidateSelection.free(), options, "");
    for (List<LiveTable> bucket : Buckets.of(candidateSelection.free(), options)) {
      candidateSelection.remark(
          FigureText.tables(bucket)
              + (bucket.size() == 1 ? " has none of its size beside it" : " are of one size")
              + ", min_threshold "
              + options.minThreshold());
    }
    return bytes;
  }

  /**
   * Takes all buckets that have enough tables.
   *
   * @param among tables that are free
   * @param where for the reason; empty or ending in a space
   * @return bytes of all that is taken
   */
  static long merge(
      CandidateSelection candidateSelection,
      List<LiveTable> among,
      SizeTieredOptions options,
      String where) {
    List<LiveTable> left = among;
    long bytes = 0;
    while (true) {
      List<LiveTable> next = Buckets.next(left, options);
      if (next.isEmpty()) {
        return bytes;
      }
      bytes += CandidateSelection.onDiskBytes(next);
      candidateSelection.take(
          new Job(
              next,
              0,
              Split.NONE,
              false,
              where + FigureText.tables(next) + ", min_threshold " + options.minThreshold()));
      left = left.stream().filter(candidateSelection::isFree).toList();
    }
  }

  /** By powers of four, which is as far as four tables of one size take it. */
  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    long most = LEAST_GROUP_BYTES;
    while (most < table.onDiskBytes()) {
      most *= 4;
    }
    return new TableGroup(most, "up to " + FigureText.bytes(most));
  }

  @Override
  public void mergeAll(CandidateSelection candidateSelection, boolean isSplit) {
    List<LiveTable> all = candidateSelection.free();
    if (!all.isEmpty()) {
      candidateSelection.take(
          new Job(
              all,
              0,
              isSplit ? new Split.Halving(LEAST_SPLIT_BYTES) : Split.NONE,
              false,
              FigureText.tables(all) + ", on demand"));
    }
  }

  /** The largest first: it has the most to give back. */
  @Override
  public void rewrite(
      CandidateSelection candidateSelection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes).reversed())
        .map(
            table ->
                new Job(List.of(table), 0, Split.NONE, false, tombstoneCandidates.reason(table)))
        .forEach(candidateSelection::take);
  }

  @Override
  public ExpiryOptions expiry() {
    return ExpiryOptions.DEFAULT;
  }

  /** Its options. */
  @Override
  public String toString() {
    return NAME + " " + options;
  }
}
