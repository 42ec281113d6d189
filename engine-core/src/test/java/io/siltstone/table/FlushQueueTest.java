package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FlushQueueTest {
  /** As when no thread can be made: the next one may find one. */
  @Test
  void aFlushThatCannotBeginFailsAlone() {
    FlushQueue queue = new FlushQueue();
    CompletableFuture<Void> failed =
        queue.request(
            flush -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertThat(failed).isCompletedExceptionally();
    assertThat(queue.isRequested()).isFalse();
    assertThat(queue.isBusy()).isFalse();
    CompletableFuture<Void> next =
        queue.request(
            flush -> {
              queue.begin(flush);
              flush.complete(null);
            });
    assertThat(next).isCompleted();
    assertThat(queue.isBusy()).isFalse();
  }
}
