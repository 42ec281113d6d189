package io.siltstone;

import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.table.GuardedListener;
import io.siltstone.table.MemtablePool;
import io.siltstone.table.OwnThreads;
import io.siltstone.table.Threads;
import io.siltstone.threads.Closeables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources of a database that shares none with others. */
final class OwnResources implements DatabaseResources {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final DatabaseOptions options;
  private final MemoryLimit shares;
  private final Threads threads;

  OwnResources(Directory root, DatabaseOptions options) {
    this.options = options;
    this.shares = MemoryLimit.of(options, PooledMemory.allowedByJvm());
    this.threads = new OwnThreads(root);
    warnOfLess(root.path(), options, shares);
  }

  /** Logs a warning if memory is limited to less than was asked for. */
  static void warnOfLess(String user, DatabaseOptions options, MemoryLimit shares) {
    if (options.asksForMoreThan(shares)) {
      LOG.warn(
          "{}: memoryBytes is {}, but the JVM allows {} bytes off the heap; so {} are used, of them"
              + " {} for memtables and {} for the chunk cache; -XX:MaxDirectMemorySize allows more",
          user,
          options.memoryBytes(),
          PooledMemory.allowedByJvm(),
          shares.allBytes(),
          shares.memtableBytes(),
          shares.chunkCacheBytes());
    }
  }

  @Override
  public Threads threads() {
    return threads;
  }

  @Override
  public MemoryBudget budget(Runnable reclaimer) {
    return PooledMemory.withLimit(shares.allBytes(), reclaimer);
  }

  @Override
  public ReadCaches caches(MemoryBudget budget, Closeables closeables) {
    ReadCaches caches = caches(options, shares, budget);
    closeables.add(caches.chunks());
    return caches;
  }

  /** Returns the caches that some options ask for; the caller closes that of chunks. */
  static ReadCaches caches(DatabaseOptions options, MemoryLimit shares, MemoryBudget budget) {
    ChunkCache chunks =
        shares.chunkCacheBytes() == 0
            ? ChunkCache.off()
            : ChunkCache.withCapacity(shares.chunkCacheBytes(), budget);
    KeyCache keys =
        options.keyCacheBytes() == 0
            ? KeyCache.off()
            : KeyCache.withCapacity(options.keyCacheBytes());
    return ReadCaches.of(chunks, keys, budget);
  }

  @Override
  public MemtablePool memtables(MemoryBudget budget, GuardedListener listener) {
    return new MemtablePool(shares.memtableBytes(), budget, listener);
  }

  @Override
  public void close() {
    // All that was made is closed by the engine.
  }
}
