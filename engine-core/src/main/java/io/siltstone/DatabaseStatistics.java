package io.siltstone;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.table.Services;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory, caches and commit log of a database at one moment. Sizes are in bytes.
 *
 * @param offHeap all off-heap memory
 * @param memtables the memory of memtables
 * @param chunkCache the cache of decompressed chunks, that of all databases if they share it
 * @param keyCache the cache of partition positions, that of all databases if they share it
 * @param commitLogBytes the size on disk of the segments that are still needed
 * @param openHandles the number of rows, cursors, snapshots and iterators that are not closed yet
 * @param state whether it can be read and changed
 * @param readOnlyReason the failure since which the database takes no more changes; null if it
 *     takes them
 */
public record DatabaseStatistics(
    OffHeap offHeap,
    Memtables memtables,
    CacheStatistics chunkCache,
    CacheStatistics keyCache,
    long commitLogBytes,
    int openHandles,
    DatabaseState state,
    @Nullable String readOnlyReason) {

  /** Returns the statistics of an open database. */
  static DatabaseStatistics of(Engine engine) throws IOException {
    MemoryBudget budget = engine.services.budget();
    Map<MemoryKind, Long> kinds = new EnumMap<>(MemoryKind.class);
    for (MemoryKind kind : MemoryKind.values()) {
      kinds.put(kind, budget.used(kind));
    }
    Services.Memory memory = engine.services.memory();
    return new DatabaseStatistics(
        new OffHeap(budget.used(), budget.limit(), kinds),
        new Memtables(memory.memtables().used(), memory.memtables().limit()),
        memory.caches().chunks().statistics(),
        memory.caches().keys().statistics(),
        engine.options.isReadOnly() ? 0 : engine.writePath().log().diskBytes(),
        engine.handles.count(),
        engine.state(),
        engine.services.health().reason());
  }

  /**
   * The off-heap memory of a database.
   *
   * @param bytes the memory in use; without the chunk cache if that is shared
   * @param limitBytes the maximum of it, of all databases together if they share it
   * @param bytesByKind the memory in use, by purpose
   */
  public record OffHeap(long bytes, long limitBytes, Map<MemoryKind, Long> bytesByKind) {
    /** Copies the map. */
    public OffHeap {
      bytesByKind = Map.copyOf(bytesByKind);
    }
  }

  /**
   * The memory that memtables take up, on and off the heap.
   *
   * @param bytes the memory in use
   * @param limitBytes the maximum of it, of all databases together if they share it
   */
  public record Memtables(long bytes, long limitBytes) {}
}
