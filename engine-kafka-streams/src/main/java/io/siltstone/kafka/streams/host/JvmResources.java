package io.siltstone.kafka.streams.host;

import io.siltstone.SharedResources;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory budget, caches and threads that all databases of state stores of a JVM share: built
 * for the first user, closed after the last. Safe for use by all threads.
 */
final class JvmResources {
  private static final Logger LOG = LoggerFactory.getLogger(JvmResources.class);

  // The threads are those of all stores, beside the ones of the application: their number does not
  // grow with that of the processors as it does by default.
  private static final int FLUSH_THREADS = 2;
  private static final int MOST_COMPACTORS = 2;

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
              .flushThreads(FLUSH_THREADS)
              .scanThreads(1)
              .compaction(new CompactionService(compaction()))
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

  private static CompactionOptions compaction() {
    int processors = Runtime.getRuntime().availableProcessors();
    return CompactionOptions.builder()
        .compactors(Math.max(1, Math.min(MOST_COMPACTORS, processors / 2)))
        .pipelineThreads(1)
        .subCompactions(1)
        .build();
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
