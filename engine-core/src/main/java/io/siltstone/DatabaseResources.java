package io.siltstone;

import io.siltstone.cache.ReadCaches;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.table.GuardedListener;
import io.siltstone.table.MemtablePool;
import io.siltstone.table.Threads;
import io.siltstone.threads.Closeables;
import java.io.Closeable;

/**
 * The memory, caches and threads of a database: its own, or its part of {@link SharedResources}.
 *
 * <p>Used by the engine that takes it over, and closed after all that was made by it.
 */
interface DatabaseResources extends Closeable {

  /**
   * Returns the resources that the options ask for.
   *
   * @throws IllegalStateException if the shared resources are closed
   */
  static DatabaseResources of(Directory root, DatabaseOptions options) {
    SharedResources shared = options.sharedResources();
    return shared == null ? new OwnResources(root, options) : shared.use(root.path());
  }

  /** Returns the threads. */
  Threads threads();

  /**
   * Returns a budget that counts what this database takes.
   *
   * @param reclaimer frees memory that is only kept for speed
   */
  MemoryBudget budget(Runnable reclaimer);

  /**
   * Returns the caches of reads.
   *
   * @param closeables takes those that the database has to close
   */
  ReadCaches caches(MemoryBudget budget, Closeables closeables);

  /** Returns the limit of memtables. */
  MemtablePool memtables(MemoryBudget budget, GuardedListener listener);

  /** Ends the use of the resources; a second call does nothing. */
  @Override
  void close();
}
