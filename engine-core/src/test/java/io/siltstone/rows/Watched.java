package io.siltstone.rows;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;

/** A cursor that tells when it is closed. */
record Watched(PartitionCursor cursor, Runnable closed) implements PartitionCursor {
  @Override
  public RowEncoding encoding() {
    return cursor.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    return cursor.nextPartition();
  }

  @Override
  public PartitionKey key() {
    return cursor.key();
  }

  @Override
  public long deletionTimestamp() {
    return cursor.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return cursor.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    return cursor.nextUnfiltered();
  }

  @Override
  public Unfiltered unfiltered() {
    return cursor.unfiltered();
  }

  @Override
  public void close() throws IOException {
    cursor.close();
    closed.run();
  }
}
