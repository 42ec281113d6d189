package io.siltstone.tools.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Applies the rules for advice, each of which gives its reason. A small gain is not worth a
 * recommendation. If it is known how the table is used, nothing is recommended that only serves
 * rare reads, or reads that find their chunks in the cache.
 */
final class AdviceRules {
  /** Share of cells that could be purged from which on a compaction is worth it for that alone. */
  static final double DROPPABLE = 0.2;

  private AdviceRules() {}

  /**
   * Returns advice on each subject.
   *
   * @param simulate computes the effect of a strategy on the table
   */
  static List<Advice> apply(
      TableFacts facts, BiFunction<TableFacts, Map<String, String>, SimulatedCost> simulate) {
    List<Advice> all = new ArrayList<>();
    all.add(new ChunkLengthAdvice(facts).advice());
    all.add(new StrategyAdvice(facts, simulate).advice());
    if (facts.droppable() >= DROPPABLE) {
      all.add(droppable(facts));
    }
    return all;
  }

  private static Advice droppable(TableFacts facts) {
    return new Advice(
        "tombstones",
        "droppable-tombstones",
        true,
        "compact what could be purged",
        AdviceFormat.text(
            "%.0f %% of all cells have been deleted or expired for more than gc_grace_seconds and"
                + " are still there",
            100 * facts.droppable()),
        List.of(
            new Advice.Effect(
                "on_disk_bytes",
                facts.data().onDiskBytes(),
                facts.data().onDiskBytes() * (1 - facts.droppable()))),
        "",
        "siltstone garbagecollect");
  }
}
