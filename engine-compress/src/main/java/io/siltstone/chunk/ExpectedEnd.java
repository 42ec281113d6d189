package io.siltstone.chunk;

import java.io.IOException;

/**
 * The position where the next reads of a {@link ChunkSource} will end. A source asks for it when it
 * has to decompress a chunk, as finding the end may take a search that is not worth it where the
 * chunk is cached.
 */
@FunctionalInterface
public interface ExpectedEnd {
  /** An end that is not known. */
  ExpectedEnd UNKNOWN = () -> Long.MAX_VALUE;

  /**
   * Returns the position in the uncompressed file after the last byte; {@link Long#MAX_VALUE} if
   * that is not known.
   */
  long position() throws IOException;
}
