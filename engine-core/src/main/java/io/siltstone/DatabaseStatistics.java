package io.siltstone;

import io.siltstone.memory.MemoryKind;
import io.siltstone.statistics.CacheStatistics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a database holds, beside its tables.
 *
 * @param offHeapBytes all off-heap memory, with what is listed next
 * @param offHeapLimitBytes most that it may be
 * @param offHeapBytesByKind by what it is for
 * @param memtableBytes what memtables take, on and off the heap
 * @param memtableLimitBytes most that it may be
 * @param chunkCache of decompressed chunks
 * @param keyCache of positions of partitions
 * @param commitLogBytes of segments on the disk that are still needed
 * @param openHandles rows, cursors, snapshots and iterators that users have not closed yet
 * @param readOnlyReason why nothing can be written any more, or null
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
    @Nullable String readOnlyReason) {
  /** Copies the map. */
  public DatabaseStatistics {
    offHeapBytesByKind = Map.copyOf(offHeapBytesByKind);
  }
}
