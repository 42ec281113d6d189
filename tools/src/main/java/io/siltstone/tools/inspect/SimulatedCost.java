package io.siltstone.tools.inspect;

import io.siltstone.compaction.simulate.Measure;
import io.siltstone.compaction.simulate.Simulation;
import io.siltstone.compaction.simulate.Workload;
import io.siltstone.schema.TableSchema;
import java.util.Map;

/**
 * The result of simulating a strategy, as in {@code siltstone simulate}, on a table of the same
 * size with as many overwrites and deletions.
 *
 * @param sstablesPerRead SSTables that have a row of a partition
 * @param writeAmplification bytes written per byte that was inserted
 * @param spaceAmplification bytes on disk per byte of a live row
 */
record SimulatedCost(double sstablesPerRead, double writeAmplification, double spaceAmplification) {
  private static final long SEED = 1;
  private static final int MOST_FLUSHES = 2000;
  private static final int LEAST_FLUSHES = 32;
  private static final double MOST_OVERWRITES = 0.9;

  static SimulatedCost of(TableFacts facts, Map<String, String> compaction) {
    TableSchema schema =
        facts
            .schema()
            .withOptions(facts.schema().options().toBuilder().compaction(compaction).build());
    double overwrites = Math.min(MOST_OVERWRITES, facts.keys().shadowed());
    double deletes = Math.min(1 - overwrites, Math.min(0.5, facts.keys().tombstones()));
    long ingest = Math.max(1 << 20, (long) (facts.data().onDiskBytes() / (1 - overwrites)));
    long flush =
        Math.max(
            ingest / MOST_FLUSHES, Math.min(ingest / LEAST_FLUSHES, facts.data().flushBytes()));
    long row = Math.max(16, facts.data().onDiskBytes() / Math.max(1, facts.partitions().count()));
    long span = Math.max(1, facts.times().spanSeconds());
    Workload workload =
        new Workload(
            ingest,
            Math.min(row, Math.max(1, flush)),
            Math.max(1, flush),
            rate(ingest, span),
            overwrites,
            deletes,
            0,
            facts.times().ttlSeconds(),
            new Workload.Compaction(0, 1));
    Measure end = new Simulation(schema, workload, 1, SEED).run().atRest();
    return new SimulatedCost(
        end.reads().meanTables(), end.writeAmplification(), end.spaceAmplification());
  }

  /**
   * Returns the rate of inserts. Timestamps are chosen by users: they may span nothing, or ages.
   */
  private static long rate(long ingest, long span) {
    long least = Workload.leastBytesPerSecond(ingest);
    return Math.max(least, Math.min(Workload.MOST_BYTES_PER_SECOND, ingest / span));
  }
}
