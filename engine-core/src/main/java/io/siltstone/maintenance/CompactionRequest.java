package io.siltstone.maintenance;

import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.format.Descriptor;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A request for compaction by an operator or a program, in addition to the jobs of the strategy.
 * Immutable. Begin with {@link #of} and one of the operations of {@link Operation}:
 *
 * <pre>{@code
 * table.compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR));
 * }</pre>
 *
 * @param operation what to do
 * @param tables the SSTables to do it with; empty for all of the table
 * @param range only SSTables that have partitions in this range are used
 * @param isSplit whether {@link Operation#MAJOR} leaves several SSTables, each half the size of the
 *     one before, rather than one
 * @param outputBytes the approximate maximum size of the data files that {@link Operation#SPLIT}
 *     leaves, at least 1
 * @param splitTokens tokens at which {@link Operation#SPLIT} divides instead, in ascending order:
 *     no SSTable that it leaves has partitions both up to one of them and after it; empty to divide
 *     by size
 * @param dropsCells whether {@link Operation#GARBAGE_COLLECT} also drops single cells that other
 *     SSTables delete or overwrite, for which all of theirs are read, rather than only what their
 *     deletions of partitions, ranges and rows cover; Cassandra's granularity {@code CELL}
 * @param isDryRun whether jobs are only reported, not run
 */
public record CompactionRequest(
    Operation operation,
    Set<Descriptor> tables,
    PartitionRange range,
    boolean isSplit,
    long outputBytes,
    List<Long> splitTokens,
    boolean dropsCells,
    boolean isDryRun) {

  /** The default of {@link #outputBytes}: 50 MiB. */
  public static final long DEFAULT_OUTPUT_BYTES = 50L << 20;

  /** The kinds of work. */
  public enum Operation {
    /** Merges all SSTables that may be merged with each other. */
    MAJOR,
    /** Merges the given SSTables into one. */
    USER_DEFINED,
    /** Rewrites the SSTables whose compression differs from the table's option. */
    RECOMPRESS,
    /** Rewrites the SSTables whose format version differs from the one that is written now. */
    UPGRADE,
    /** Rewrites the readable data of each SSTable, and reports the rest (scrub). */
    SCRUB,
    /** Divides each SSTable into several. */
    SPLIT,
    /** Rewrites each SSTable without what other SSTables delete or overwrite. */
    GARBAGE_COLLECT,
    /** Assigns SSTables to levels anew, so that those of one level do not overlap. */
    RELEVEL,
    /**
     * Trains a compression dictionary from sampled chunks of the SSTables, for those that are
     * written from now on. It is used if files get at least 5 % smaller with it; the remark of the
     * report has the figures. Rewrites nothing; {@link #RECOMPRESS} does afterwards.
     */
    TRAIN_DICTIONARY
  }

  /** Copies the set, and the tokens in their order. */
  public CompactionRequest {
    tables = Set.copyOf(tables);
    splitTokens = splitTokens.stream().sorted().distinct().toList();
    if (outputBytes < 1) {
      throw new IllegalArgumentException("outputBytes = " + outputBytes + ", allowed 1 or more");
    }
  }

  /** Returns a request for all SSTables of a table. */
  public static CompactionRequest of(Operation operation) {
    return new CompactionRequest(
        operation,
        Set.of(),
        PartitionRange.ALL,
        false,
        DEFAULT_OUTPUT_BYTES,
        List.of(),
        false,
        false);
  }

  /** Returns the same request for these SSTables only. */
  public CompactionRequest withTables(Set<Descriptor> only) {
    return new CompactionRequest(
        operation, only, range, isSplit, outputBytes, splitTokens, dropsCells, isDryRun);
  }

  /** Returns the same request for SSTables that have partitions in this range only. */
  public CompactionRequest withRange(PartitionRange only) {
    return new CompactionRequest(
        operation, tables, only, isSplit, outputBytes, splitTokens, dropsCells, isDryRun);
  }

  /** Returns the same request, leaving several SSTables of halving sizes; see {@link #isSplit}. */
  public CompactionRequest split() {
    return new CompactionRequest(
        operation, tables, range, true, outputBytes, splitTokens, dropsCells, isDryRun);
  }

  /**
   * Returns the same request with another size of the data files that {@link Operation#SPLIT}
   * leaves.
   */
  public CompactionRequest withOutputBytes(long bytes) {
    return new CompactionRequest(
        operation, tables, range, isSplit, bytes, splitTokens, dropsCells, isDryRun);
  }

  /**
   * Returns the same request, for which {@link Operation#SPLIT} divides at tokens rather than by
   * size: at the bounds of the ranges that the nodes of a cluster own, for example, as a node
   * imports only files whose partitions are all its own.
   *
   * @param tokens in any order; each is the last token of a range, as in Cassandra's rings
   */
  public CompactionRequest withSplitTokens(Collection<Long> tokens) {
    return new CompactionRequest(
        operation, tables, range, isSplit, outputBytes, List.copyOf(tokens), dropsCells, isDryRun);
  }

  /** Returns the same request, also for single cells; see {@link #dropsCells}. */
  public CompactionRequest droppingCells() {
    return new CompactionRequest(
        operation, tables, range, isSplit, outputBytes, splitTokens, true, isDryRun);
  }

  /** Returns the same request as a dry run, which only reports the jobs. */
  public CompactionRequest dryRun() {
    return new CompactionRequest(
        operation, tables, range, isSplit, outputBytes, splitTokens, dropsCells, true);
  }
}
