package io.siltstone.kafka.streams.host;

import io.siltstone.SharedResources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory budget, caches and threads that all databases of state stores of a JVM share: built
 * for the first user, closed after the last. Safe for use by all threads.
 */
final class JvmResources {
  private static final Logger LOG = LoggerFactory.getLogger(JvmResources.class);

  // Guarded by this.
  private @Nullable SharedResources shared;
  private long memoryBytes;
  private int users;

  /** Begins a use; the limit counts if it is the first. */
  synchronized SharedResources acquire(long bytes) {
    SharedResources present = shared;
    if (present == null) {
      // Half for what is being written, as a commit has to fit as a whole; a quarter for chunks.
      present =
          SharedResources.builder()
              .memoryBytes(bytes)
              .memtableBytes(bytes / 2)
              .chunkCacheBytes(bytes / 4)
              .keyCacheBytes(Math.min(bytes / 32, 16L << 20))
              .build();
      shared = present;
      memoryBytes = bytes;
    } else if (memoryBytes != bytes) {
      LOG.warn(
          "state stores of this JVM share {} bytes of memory already, so that the limit of {} bytes"
              + " of another application has no effect",
          memoryBytes,
          bytes);
    }
    users++;
    return present;
  }

  /** Ends a use. */
  synchronized void release() {
    SharedResources present = shared;
    if (present != null && --users == 0) {
      shared = null;
      present.close();
    }
  }

  synchronized boolean isInUse() {
    return shared != null;
  }
}
