package io.siltstone;

import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.table.MemtablePool;

/**
 * Returns the memory limits of a database: those of its options, or less if the JVM allows less.
 * They are lowered so that a flush begins, or a cache evicts, before the JVM refuses memory.
 *
 * @param allBytes the limit of all off-heap memory
 * @param memtableBytes the part of it for memtables
 * @param chunkCacheBytes the part of it for the chunk cache
 */
record MemoryLimit(long allBytes, long memtableBytes, long chunkCacheBytes) {
  private static final long LEAST_MEMTABLE_BYTES = 1 << 20;

  // A sixteenth is left to other users of off-heap memory in the process.
  private static final int SHARE_OF_OTHERS = 16;

  /**
   * Returns the options' sizes if they fit. Otherwise memtables and the chunk cache keep their
   * sizes as long as they leave half of what is allowed to everything else, or as much as the
   * options leave; if they would leave less, both are reduced in proportion.
   *
   * @param allowed the bytes that the JVM allows
   * @throws OutOfBudgetException if that is too little for any database that is open for writing
   */
  static MemoryLimit of(DatabaseOptions options, long allowed) {
    // A read-only database seldom needs its whole limit; without a limit, that of the JVM holds.
    if (options.isReadOnly()
        || options.memoryBytes() <= allowed
        || options.memoryBytes() == Long.MAX_VALUE) {
      return new MemoryLimit(
          options.memoryBytes(), options.memtableBytes(), options.chunkCacheBytes());
    }
    long all = allowed - allowed / SHARE_OF_OTHERS;
    long fixed = options.commitLog().bufferBytes() + MemtablePool.FLUSH_BYTES;
    if (all < fixed + LEAST_MEMTABLE_BYTES) {
      throw new OutOfBudgetException(
          "the JVM allows "
              + allowed
              + " bytes off the heap, too little for the commit log's buffer of "
              + options.commitLog().bufferBytes()
              + ", 1 MiB of memtables and 1 MiB for a flush; -XX:MaxDirectMemorySize allows more");
    }
    double parts = (double) options.memtableBytes() + options.chunkCacheBytes();
    double ofAll = Math.max(0.5, parts / (options.memoryBytes() - fixed));
    double share = Math.min(1, ofAll * (all - fixed) / parts);
    long memtables = Math.max(LEAST_MEMTABLE_BYTES, (long) (options.memtableBytes() * share));
    long chunks = Math.min((long) (options.chunkCacheBytes() * share), all - fixed - memtables);
    return new MemoryLimit(all, memtables, chunks);
  }
}
