package io.siltstone.table;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flushes of one table: one runs, one may wait, and serves all who ask meanwhile. Safe for all
 * threads.
 */
final class FlushQueue {
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private @Nullable CompletableFuture<Void> waiting;

  /**
   * A flush that has not begun yet.
   *
   * @param start has it run, once the one before has ended; does not wait
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
                // No thread could be had, perhaps; whoever asks next tries again.
                begin(flush);
                flush.completeExceptionally(e);
              }
            });
    return flush;
  }

  /** It begins: whoever asks from now on gets another one. */
  synchronized void begin(CompletableFuture<Void> flush) {
    if (waiting == flush) {
      waiting = null;
    }
  }

  /** Whether one waits. */
  synchronized boolean isRequested() {
    return waiting != null;
  }

  /** Whether one waits or runs. */
  synchronized boolean isBusy() {
    return !last.isDone();
  }
}
