package io.siltstone.files;

import java.io.IOException;

/**
 * Limits the rate of reads: called before a file is read, it returns how much may be read now. An
 * implementation that limits a rate waits in the call; one that can be canceled throws.
 *
 * <p>Safe for use by all threads: with read-ahead it is called by the reading threads.
 */
@FunctionalInterface
public interface ReadThrottle {
  /**
   * The unit of grants: each grant is a multiple of it unless all requested bytes are granted, so
   * that partial reads begin at page boundaries of the cache.
   */
  int GRANULARITY_BYTES = 4096;

  /** Grants everything at once. */
  ReadThrottle NONE = bytes -> bytes;

  /**
   * Waits until some bytes may be read.
   *
   * @param bytes requested number, 1 or more
   * @return bytes to be read before the next call: 1 to {@code bytes}; a multiple of {@value
   *     #GRANULARITY_BYTES} if it is not all of them
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits; it stays
   *     marked as interrupted
   * @throws java.util.concurrent.CancellationException if the read has been canceled
   */
  int acquire(int bytes) throws IOException;
}
