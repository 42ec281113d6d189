package io.siltstone.files;

import java.io.IOException;

/**
 * Asked before a file is read how much may be read now. Who limits a rate waits in here; who can be
 * cancelled throws.
 *
 * <p>Safe for all threads: with read-ahead it is called by the threads that read.
 */
@FunctionalInterface
public interface ReadThrottle {
  /**
   * What grants are multiples of, unless all is granted: so that reads in parts still begin at the
   * pages of the cache.
   */
  int GRANULARITY_BYTES = 4096;

  /** Grants everything at once. */
  ReadThrottle NONE = bytes -> bytes;

  /**
   * Waits until something may be read.
   *
   * @param bytes that are wanted, 1 or more
   * @return bytes to be read before the next call: 1 to {@code bytes}; a multiple of {@value
   *     #GRANULARITY_BYTES} if it is not all of them
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits; it stays
   *     marked as interrupted
   * @throws java.util.concurrent.CancellationException if nothing is to be read any more
   */
  int acquire(int bytes) throws IOException;
}
