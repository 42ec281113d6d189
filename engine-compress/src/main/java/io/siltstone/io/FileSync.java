package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Makes a file durable through a descriptor of its own, which interrupts do not affect.
 *
 * <p>A channel that is interrupted during a sync does not report whether the sync failed. The
 * kernel reports a failed write once to each descriptor, so a sync that is repeated through another
 * descriptor succeeds although the bytes are lost. This descriptor is opened before anything is
 * written, so it receives the error.
 *
 * <p>Safe for use by all threads.
 */
final class FileSync implements Closeable {
  private final RandomAccessFile file;

  private FileSync(RandomAccessFile file) {
    this.file = file;
  }

  /** Opens the descriptor of an existing file. */
  static FileSync open(Path file) throws IOException {
    return new FileSync(new RandomAccessFile(file.toFile(), "rw"));
  }

  /** Makes durable all that was written to the file, by whatever descriptor, and its length. */
  void sync() throws IOException {
    file.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
