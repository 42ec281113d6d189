package io.siltstone.jmx;

import io.siltstone.maintenance.PastCompaction;
import java.util.List;
import javax.management.ConstructorParameters;

/** A compaction that was done. Immutable. */
public final class CompactionEntry {
  private final String id;
  private final String keyspace;
  private final String table;
  private final String operation;
  private final long compactedAtMillis;
  private final long durationMillis;
  private final int sstablesIn;
  private final int sstablesOut;
  private final long bytesIn;
  private final long bytesOut;
  private final long partitionsOut;
  private final long rowsOut;
  private final List<Long> partitionsMerged;

  /** Of these values; see the getters. */
  @ConstructorParameters({
    "id",
    "keyspace",
    "table",
    "operation",
    "compactedAtMillis",
    "durationMillis",
    "sstablesIn",
    "sstablesOut",
    "bytesIn",
    "bytesOut",
    "partitionsOut",
    "rowsOut",
    "partitionsMerged"
  })
  public CompactionEntry(
      String id,
      String keyspace,
      String table,
      String operation,
      long compactedAtMillis,
      long durationMillis,
      int sstablesIn,
      int sstablesOut,
      long bytesIn,
      long bytesOut,
      long partitionsOut,
      long rowsOut,
      List<Long> partitionsMerged) {
    this.id = id;
    this.keyspace = keyspace;
    this.table = table;
    this.operation = operation;
    this.compactedAtMillis = compactedAtMillis;
    this.durationMillis = durationMillis;
    this.sstablesIn = sstablesIn;
    this.sstablesOut = sstablesOut;
    this.bytesIn = bytesIn;
    this.bytesOut = bytesOut;
    this.partitionsOut = partitionsOut;
    this.rowsOut = rowsOut;
    this.partitionsMerged = List.copyOf(partitionsMerged);
  }

  static CompactionEntry of(PastCompaction compaction) {
    return new CompactionEntry(
        compaction.id().toString(),
        compaction.keyspace(),
        compaction.table(),
        compaction.operation(),
        compaction.compactedAt().toEpochMilli(),
        compaction.duration().toMillis(),
        compaction.sstablesIn(),
        compaction.sstablesOut(),
        compaction.bytesIn(),
        compaction.bytesOut(),
        compaction.partitionsOut(),
        compaction.rowsOut(),
        compaction.partitionsMerged());
  }

  /** Identified the job. */
  public String getId() {
    return id;
  }

  /** Of its table. */
  public String getKeyspace() {
    return keyspace;
  }

  /** Name of its table. */
  public String getTable() {
    return table;
  }

  /** What was asked for, or the strategy's name. */
  public String getOperation() {
    return operation;
  }

  /** When it ended, in milliseconds since 1970. */
  public long getCompactedAtMillis() {
    return compactedAtMillis;
  }

  /** Milliseconds that it took. */
  public long getDurationMillis() {
    return durationMillis;
  }

  /** SSTables that it merged. */
  public int getSstablesIn() {
    return sstablesIn;
  }

  /** SSTables that it left. */
  public int getSstablesOut() {
    return sstablesOut;
  }

  /** Bytes of the data files merged. */
  public long getBytesIn() {
    return bytesIn;
  }

  /** Bytes of the data files left. */
  public long getBytesOut() {
    return bytesOut;
  }

  /** Partitions left. */
  public long getPartitionsOut() {
    return partitionsOut;
  }

  /** Rows left. */
  public long getRowsOut() {
    return rowsOut;
  }

  /**
   * How many partitions were read from one SSTable, from two, and so on; empty if that was not
   * counted.
   */
  public List<Long> getPartitionsMerged() {
    return partitionsMerged;
  }
}
