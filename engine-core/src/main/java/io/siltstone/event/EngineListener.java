package io.siltstone.event;

import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of an engine. All methods do nothing unless overridden.
 *
 * <p>A method is called on the thread on which the event occurs: a flush thread, a compaction
 * thread, or that of a caller of the engine; several threads may call at once. No lock is held that
 * reads or writes need, so a listener may call the engine, but a slow listener delays the work that
 * it is called for.
 *
 * <p>A listener must not close the database: close waits for running listeners, and is rejected.
 * During flush events these calls are rejected, too: flushes, checkpoints, and creating, altering,
 * truncating, dropping or importing a table. A write by a listener of flush events does not wait
 * for memory, which this flush may have to free: it may exceed the limit of memtables, and fails at
 * once if all memory is taken. Such a listener must not wait for another thread that writes or
 * flushes.
 *
 * <p>Exceptions of a listener are logged and have no other effect. Related events come in order; a
 * start without an end means that the process stopped.
 */
public interface EngineListener {
  /** A listener that ignores all events. */
  EngineListener NONE = new EngineListener() {};

  /**
   * A memtable is about to be written.
   *
   * @param bytes of its data
   */
  record FlushStarted(TableId table, long bytes) {}

  /**
   * A memtable is on disk and its tables are live.
   *
   * @param bytes of the tables' data files
   */
  record FlushCompleted(TableId table, List<Descriptor> outputs, long bytes, Duration duration) {}

  /** A memtable could not be written; it stays in memory and in the commit log. */
  record FlushFailed(TableId table, Throwable cause) {}

  /**
   * A job has begun to read its inputs.
   *
   * @param job identifies it among all jobs
   * @param operation as in the request, or the strategy's name
   * @param bytes of the inputs' data files
   */
  record CompactionStarted(
      TableId table, UUID job, String operation, List<Descriptor> inputs, long bytes) {}

  /**
   * The outputs of a job have replaced its inputs.
   *
   * @param totals what the job has read, merged and written
   */
  record CompactionCompleted(
      TableId table,
      UUID job,
      String operation,
      List<Descriptor> inputs,
      List<Descriptor> outputs,
      Totals totals,
      Duration duration) {

    /**
     * The totals of a completed job.
     *
     * @param bytesRead the size of the inputs' data files
     * @param bytesWritten the size of the outputs' data files
     * @param partitions the number of partitions in the outputs
     * @param rows the number of rows in the outputs
     * @param partitionsMerged how many partitions were read from one input, from two, and so on;
     *     empty if that was not counted
     */
    public record Totals(
        long bytesRead,
        long bytesWritten,
        long partitions,
        long rows,
        List<Long> partitionsMerged) {}
  }

  /** A job has ended without effect: its inputs are still live. */
  record CompactionFailed(
      TableId table, UUID job, String operation, List<Descriptor> inputs, Throwable cause) {}

  /** A table was created. */
  record TableCreated(TableId table, TableSchema schema) {}

  /** Columns or options of a table were changed. */
  record TableAltered(TableId table, TableSchema before, TableSchema after) {}

  /** A table was dropped. */
  record TableDropped(TableId table) {}

  /**
   * A file is corrupt.
   *
   * @param table of the file; null if it belongs to no single table
   * @param path of the file
   */
  record CorruptionFound(@Nullable TableId table, String path, Throwable cause) {
    /**
     * Name of the SLF4J marker of the log lines about data that was skipped when a database or a
     * table was opened. They have the same contents as this event, so that applications with a
     * listener may suppress them.
     */
    public static final String MARKER = "io.siltstone.CorruptionFound";
  }

  /**
   * Opening a database or a table relied on an assumption, or quarantined unusable data. Lenient
   * opening does so where strict opening throws; both quarantine parts of the commit log that were
   * left out.
   *
   * @param path of the file or directory
   * @param assumption what was found, and what was assumed or done, as a sentence for operators
   */
  record RecoveryAssumed(String path, String assumption) {}

  /**
   * The engine rejects writes until it is opened again.
   *
   * @param reason for operators
   */
  record EngineReadOnly(String reason, Throwable cause) {}

  /**
   * A handle was garbage-collected without having been closed.
   *
   * @param handle description of the handle
   * @param openedAt has the stack trace of its opening; an empty one if that was not recorded: it
   *     is for the first 1,000 handles of a database, and then for one in 32
   */
  record HandleLeaked(String handle, Throwable openedAt) {}

  /**
   * Memtables take so much of their limit, in bytes, that flushes are started. A listener is not
   * called recursively for its own writes.
   */
  record MemtablePressure(long used, long limit) {}

  /**
   * A write had to wait until flushes had freed memory, or paused for some milliseconds because
   * writers outran a flush.
   */
  record WriteStalled(TableId table, Duration waited) {}

