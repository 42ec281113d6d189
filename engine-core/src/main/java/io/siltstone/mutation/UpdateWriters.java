package io.siltstone.mutation;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.threads.StripedPool;
import java.util.Objects;

/**
 * A pool of update writers for one encoding, which saves each mutation the allocation of buffers.
 * Safe for all threads, without locks.
 */
final class UpdateWriters {
  /** Writers of longer changes are not pooled, since their buffers are too large to keep. */
  private static final int MAX_KEPT_LENGTH = 1 << 16;

  private final RowEncoding encoding;
  private final Partitioner partitioner;
  private final StripedPool<UpdateWriter> pooled = new StripedPool<>();

  UpdateWriters(RowEncoding encoding, Partitioner partitioner) {
    this.encoding = Objects.requireNonNull(encoding, "encoding");
    this.partitioner = Objects.requireNonNull(partitioner, "partitioner");
  }

  /** Returns a writer for the caller alone, until it is given back. */
  UpdateWriter take() {
    UpdateWriter writer = pooled.take();
    return writer != null ? writer : new UpdateWriter(encoding, partitioner);
  }

  void giveBack(UpdateWriter writer) {
    if (writer.update().length() <= MAX_KEPT_LENGTH) {
      pooled.giveBack(writer);
    }
  }
}
