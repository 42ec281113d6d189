package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A file that hands every read on to another: what wrappers begin with. Threads and errors are
 * those of the other.
 *
 * <p>Reads into arrays come to {@link #read(long, ByteBuffer)} too, so that there is one to
 * override.
 */
public abstract class ForwardingReadableFile implements ReadableFile {
  private final ReadableFile inner;

  /**
   * @param inner what calls go to; taken over: closing this closes it
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
