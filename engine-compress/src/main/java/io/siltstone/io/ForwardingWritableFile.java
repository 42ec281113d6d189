package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A file that forwards every write to another one: the base class of wrappers. Threads and errors
 * are those of the other file.
 */
public abstract class ForwardingWritableFile implements WritableFile {
  private final WritableFile inner;

  /**
   * @param inner receives the calls; taken over: closing this file closes it
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
