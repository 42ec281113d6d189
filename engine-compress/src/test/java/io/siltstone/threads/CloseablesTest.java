package io.siltstone.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is closed after a failure does not hide it. */
class CloseablesTest {
  @Test
  void whatFailsWithTheFailureItselfIsClosed() {
    // As the virtual machine does when the heap is full.
    Error full = new OutOfMemoryError("Java heap space");
    Closeables.closeAfter(
        () -> {
          throw full;
        },
        full);
    assertThat(full.getSuppressed()).isEmpty();
  }

  @Test
  void theFailureHasThatOfClosingSuppressed() {
    IOException failure = new IOException("first");
    Error full = new OutOfMemoryError("Java heap space");
    Closeables closeables = new Closeables();
    closeables.add(
        () -> {
          throw full;
        });
    closeables.closeAfter(failure);
    assertThat(failure.getSuppressed()).containsExactly(full);
  }
}
