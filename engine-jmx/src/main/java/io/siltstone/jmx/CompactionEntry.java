package io.siltstone.jmx;

import io.siltstone.maintenance.PastCompaction;
import java.util.List;
import javax.management.ConstructorParameters;

/** A completed compaction. Immutable. */
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

  /** Takes the values; see the getters. */
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
        compaction.inputs().sstables(),
        compaction.outputs().sstables(),
        compaction.inputs().bytes(),
        compaction.outputs().bytes(),
        compaction.outputs().partitions(),
        compaction.outputs().rows(),
        compaction.partitionsMerged());
  }

  /** Returns the id of the job. */
  public String getId() {
    return id;
  }

  /** Returns the keyspace of its table. */
  public String getKeyspace() {
    return keyspace;
  }

  /** Returns the name of its table. */
  public String getTable() {
    return table;
  }

  /** Returns the requested operation, or the strategy's name. */
  public String getOperation() {
    return operation;
  }

  /** Returns the time at which it ended, in milliseconds since 1970. */
  public long getCompactedAtMillis() {
    return compactedAtMillis;
  }

  /** Returns its duration in milliseconds. */
  public long getDurationMillis() {
    return durationMillis;
  }

  /** Returns the number of SSTables that it merged. */
  public int getSstablesIn() {
    return sstablesIn;
  }

  /** Returns the number of SSTables that it wrote. */
  public int getSstablesOut() {
    return sstablesOut;
  }

  /** Returns the size in bytes of the merged data files. */
  public long getBytesIn() {
    return bytesIn;
  }

  /** Returns the size in bytes of the written data files. */
  public long getBytesOut() {
    return bytesOut;
  }

  /** Returns the number of written partitions. */
  public long getPartitionsOut() {
    return partitionsOut;
  }

  /** Returns the number of written rows. */
  public long getRowsOut() {
    return rowsOut;
  }

  /**
   * Returns how many partitions were read from one SSTable, from two, and so on; empty if that was
   * not counted.
   */
  public List<Long> getPartitionsMerged() {
    return partitionsMerged;
  }
}
