package io.siltstone.compaction;

import java.util.LinkedHashSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that threads are to look at, in the order in which they asked for it; each is there once,
 * so that tables take turns. Safe for all threads.
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
   * Has a thread look at a table some time from now. If there is none to be had, nothing is waited
   * for: tables come back with every change, and with time.
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
      LOG.warn("no thread looks at the table {} now", table.id(), e);
    }
  }

  /** Nobody looks at a table any more, unless it asks again. */
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
