package io.siltstone.sstable;

import io.siltstone.io.ReadableFile;
import java.nio.ByteBuffer;

/**
 * Stands for a file that is missing: empty.
 *
 * @param path that it would have
 */
record NoFile(String path) implements ReadableFile {
  @Override
  public long length() {
    return 0;
  }

  @Override
  public int read(long position, ByteBuffer dst) {
    return 0;
  }

  @Override
  public void close() {}
}
