package io.siltstone.spi;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import java.util.concurrent.CompletionStage;

/**
 * Keeps tables in shape: decides which SSTables to merge, and merges them on threads of its own.
 *
 * <p>Safe for all threads. The engine that had it made closes it, before it closes its tables.
 */
public interface Compactor extends AutoCloseable {

  /**
   * Whether it can follow the compaction options of a table that is to be made or altered. Called
   * while writers of the table wait; looks at the options alone.
   *
   * @throws IllegalArgumentException if not: names option, value, and what is allowed
   */
  void check(TableSchema schema);

  /**
   * The live SSTables of a table have changed, or the table has just been opened (then nothing was
   * added or removed). Called without locks on whatever thread made the change, after the change is
   * visible; returns at once and throws nothing.
   */
  void onChange(TableId table, LiveSetChange change);

  /**
   * Does what an operator or a program asks for, however the strategy sees it.
   *
   * @return completes when all of it is done; exceptionally with an {@link java.io.IOException} if
   *     nothing could be done, an {@link IllegalArgumentException} if the request cannot apply to
   *     the table, what {@link CompactionHost#requireChangeable} throws if changes are refused, or
   *     a {@link java.util.concurrent.CancellationException} if the compactor is closed or the
   *     table dropped before. Single jobs that fail do not: they are in the report
   * @throws IllegalArgumentException if the table is not known
   */
  CompletionStage<CompactionReport> run(TableId table, CompactionRequest request);

  /** Returns what waits and runs for a table; writers are slowed by its debt. Cheap. */
  CompactionState state(TableId table);

  /** Returns whether the calling thread is one of its own: {@link #close} would wait for it. */
  default boolean isOwnThread() {
    return false;
  }

  /**
   * Cancels all jobs, closes their claims, and returns when the last thread has ended. A second
   * call does nothing.
   *
   * @throws IllegalStateException on a thread of its own; then nothing has changed
   */
  @Override
  void close();
}
