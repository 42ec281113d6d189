package io.siltstone.bench.volume;

import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file whose reads pass a {@link ReadRateLimiter}. Thread-safety and ownership are those of the
 * file.
 */
final class RateLimitedFile extends ForwardingReadableFile {
  private final ReadRateLimiter gate;

  RateLimitedFile(ReadableFile file, ReadRateLimiter gate) {
    super(file);
    this.gate = gate;
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    gate.pass(dst.remaining());
    return super.read(position, dst);
  }

  /** Returns false: a small read passes the limiter as well, and is not cheap. */
  @Override
  public boolean isMapped() {
    return false;
  }
}
