package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Makes a file durable through a descriptor of its own, which interrupts do not touch.
 *
 * <p>A channel that is interrupted in the midst of a sync hides whether that failed; and as the
 * kernel tells each descriptor of a failed write once, a sync that is repeated through another one
 * succeeds, though the bytes are lost. Opened before anything is written, this one hears of it.
 *
 * <p>Safe for all threads.
 */
final class FileSync implements Closeable {
  private final RandomAccessFile file;

  private FileSync(RandomAccessFile file) {
    this.file = file;
  }

  /** Of a file that is there. */
  static FileSync open(Path file) throws IOException {
    return new FileSync(new RandomAccessFile(file.toFile(), "rw"));
  }

  /** Makes what was written to the file, by whatever descriptor, durable, and its length. */
  void sync() throws IOException {
    file.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
