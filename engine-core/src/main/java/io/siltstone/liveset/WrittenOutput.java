package io.siltstone.liveset;

import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/** An output that a flush or a compaction writes. */
final class WrittenOutput implements Output {
  private final SSTableWriter writer;

  WrittenOutput(SSTableWriter writer) {
    this.writer = writer;
  }

  @Override
  public Descriptor descriptor() {
    return writer.descriptor();
  }

  @Override
  public boolean isEmpty() {
    return writer.partitions() == 0;
  }

  @Override
  public void finish() throws IOException {
    writer.finish();
  }

  @Override
  public void publish() throws IOException {
    writer.publish();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
