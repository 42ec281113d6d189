package io.siltstone.jmx;

import io.siltstone.compaction.RunningCompaction;
import java.util.concurrent.TimeUnit;
import javax.management.ConstructorParameters;

/** A running compaction. Immutable. */
public final class CompactionJob {
  private final String id;
  private final String keyspace;
  private final String table;
  private final String operation;
  private final String reason;
  private final int sstables;
  private final long bytesTotal;
  private final long bytesRead;
  private final long bytesWritten;
  private final long elapsedMillis;
  private final long remainingMillis;
  private final boolean paused;

  /** Takes the values; see the getters. */
  @ConstructorParameters({
    "id",
    "keyspace",
    "table",
    "operation",
    "reason",
    "sstables",
    "bytesTotal",
    "bytesRead",
    "bytesWritten",
    "elapsedMillis",
    "remainingMillis",
    "paused"
  })
  public CompactionJob(
      String id,
      String keyspace,
      String table,
      String operation,
      String reason,
      int sstables,
      long bytesTotal,
      long bytesRead,
      long bytesWritten,
      long elapsedMillis,
      long remainingMillis,
      boolean paused) {
    this.id = id;
    this.keyspace = keyspace;
    this.table = table;
    this.operation = operation;
    this.reason = reason;
    this.sstables = sstables;
    this.bytesTotal = bytesTotal;
    this.bytesRead = bytesRead;
    this.bytesWritten = bytesWritten;
    this.elapsedMillis = elapsedMillis;
    this.remainingMillis = remainingMillis;
    this.paused = paused;
  }

  static CompactionJob of(RunningCompaction job) {
    return new CompactionJob(
        job.job().toString(),
        job.table().keyspace(),
        job.table().name(),
        job.operation(),
        job.reason(),
        job.inputs().size(),
        job.progress().bytesTotal(),
        job.progress().bytesRead(),
        job.progress().bytesWritten(),
        job.elapsed().toMillis(),
        job.remainingSeconds().isEmpty()
            ? -1
            : TimeUnit.SECONDS.toMillis(job.remainingSeconds().getAsLong()),
        job.isPaused());
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

  /** Returns the reason why it runs. */
  public String getReason() {
    return reason;
  }

  /** Returns the number of SSTables that it merges. */
  public int getSstables() {
    return sstables;
  }

  /** Returns the uncompressed size in bytes of its inputs; 0 before it has begun to read. */
  public long getBytesTotal() {
    return bytesTotal;
  }

  /** Returns the uncompressed bytes that have been read. */
  public long getBytesRead() {
    return bytesRead;
  }

  /** Returns the uncompressed bytes that have been written. */
  public long getBytesWritten() {
    return bytesWritten;
  }

  /** Returns the milliseconds since it began. */
  public long getElapsedMillis() {
    return elapsedMillis;
  }

  /** Returns the milliseconds to go at the present rate; -1 if nothing has been read yet. */
  public long getRemainingMillis() {
    return remainingMillis;
  }

  /** Returns whether it is paused. */
  public boolean isPaused() {
    return paused;
  }
}
