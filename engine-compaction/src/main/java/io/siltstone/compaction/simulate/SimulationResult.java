package io.siltstone.compaction.simulate;

import java.util.List;

/**
 * What became of a table that was made up.
 *
 * @param strategy its simple class name
 * @param measures over time, the last when all had come in
 * @param atRest when nothing was left to do after that
 * @param maxTables there ever were
 * @param maxOnDiskBytes there ever were, with as much for what each job writes as it reads
 * @param maxDebtBytes there ever were
 */
public record SimulationResult(
    String strategy,
    List<Measure> measures,
    Measure atRest,
    int maxTables,
    long maxOnDiskBytes,
    long maxDebtBytes) {
  /** Copies the list. */
  public SimulationResult {
    measures = List.copyOf(measures);
  }

  /** When all had come in. */
  public Measure end() {
    return measures.get(measures.size() - 1);
  }
}
