package io.siltstone;

import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.table.MemtableSpace;

/**
 * What a database may take off the heap, where the JVM may allow less than its options do: a flush
 * is asked for, and a cache is full, before the JVM refuses.
 *
 * @param allBytes of all kinds
 * @param memtableBytes of them, for memtables
 * @param chunkCacheBytes of them, for the chunk cache
 */
record MemoryShares(long allBytes, long memtableBytes, long chunkCacheBytes) {
  private static final long LEAST_MEMTABLE_BYTES = 1 << 20;

  // Left to whoever else takes memory off the heap.
  private static final int SHARE_OF_OTHERS = 16;

  /**
   * As the options say, or less: memtables and the chunk cache keep their size as long as they
   * leave half of what is allowed to all else, or as much as the options leave it; beyond, they are
   * made smaller in proportion.
   *
   * @param allowed by the JVM
   * @throws OutOfBudgetException if that is less than any database needs that is written
   */
  static MemoryShares of(DatabaseOptions options, long allowed) {
    // What is only read needs little of what it may have, and who sets no limit means the JVM's.
    if (options.isReadOnly()
        || options.memoryBytes() <= allowed
        || options.memoryBytes() == Long.MAX_VALUE) {
      return new MemoryShares(
          options.memoryBytes(), options.memtableBytes(), options.chunkCacheBytes());
    }
    long all = allowed - allowed / SHARE_OF_OTHERS;
    long fixed = options.commitLog().bufferBytes() + MemtableSpace.FLUSH_BYTES;
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
    return new MemoryShares(all, memtables, chunks);
  }
}
