package io.siltstone.liveset;

import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;

/** An output that is a copy of an input with another compression. */
final class RewrittenOutput implements Output {
  private final SSTableRewriter rewriter;

  RewrittenOutput(SSTableRewriter rewriter) {
    this.rewriter = rewriter;
  }

  @Override
  public Descriptor descriptor() {
    return rewriter.descriptor();
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public void finish() throws IOException {
    rewriter.finish();
  }

  @Override
  public void publish() throws IOException {
    rewriter.publish();
  }

  @Override
  public void close() throws IOException {
    rewriter.close();
  }
}
