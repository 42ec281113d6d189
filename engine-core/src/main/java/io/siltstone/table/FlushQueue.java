package io.siltstone.table;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flushes of one table: one may run, and one may wait, which serves all requests until it
 * begins. Safe for all threads.
 */
final class FlushQueue {
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private @Nullable CompletableFuture<Void> waiting;

  /**
   * Returns a flush that has not begun yet.
   *
   * @param start schedules the flush, which runs after the one before; does not wait
   */
  CompletableFuture<Void> request(Consumer<CompletableFuture<Void>> start) {
    CompletableFuture<Void> before;
    CompletableFuture<Void> flush;
    synchronized (this) {
      if (waiting != null) {
        return waiting;
      }
      before = last;
      flush = new CompletableFuture<>();
      waiting = flush;
      last = flush;
    }
    var unused =
        before.whenComplete(
            (done, failure) -> {
              try {
                start.accept(flush);
              } catch (RuntimeException | Error e) {
                // The executor may have no thread; the next request tries again.
                begin(flush);
                flush.completeExceptionally(e);
              }
            });
    return flush;
  }

  /** Marks a flush as begun: later requests get another one. */
  synchronized void begin(CompletableFuture<Void> flush) {
    if (waiting == flush) {
      waiting = null;
    }
  }

  /** Returns whether a flush is waiting. */
  synchronized boolean isRequested() {
    return waiting != null;
  }

  /** Returns whether a flush is waiting or running. */
  synchronized boolean isBusy() {
    return !last.isDone();
  }
}
