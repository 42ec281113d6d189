package io.siltstone;

import io.siltstone.memory.MemoryKind;
import io.siltstone.statistics.CacheStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory, caches and commit log of a database at one moment. Sizes are in bytes.
 *
 * @param offHeapBytes all off-heap memory in use
 * @param offHeapLimitBytes the maximum of it
 * @param offHeapBytesByKind the off-heap memory in use, by purpose
 * @param memtableBytes the memory that memtables take up, on and off the heap
 * @param memtableLimitBytes the maximum of it
 * @param chunkCache the cache of decompressed chunks
 * @param keyCache the cache of partition positions
 * @param commitLogBytes the size on disk of the segments that are still needed
 * @param openHandles the number of rows, cursors, snapshots and iterators that are not closed yet
 * @param state whether it can be read and changed
 * @param readOnlyReason the failure since which the database takes no more changes; null if it
 *     takes them
 */
public record DatabaseStatistics(
    long offHeapBytes,
    long offHeapLimitBytes,
    Map<MemoryKind, Long> offHeapBytesByKind,
    long memtableBytes,
    long memtableLimitBytes,
    CacheStatistics chunkCache,
    CacheStatistics keyCache,
    long commitLogBytes,
    int openHandles,
    DatabaseState state,
    @Nullable String readOnlyReason) {
  /** Copies the map. */
  public DatabaseStatistics {
    offHeapBytesByKind = Map.copyOf(offHeapBytesByKind);
  }
}