  /**
   * Writes are slowed because compaction lags behind (write stall), or they no longer are.
   *
   * @param debtBytes that compaction has still to read
   * @param bytesPerSecond maximum rate of writes from now on, which falls as the debt grows; 0 if
   *     writes are no longer slowed
   */
  record WritesSlowed(TableId table, long debtBytes, long bytesPerSecond) {}

  /**
   * The clock is behind timestamps of existing data, which opening a database or an import found.
   * Writes with a timestamp of the clock do not replace such data. Automatic timestamps continue
   * after the earlier ones of this database, and those of a store of byte arrays exceed all that it
   * has; only data with timestamps of users or other databases is not replaced.
   *
   * @param newestMicros the greatest timestamp found, in microseconds since 1970
   * @param behind by how much the clock is earlier than it
   * @param tables that have data which is newer than the clock; empty if only the last automatic
   *     timestamp is
   */
  record ClockBehind(long newestMicros, Duration behind, List<TableId> tables) {}

  /**
   * Data was imported into a store of byte arrays that is older than existing data. Newer deletions
   * may have been purged after {@code gc_grace_seconds}, so that data which they had deleted is
   * visible again.
   *
   * @param imported new names of the SSTables with such data
   * @param oldestMicros the least timestamp in them, in microseconds since 1970
   */
  record OldDataImported(TableId table, List<Descriptor> imported, long oldestMicros) {}

  /**
   * The retention floor of a table was raised: rows whose time is less than it are hidden.
   *
   * @param before the floor until then, as a value of the time column; null for none
   * @param floor the floor now
   */
  record RetentionRaised(TableId table, @Nullable Object before, Object floor) {}

  /**
   * A compaction has dropped SSTables without reading them, since the retention floor hides all
   * that they contain. {@code CompactionCompleted} follows for the job that did so.
   *
   * @param sstables the SSTables, whose files are deleted when no reader uses them any more
   */
  record RetentionDropped(TableId table, List<Descriptor> sstables) {}

  /**
   * A read of a partition has taken as long as {@code DatabaseOptions.slowReadThreshold}, or
   * longer.
   *
   * @param key of the partition, as text; the parts of a key of several columns separated by colons
   * @param duration from the opening of the read to its closing, so with the time that whoever
   *     reads takes between two rows
   * @param sstables that had the partition
   * @param falsePositives SSTables that were asked in vain
   * @param chunksRead from files
   * @param chunksCached that the chunk cache had
   * @param bytesRead of the chunks from files, as stored
   */
  record SlowRead(
      TableId table,
      String key,
      Duration duration,
      int sstables,
      int falsePositives,
      long chunksRead,
      long chunksCached,
      long bytesRead) {}

  /** Called with a {@link FlushStarted}. */
  default void flushStarted(FlushStarted event) {}

  /** Called with a {@link FlushCompleted}. */
  default void flushCompleted(FlushCompleted event) {}

  /** Called with a {@link FlushFailed}. */
  default void flushFailed(FlushFailed event) {}

  /** Called with a {@link CompactionStarted}. */
  default void compactionStarted(CompactionStarted event) {}

  /** Called with a {@link CompactionCompleted}. */
  default void compactionCompleted(CompactionCompleted event) {}

  /** Called with a {@link CompactionFailed}. */
  default void compactionFailed(CompactionFailed event) {}

  /** Called with a {@link TableCreated}. */
  default void tableCreated(TableCreated event) {}

  /** Called with a {@link TableAltered}. */
  default void tableAltered(TableAltered event) {}

  /** Called with a {@link TableDropped}. */
  default void tableDropped(TableDropped event) {}

  /** Called with a {@link ClockBehind}. */
  default void clockBehind(ClockBehind event) {}

  /** Called with a {@link OldDataImported}. */
  default void oldDataImported(OldDataImported event) {}

  /** Called with a {@link RetentionRaised}. */
  default void retentionRaised(RetentionRaised event) {}

  /** Called with a {@link RetentionDropped}. */
  default void retentionDropped(RetentionDropped event) {}

  /** Called with a {@link CorruptionFound}. */
  default void corruptionFound(CorruptionFound event) {}

  /** Called with a {@link RecoveryAssumed}. */
  default void recoveryAssumed(RecoveryAssumed event) {}

  /** Called with a {@link EngineReadOnly}. */
  default void engineReadOnly(EngineReadOnly event) {}

  /** Called with a {@link HandleLeaked}. */
  default void handleLeaked(HandleLeaked event) {}

  /** Called with a {@link MemtablePressure}. */
  default void memtablePressure(MemtablePressure event) {}

  /** Called with a {@link SlowRead}. */
  default void slowRead(SlowRead event) {}

  /** Called with a {@link WriteStalled}. */
  default void writeStalled(WriteStalled event) {}

  /** Called with a {@link WritesSlowed}. */
  default void writesSlowed(WritesSlowed event) {}
}
