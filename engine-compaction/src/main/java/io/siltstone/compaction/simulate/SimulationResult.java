package io.siltstone.compaction.simulate;

import java.util.List;

/**
 * The result of a simulation.
 *
 * @param strategy the simple name of the strategy's class in Cassandra
 * @param measures measurements over time, the last one when all was ingested
 * @param atRest the measurement after that when no job was left
 * @param maxTables the greatest number of SSTables at any time
 * @param maxOnDiskBytes the most bytes on disk at any time, where a job counts as writing as much
 *     as it reads
 * @param maxDebtBytes the greatest compaction debt at any time
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

  /** Returns the measurement when all was ingested. */
  public Measure end() {
    return measures.get(measures.size() - 1);
  }
}
