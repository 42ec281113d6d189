package io.siltstone.spi;

import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import java.util.concurrent.CompletionStage;

/**
 * Compacts tables: decides which SSTables to merge, and merges them on threads of its own.
 *
 * <p>Safe for use by all threads. The engine that created it closes it, before its tables.
 */
public interface Compactor extends AutoCloseable {

  /**
   * Checks the compaction options of a table that is about to be created or altered. Called while
   * writers of the table wait; it reads only the options.
   *
   * @throws IllegalArgumentException if they are invalid; names option, value, and what is allowed
   */
  void check(TableSchema schema);

  /**
   * Called after the live SSTables of a table have changed. Also called after the table was opened,
   * with a change that adds and removes nothing. The call comes from the thread that made the
   * change, without locks, after the change is visible. It must return at once and throw nothing.
   */
  void onChange(TableId table, LiveSetChange change);

  /**
   * Runs a request of an operator or a program, independent of the strategy.
   *
   * @return completes when all jobs have ended; the failures of jobs are in the report. Completes
   *     exceptionally with
   *     <ul>
   *       <li>an {@link java.io.IOException} if nothing could be done
   *       <li>an {@link IllegalArgumentException} if the request cannot apply to the table
   *       <li>what {@link CompactionHost#requireChangeable} throws if changes are rejected
   *       <li>a {@link java.util.concurrent.CancellationException} if the compactor is closed or
   *           the table is dropped before the jobs have ended
   *     </ul>
   *
   * @throws IllegalArgumentException if the table is unknown
   */
  CompletionStage<CompactionReport> run(TableId table, CompactionRequest request);

  /** Returns the backlog of a table, whose debt slows writes. The call is cheap. */
  CompactionState state(TableId table);

  /** Returns whether the calling thread is one of its own: {@link #close} would wait for it. */
  default boolean isOwnThread() {
    return false;
  }

  /**
   * Cancels all jobs, closes their claims, and returns when the last thread has ended. A second
   * call does nothing.
   *
   * @throws IllegalStateException if called on a thread of the compactor; then nothing has changed
   */
  @Override
  void close();
}
