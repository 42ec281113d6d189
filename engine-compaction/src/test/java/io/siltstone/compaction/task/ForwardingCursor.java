package io.siltstone.compaction.task;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;

/** Forwards to another cursor, except for what a test overrides. Closing it closes the other. */
abstract class ForwardingCursor implements PartitionCursor {
  final PartitionCursor source;

  ForwardingCursor(PartitionCursor source) {
    this.source = source;
  }

  @Override
  public RowEncoding encoding() {
    return source.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    return source.nextPartition();
  }

  @Override
  public PartitionKey key() {
    return source.key();
  }

  @Override
  public long deletionTimestamp() {
    return source.deletionTimestamp();
  }

  @Override
  public long deletionLocalTime() {
    return source.deletionLocalTime();
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    return source.nextUnfiltered();
  }

  @Override
  public Unfiltered unfiltered() {
    return source.unfiltered();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
