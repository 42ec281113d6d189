package io.siltstone.mutation;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.Partitioner;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Lends writers, so that a small mutation does not cost the buffers of a large one. Keeps a few;
 * safe for all threads, none of which waits.
 */
final class UpdateWriters {
  private static final int KEPT = 16;

  /** A writer whose change was longer has buffers too large to keep. */
  private static final int MAX_KEPT_LENGTH = 1 << 16;

  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final AtomicReferenceArray<UpdateWriter> kept = new AtomicReferenceArray<>(KEPT);

  UpdateWriters(RowEncoding encoding, Partitioner partitioner) {
    this.encoding = Objects.requireNonNull(encoding, "encoding");
    this.partitioner = Objects.requireNonNull(partitioner, "partitioner");
  }

  /** A writer for the caller alone, until it is given back. */
  UpdateWriter take() {
    UpdateWriter writer = kept.getAndSet(slot(), null);
    return writer != null ? writer : new UpdateWriter(encoding, partitioner);
  }

  void giveBack(UpdateWriter writer) {
    if (writer.update().length() <= MAX_KEPT_LENGTH) {
      kept.set(slot(), writer);
    }
  }

  private static int slot() {
    return (int) (Thread.currentThread().getId() & (KEPT - 1));
  }
}
