package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is closed after a failure does not hide it. */
class CloserTest {
  @Test
  void whatFailsWithTheFailureItselfIsClosed() {
    // As the virtual machine does when the heap is full.
    Error full = new OutOfMemoryError("Java heap space");
    Closer.closeAfter(
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
    Closer closer = new Closer();
    closer.add(
        () -> {
          throw full;
        });
    closer.closeAfter(failure);
    assertThat(failure.getSuppressed()).containsExactly(full);
  }
}
