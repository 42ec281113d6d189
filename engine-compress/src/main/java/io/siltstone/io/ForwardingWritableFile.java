package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A file that hands every write on to another: what wrappers begin with. Threads and errors are
 * those of the other.
 */
public abstract class ForwardingWritableFile implements WritableFile {
  private final WritableFile inner;

  /**
   * @param inner what calls go to; taken over: closing this closes it
   */
  protected ForwardingWritableFile(WritableFile inner) {
    this.inner = Objects.requireNonNull(inner, "inner");
  }

  @Override
  public String path() {
    return inner.path();
  }

  @Override
  public long position() {
    return inner.position();
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    inner.write(src);
  }

  @Override
  public void sync() throws IOException {
    inner.sync();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
