package io.siltstone.sstable.big;

import io.siltstone.io.ReadableFile;
import java.nio.ByteBuffer;

/**
 * An empty file in place of a missing one.
 *
 * @param path the path of the missing file
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
