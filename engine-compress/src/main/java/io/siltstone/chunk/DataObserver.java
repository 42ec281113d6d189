package io.siltstone.chunk;

import java.io.IOException;

/**
 * Observes the uncompressed bytes of a data file while they are written: it receives the same
 * arrays that the compressor has read.
 *
 * <p>Called in the order of the file by the thread that stores a batch, never by two threads at
 * once; the effects of one call are visible to the next.
 */
@FunctionalInterface
public interface DataObserver {
  /** An observer that does nothing. */
  DataObserver NONE = (bytes, length) -> {};

  /**
   * Receives the next bytes of the file. It must neither change nor keep the array.
   *
   * @param length number of valid bytes, from index 0 on
   * @throws IOException if the bytes are not those that the file must have; writing then fails
   */
  void written(byte[] bytes, int length) throws IOException;
}
