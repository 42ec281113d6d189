package io.siltstone.chunk;

import java.io.IOException;

/**
 * Observes the uncompressed bytes of a data file while they are written: the very arrays that the
 * compressor has read.
 *
 * <p>Called in the order of the file by whichever thread stores a batch, but never by two at once;
 * what one call has written is visible to the next.
 */
@FunctionalInterface
public interface DataObserver {
  /** Observes nothing. */
  DataObserver NONE = (bytes, length) -> {};

  /**
   * Takes the next bytes of the file. The array must not be changed, nor kept.
   *
   * @param length of what is valid, from index 0 on
   * @throws IOException if the bytes are not what the file must have; then writing fails
   */
  void written(byte[] bytes, int length) throws IOException;
}
