package io.siltstone.spi;

import io.siltstone.cursor.PartitionRange;
import io.siltstone.sstable.format.Descriptor;
import java.util.Set;

/**
 * What is asked of a compactor beyond what its strategy does by itself.
 *
 * @param operation what to do
 * @param tables with these SSTables alone; empty for all
 * @param range with SSTables that have partitions of this range alone
 * @param isSplit whether a major compaction leaves tables of halving sizes rather than one
 * @param outputBytes about how large the data files may be that {@link Operation#SPLIT} leaves
 * @param isDryRun whether only to report what would be done
 */
public record CompactionRequest(
    Operation operation,
    Set<Descriptor> tables,
    PartitionRange range,
    boolean isSplit,
    long outputBytes,
    boolean isDryRun) {

  /** Of {@link #outputBytes}, unless another is given: 50 MiB. */
  public static final long DEFAULT_OUTPUT_BYTES = 50L << 20;

  /** Kinds of work. */
  public enum Operation {
    /** Merges all that may be merged. */
    MAJOR,
    /** Merges the given SSTables into one. */
    USER_DEFINED,
    /** Rewrites those whose compression is not the table's. */
    RECOMPRESS,
    /** Rewrites those of another format version than is written now. */
    UPGRADE,
    /** Rewrites what can be read of each, and reports what cannot. */
    SCRUB,
    /** Divides each into several. */
    SPLIT,
    /** Rewrites each without what others have deleted. */
    GARBAGE_COLLECT,
    /** Gives levels anew, so that no two of one level overlap. */
    RELEVEL
  }

  /** Copies the set. */
  public CompactionRequest {
    tables = Set.copyOf(tables);
    if (outputBytes < 1) {
      throw new IllegalArgumentException("outputBytes = " + outputBytes + ", allowed from 1");
    }
  }

  /** On all SSTables. */
  public static CompactionRequest of(Operation operation) {
    return new CompactionRequest(
        operation, Set.of(), PartitionRange.ALL, false, DEFAULT_OUTPUT_BYTES, false);
  }

  /** On these SSTables alone. */
  public CompactionRequest withTables(Set<Descriptor> only) {
    return new CompactionRequest(operation, only, range, isSplit, outputBytes, isDryRun);
  }

  /** On SSTables with partitions of this range alone. */
  public CompactionRequest withRange(PartitionRange only) {
    return new CompactionRequest(operation, tables, only, isSplit, outputBytes, isDryRun);
  }

  /** Leaving several tables of halving sizes. */
  public CompactionRequest split() {
    return new CompactionRequest(operation, tables, range, true, outputBytes, isDryRun);
  }

  /** Leaving data files of about that size, if they are split. */
  public CompactionRequest withOutputBytes(long bytes) {
    return new CompactionRequest(operation, tables, range, isSplit, bytes, isDryRun);
  }

  /** Only reporting what would be done. */
  public CompactionRequest dryRun() {
    return new CompactionRequest(operation, tables, range, isSplit, outputBytes, true);
  }
}
