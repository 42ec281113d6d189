package io.siltstone.event;

import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Descriptor;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Is told what an engine does. All methods do nothing unless overridden.
 *
 * <p>A method is called on the thread on which the thing happens: a flush thread, a compaction
 * thread, or that of a caller of the engine; several may call at once. No lock of the engine is
 * held that a read or a write needs, so a listener may call the engine, but what takes long holds
 * up the work it is told of. To close the database is refused, as that waits for what is being
 * told; and so are, while a flush is told of, flushes, and changes of tables as wholes: to create,
 * alter, truncate, drop or import, and checkpoints. While a flush is told of, what the listener
 * writes waits for no memory, which that flush may have to free: it goes beyond what memtables may
 * take, and fails at once if all memory is taken; for another thread that writes or flushes the
 * listener must not wait. The engine calls through a {@code GuardedListener}: what a listener
 * throws is logged and has no other effect. Events that belong together come in order; a start
 * without an end means that the process stopped.
 */
public interface EngineListener {
  /** A listener that hears nothing. */
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
   * The outputs of a job have taken the place of its inputs.
   *
   * @param bytesRead of the inputs' data files
   * @param bytesWritten of the outputs' data files
   * @param partitions in the outputs
   * @param rows in the outputs
   * @param partitionsMerged how many partitions were read from one input, from two, and so on;
   *     empty if that was not counted
   */
  record CompactionCompleted(
      TableId table,
      UUID job,
      String operation,
      List<Descriptor> inputs,
      List<Descriptor> outputs,
      long bytesRead,
      long bytesWritten,
      long partitions,
      long rows,
      List<Long> partitionsMerged,
      Duration duration) {}

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
   * A file is damaged.
   *
   * @param table whose file it is; null if it is not of one table
   * @param path of the file
   */
  record CorruptionFound(@Nullable TableId table, String path, Throwable cause) {
    /**
     * Name of the SLF4J marker of the lines that are logged about what was left aside as a database
     * or a table was opened: they say what a listener is told as this event, so that who has one
     * may leave them out.
     */
    public static final String MARKER = "io.siltstone.CorruptionFound";
  }

  /**
   * An opening has assumed something that a file did not say, or has kept aside what it could not
   * use. A lenient opening does so where a strict one throws; parts of the commit log that were
   * left out are kept aside by both.
   *
   * @param path of the file or directory
   * @param assumption what was found, and what was assumed or done, as a sentence for the operator
   */
  record RecoveryAssumed(String path, String assumption) {}

  /**
   * The engine takes no more writes until it is opened again.
   *
   * @param reason for the operator
   */
  record EngineReadOnly(String reason, Throwable cause) {}

  /**
   * A handle was lost without having been closed.
   *
   * @param handle what it was
   * @param openedAt carries the stack of the thread that opened it
   */
  record HandleLeaked(String handle, Throwable openedAt) {}

  /**
   * Memtables take so much of what they may take that flushes are started for it, in bytes. Not
   * told to a listener within itself, because of what it writes when it is told.
   */
  record MemtablePressure(long used, long limit) {}

  /** A write had to wait until flushes had freed memory. */
  record WriteStalled(TableId table, Duration waited) {}

  /**
   * Compaction is so far after that writes are slowed; or it is not any more.
   *
   * @param debtBytes that compaction has still to read
   * @param bytesPerSecond that are written from now on at most, less as the debt grows; 0 if writes
   *     are not slowed any more
   */
  record WritesSlowed(TableId table, long debtBytes, long bytesPerSecond) {}

  /**
   * The clock is after data that is there: an opening found that, or an import. What is written
   * with a timestamp of the clock does not replace such data. Automatic timestamps continue after
   * those that this database has given before, and a store of byte arrays goes beyond all that it
   * has; so only data with timestamps that users or other databases have given is not replaced.
   *
   * @param newestMicros the greatest timestamp found, in microseconds since 1970
   * @param after by how much the clock is after that
   * @param tables that have data which is newer than the clock; empty if only the last automatic
   *     timestamp is
   */
  record ClockBehind(long newestMicros, Duration behind, List<TableId> tables) {}

  /**
   * Data was imported into a store of byte arrays that is older than what the store has. Deletions
   * that were newer may have been purged, after {@code gc_grace_seconds}: what they had deleted is
   * there again.
   *
   * @param imported SSTables with such data, by their new names
   * @param oldestMicros the least timestamp of them, in microseconds since 1970
   */
  record OldDataImported(TableId table, List<Descriptor> imported, long oldestMicros) {}

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

  /** See {@link FlushStarted}. */
  default void flushStarted(FlushStarted event) {}

  /** See {@link FlushCompleted}. */
  default void flushCompleted(FlushCompleted event) {}

  /** See {@link FlushFailed}. */
  default void flushFailed(FlushFailed event) {}

  /** See {@link CompactionStarted}. */
  default void compactionStarted(CompactionStarted event) {}

  /** See {@link CompactionCompleted}. */
  default void compactionCompleted(CompactionCompleted event) {}

  /** See {@link CompactionFailed}. */
  default void compactionFailed(CompactionFailed event) {}

  /** See {@link TableCreated}. */
  default void tableCreated(TableCreated event) {}

  /** See {@link TableAltered}. */
  default void tableAltered(TableAltered event) {}

  /** See {@link TableDropped}. */
  default void tableDropped(TableDropped event) {}

  /** See {@link ClockBehind}. */
  default void clockBehind(ClockBehind event) {}

  /** See {@link OldDataImported}. */
  default void oldDataImported(OldDataImported event) {}

  /** See {@link CorruptionFound}. */
  default void corruptionFound(CorruptionFound event) {}

  /** See {@link RecoveryAssumed}. */
  default void recoveryAssumed(RecoveryAssumed event) {}

  /** See {@link EngineReadOnly}. */
  default void engineReadOnly(EngineReadOnly event) {}

  /** See {@link HandleLeaked}. */
  default void handleLeaked(HandleLeaked event) {}

  /** See {@link MemtablePressure}. */
  default void memtablePressure(MemtablePressure event) {}

  /** See {@link SlowRead}. */
  default void slowRead(SlowRead event) {}

  /** See {@link WriteStalled}. */
  default void writeStalled(WriteStalled event) {}

  /** See {@link WritesSlowed}. */
  default void writesSlowed(WritesSlowed event) {}
}
