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
   * Called after the live SSTables of a table have changed, or the table was opened (then nothing
   * was added or removed). Called without locks on the thread that made the change, after the
   * change is visible; it returns at once and throws nothing.
   */
  void onChange(TableId table, LiveSetChange change);

  /**
   * Runs a request of an operator or a program, independent of the strategy.
   *
   * @return completes when all of it is done; exceptionally with an {@link java.io.IOException} if
   *     nothing could be done, an {@link IllegalArgumentException} if the request cannot apply to
   *     the table, what {@link CompactionHost#requireChangeable} throws if changes are rejected, or
   *     a {@link java.util.concurrent.CancellationException} if the compactor is closed or the
   *     table dropped before. Failures of single jobs are in the report
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
