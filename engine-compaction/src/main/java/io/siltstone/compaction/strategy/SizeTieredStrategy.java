package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.Comparator;
import java.util.List;

/**
 * Size-tiered compaction, Cassandra's {@code SizeTieredCompactionStrategy}: merges SSTables of
 * similar size. The write amplification is low, but a partition may be in many SSTables.
 *
 * <p>Of several buckets the smallest comes first; see {@link Buckets#next}.
 */
final class SizeTieredStrategy implements StrategyRules {
  static final String NAME = "SizeTieredCompactionStrategy";

  /** A split major compaction does not halve a rest that is smaller than this. */
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
  public long merge(CandidateSelection selection) {
    long bytes = merge(selection, selection.free(), options, "");
    for (List<LiveTable> bucket : Buckets.of(selection.free(), options)) {
      selection.remark(
          FigureText.tables(bucket)
              + (bucket.size() == 1 ? " has no other of its size" : " are of one size")
              + ", min_threshold "
              + options.minThreshold());
    }
    return bytes;
  }

  /**
   * Takes all buckets that have enough SSTables.
   *
   * @param among free SSTables
   * @param where the beginning of the reason; empty or ending in a space
   * @return the bytes of all SSTables taken
   */
  static long merge(
      CandidateSelection selection,
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
      selection.take(
          new Job(
              next,
              0,
              Split.NONE,
              false,
              where + FigureText.tables(next) + ", min_threshold " + options.minThreshold()));
      left = left.stream().filter(selection::isFree).toList();
    }
  }

  /**
   * Groups SSTables by powers of four: merging four SSTables of one size leads to the next group.
   */
  @Override
  public TableGroup group(LiveTables live, LiveTable table) {
    long most = LEAST_GROUP_BYTES;
    while (most < table.onDiskBytes()) {
      most *= 4;
    }
    return new TableGroup(most, "up to " + FigureText.bytes(most));
  }

  @Override
  public void mergeAll(CandidateSelection selection, boolean isSplit) {
    List<LiveTable> all = selection.free();
    if (!all.isEmpty()) {
      selection.take(
          new Job(
              all,
              0,
              isSplit ? new Split.Halving(LEAST_SPLIT_BYTES) : Split.NONE,
              false,
              FigureText.tables(all) + ", on demand"));
    }
  }

  /** Rewrites the largest SSTable first, which frees the most space. */
  @Override
  public void rewrite(
      CandidateSelection selection,
      List<LiveTable> worth,
      TombstoneCandidates tombstoneCandidates) {
    worth.stream()
        .sorted(Comparator.comparingLong(LiveTable::onDiskBytes).reversed())
        .map(
            table ->
                new Job(List.of(table), 0, Split.NONE, false, tombstoneCandidates.reason(table)))
        .forEach(selection::take);
  }

  @Override
  public ExpiryOptions expiry() {
    return ExpiryOptions.DEFAULT;
  }

  /** Returns the name and the options. */
  @Override
  public String toString() {
    return NAME + " " + options;
  }
}
