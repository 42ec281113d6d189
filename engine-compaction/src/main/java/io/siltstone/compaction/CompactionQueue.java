package io.siltstone.compaction;

import java.util.LinkedHashSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of tables that threads should look at, in the order of their requests. A table is in it
 * at most once, so that tables take turns. Safe for all threads.
 */
final class CompactionQueue {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionQueue.class);

  private final Executor threads;
  private final Consumer<TableCompactor> look;
  private final LinkedHashSet<TableCompactor> waiting = new LinkedHashSet<>();

  CompactionQueue(Executor threads, Consumer<TableCompactor> look) {
    this.threads = threads;
    this.look = look;
  }

  /**
   * Queues a table for a thread to look at. If no thread can be had, the table is not queued: every
   * change and a timer queue it again.
   */
  void add(TableCompactor table) {
    synchronized (waiting) {
      if (!waiting.add(table)) {
        return;
      }
    }
    try {
      threads.execute(this::turn);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      synchronized (waiting) {
        waiting.remove(table);
      }
      LOG.warn("no thread is available to compact the table {} now", table.id(), e);
    }
  }

  /** Removes a table from the queue. */
  void remove(TableCompactor table) {
    synchronized (waiting) {
      waiting.remove(table);
    }
  }

  private void turn() {
    TableCompactor next;
    synchronized (waiting) {
      var all = waiting.iterator();
      if (!all.hasNext()) {
        return;
      }
      next = all.next();
      all.remove();
    }
    look.accept(next);
  }
}
