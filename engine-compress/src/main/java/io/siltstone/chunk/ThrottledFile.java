package io.siltstone.chunk;

import io.siltstone.files.ReadThrottle;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file whose reads are limited by a throttle: each read is done in the parts that the throttle
 * grants. Closing it closes the file.
 */
final class ThrottledFile extends ForwardingReadableFile {
  private final ReadThrottle throttle;

  private ThrottledFile(ReadableFile file, ReadThrottle throttle) {
    super(file);
    this.throttle = throttle;
  }

  /** Returns a throttled view of the file, which it takes over. */
  static ReadableFile of(ReadableFile file, ReadThrottle throttle) {
    return throttle == ReadThrottle.NONE ? file : new ThrottledFile(file, throttle);
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    int end = dst.limit();
    int done = 0;
    try {
      while (dst.position() < end) {
        int granted = granted(end - dst.position());
        dst.limit(dst.position() + granted);
        int read = super.read(position + done, dst);
        done += read;
        if (read < granted) {
          break;
        }
      }
    } finally {
      dst.limit(end);
    }
    return done;
  }

  /**
   * Returns the granted bytes, rounded to whole blocks, which direct I/O needs and which may be
   * larger than the throttle's granularity.
   */
  private int granted(int wanted) throws IOException {
    int granted = 0;
    do {
      granted += throttle.acquire(wanted - granted);
    } while (granted < wanted && granted % alignment() != 0);
    return granted;
  }
}
