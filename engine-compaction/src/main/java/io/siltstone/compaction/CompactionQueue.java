package io.siltstone.compaction;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of tables that threads should look at. A table is in it at most once, so that the tables
 * of a database take turns, in the order of their requests. Databases take turns, too: the next
 * table is one of the database for which the fewest threads work, and of several such databases of
 * the one that has waited longest, so that one with many tables does not delay the others. Safe for
 * all threads.
 */
final class CompactionQueue {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionQueue.class);

  private final Executor threads;
  private final Consumer<TableCompactor> look;
  // Guarded by itself. In the order in which the databases had their last turn.
  private final Map<DatabaseCompactor, Line> lines = new LinkedHashMap<>();

  /** The tables of one database that wait. */
  private static final class Line {
    private final LinkedHashSet<TableCompactor> waiting = new LinkedHashSet<>();
    private int running;

    boolean isOver() {
      return waiting.isEmpty() && running == 0;
    }
  }

  CompactionQueue(Executor threads, Consumer<TableCompactor> look) {
    this.threads = threads;
    this.look = look;
  }

  /**
   * Queues a table for a thread to look at. If no thread can be had, the table is not queued: every
   * change and a timer queue it again.
   */
  void add(TableCompactor table) {
    synchronized (lines) {
      if (!lines.computeIfAbsent(table.owner(), owner -> new Line()).waiting.add(table)) {
        return;
      }
    }
    try {
      threads.execute(this::turn);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      remove(table);
      LOG.warn("no thread is available to compact the table {} now", table.id(), e);
    }
  }

  /** Removes a table from the queue. */
  void remove(TableCompactor table) {
    synchronized (lines) {
      Line line = lines.get(table.owner());
      if (line != null) {
        line.waiting.remove(table);
        removeIfOver(table.owner(), line);
      }
    }
  }

  private void removeIfOver(DatabaseCompactor owner, Line line) {
    if (line.isOver()) {
      lines.remove(owner);
    }
  }

  private void turn() {
    TableCompactor next;
    synchronized (lines) {
      next = take();
    }
    if (next == null) {
      return;
    }
    try {
      look.accept(next);
    } finally {
      synchronized (lines) {
        Line line = lines.get(next.owner());
        if (line != null) {
          line.running--;
          removeIfOver(next.owner(), line);
        }
      }
    }
  }

  private @Nullable TableCompactor take() {
    DatabaseCompactor owner = null;
    Line best = null;
    for (Map.Entry<DatabaseCompactor, Line> each : lines.entrySet()) {
      Line line = each.getValue();
      if (!line.waiting.isEmpty() && (best == null || line.running < best.running)) {
        owner = each.getKey();
        best = line;
      }
    }
    if (owner == null || best == null) {
      return null;
    }
    var tables = best.waiting.iterator();
    TableCompactor next = tables.next();
    tables.remove();
    best.running++;
    lines.remove(owner);
    lines.put(owner, best);
    return next;
  }
}
