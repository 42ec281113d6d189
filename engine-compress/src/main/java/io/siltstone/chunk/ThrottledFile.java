package io.siltstone.chunk;

import io.siltstone.files.ReadThrottle;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is read in the parts which a throttle grants. Closing it closes the file. */
final class ThrottledFile extends ForwardingReadableFile {
  private final ReadThrottle throttle;

  private ThrottledFile(ReadableFile file, ReadThrottle throttle) {
    super(file);
    this.throttle = throttle;
  }

  /** Takes the file over. */
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

  /** Direct I/O reads whole blocks, which may be larger than what a throttle counts in. */
  private int granted(int wanted) throws IOException {
    int granted = 0;
    do {
      granted += throttle.acquire(wanted - granted);
    } while (granted < wanted && granted % alignment() != 0);
    return granted;
  }
}
