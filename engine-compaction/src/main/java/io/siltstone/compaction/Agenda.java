package io.siltstone.compaction;

import java.util.LinkedHashSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Tables that threads are to look at, in the order in which they asked for it; each is there once,
 * so that tables take turns. Safe for all threads.
 */
final class Agenda {
  private final Executor threads;
  private final Consumer<TableWork> look;
  private final LinkedHashSet<TableWork> waiting = new LinkedHashSet<>();

  Agenda(Executor threads, Consumer<TableWork> look) {
    this.threads = threads;
    this.look = look;
  }

  /** Has a thread look at a table some time from now. */
  void add(TableWork table) {
    synchronized (waiting) {
      if (!waiting.add(table)) {
        return;
      }
    }
    threads.execute(this::turn);
  }

  private void turn() {
    TableWork next;
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
