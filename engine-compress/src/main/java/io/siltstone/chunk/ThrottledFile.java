package io.siltstone.chunk;

import io.siltstone.io.ReadThrottle;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is read in the parts which a throttle grants. Closing it closes the file. */
final class ThrottledFile implements ReadableFile {
  private final ReadableFile file;
  private final ReadThrottle throttle;

  private ThrottledFile(ReadableFile file, ReadThrottle throttle) {
    this.file = file;
    this.throttle = throttle;
  }

  /** Takes the file over. */
  static ReadableFile of(ReadableFile file, ReadThrottle throttle) {
    return throttle == ReadThrottle.NONE ? file : new ThrottledFile(file, throttle);
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public int alignment() {
    return file.alignment();
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    int end = dst.limit();
    int done = 0;
    try {
      while (dst.position() < end) {
        int granted = granted(end - dst.position());
        dst.limit(dst.position() + granted);
        int read = file.read(position + done, dst);
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
    } while (granted < wanted && granted % file.alignment() != 0);
    return granted;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
