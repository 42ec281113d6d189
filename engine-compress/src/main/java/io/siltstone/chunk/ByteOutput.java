package io.siltstone.chunk;

import java.io.IOException;

/** Takes the uncompressed bytes of a file, front to back. Confined to one thread. */
public interface ByteOutput {
  /** Returns the number of uncompressed bytes written so far. */
  long position();

  /**
   * Appends bytes.
   *
   * @throws IOException if these or earlier bytes could not be written; the caller can then only
   *     close the output
   */
  void write(byte[] src, int offset, int length) throws IOException;

  /** Appends a byte; see {@link #write(byte[], int, int)}. */
  void write(byte value) throws IOException;
}
