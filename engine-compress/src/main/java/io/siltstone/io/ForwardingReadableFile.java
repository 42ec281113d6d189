package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A file that forwards every read to another one: the base class of wrappers. Threads and errors
 * are those of the other file.
 *
 * <p>Reads into arrays also call {@link #read(long, ByteBuffer)}, so that a subclass overrides a
 * single method.
 */
public abstract class ForwardingReadableFile implements ReadableFile {
  private final ReadableFile inner;

  /**
   * @param inner receives the calls; taken over: closing this file closes it
   */
  protected ForwardingReadableFile(ReadableFile inner) {
    this.inner = Objects.requireNonNull(inner, "inner");
  }

  @Override
  public String path() {
    return inner.path();
  }

  @Override
  public long length() {
    return inner.length();
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    return inner.read(position, dst);
  }

  @Override
  public int alignment() {
    return inner.alignment();
  }

  @Override
  public boolean isMapped() {
    return inner.isMapped();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }
}
