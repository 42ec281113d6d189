package io.siltstone.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.statistics.CacheStatistics;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decompressed chunks of all tables, off-heap, for point reads.
 *
 * <p>A chunk is counted by its users: one that is evicted while a reader copies from it is freed
 * when the copy is done. So the cache takes its capacity and what running reads hold beyond, one
 * chunk each. A 32nd of the capacity is kept for memory that changes hands from an evicted chunk to
 * the next. If the budget refuses memory, a chunk is read and not kept. A chunk whose checksum or
 * content is wrong is never kept. Two readers that miss the same chunk at once both read it, and
 * nobody waits; one of the copies is kept.
 *
 * <p>A cache that is full takes a chunk only when it is missed for the second time in a while.
 * Where data is much larger than the cache most chunks are not read again for long, and it would
 * exchange one for another at every read: an entry, an eviction, and memory that no cache of the
 * processor has. What was missed is remembered on the heap, in a 2048th of the capacity.
 *
 * <p>Which chunks stay is Caffeine's choice (W-TinyLFU), weighed by their bytes. Eviction runs in
 * the thread that made it necessary. Safe for all threads. Closed by its owner after all files that
 * were opened on it.
 */
public final class ChunkCache implements AutoCloseable {
  private static final int SHARE_OF_SPARE = 32;

  // A chunk of the default length is remembered for the time in which twice as many are missed as
  // the cache holds.
  private static final int BYTES_PER_SEEN = 8 << 10;

  private final long capacityBytes;
  // What chunks may take, without what is spare.
  private final long keptBytes;
  private final AdmissionFilter seenBefore;
  // Null if the cache is off.
  private final @Nullable Cache<ChunkId, CachedChunk> chunks;
  private final @Nullable Slabs slabs;
  private final AtomicLong nextFile = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private volatile boolean closed;

  private ChunkCache(long capacityBytes, @Nullable MemoryBudget budget) {
    this.capacityBytes = capacityBytes;
    if (budget == null) {
      keptBytes = 0;
      seenBefore = AdmissionFilter.amongLast(0);
      chunks = null;
      slabs = null;
      return;
    }
    long spareBytes = capacityBytes / SHARE_OF_SPARE;
    keptBytes = capacityBytes - spareBytes;
    seenBefore = AdmissionFilter.amongLast(capacityBytes / BYTES_PER_SEEN);
    slabs = new Slabs(budget, spareBytes);
    chunks =
        Caffeine.newBuilder()
            .maximumWeight(keptBytes)
            .weigher((ChunkId id, CachedChunk chunk) -> chunk.bytes())
            .removalListener(this::removed)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns a cache.
   *
   * @param capacityBytes of uncompressed data, 0 or more; 0 for a cache that is {@link #off}
   * @param budget that its memory is taken from, as {@link
   *     io.siltstone.memory.MemoryKind#CHUNK_CACHE}
   */
  public static ChunkCache withCapacity(long capacityBytes, MemoryBudget budget) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "chunk cache of " + capacityBytes + " bytes, allowed 0 and more");
    }
    return capacityBytes == 0 ? off() : new ChunkCache(capacityBytes, budget);
  }

  /** Returns a cache that keeps nothing. */
  public static ChunkCache off() {
    return new ChunkCache(0, null);
  }

  /** Returns whether it keeps nothing. */
  public boolean isOff() {
    return chunks == null;
  }

  /**
   * Takes on a file, until what is returned is closed.
   *
   * @param file that stays its owner's
   */
  public CachedFile open(ChunkedFile file) {
    if (closed) {
      throw new IllegalStateException("chunk cache is closed");
    }
    return new CachedFile(this, nextFile.getAndIncrement(), file);
  }

  /** Returns what it has done, and holds now. */
  public CacheStatistics statistics() {
    return new CacheStatistics(
        hits.sum(),
        misses.sum(),
        evictions.sum(),
        chunks == null ? 0 : chunks.estimatedSize(),
        slabs == null ? 0 : slabs.bytes(),
        capacityBytes);
  }

  /**
   * Returns the chunk, if it is here; the caller then is a user of it, and has to release it.
   *
   * @param id not kept
   */
  @Nullable CachedChunk find(ChunkId id) {
    CachedChunk chunk = chunks().getIfPresent(id);
    if (chunk != null && chunk.retain()) {
      hits.increment();
      return chunk;
    }
    misses.increment();
    return null;
  }

  /**
   * Returns whether a chunk that is not here is to be kept once it is read.
   *
   * @param id not kept
   * @param bytes of the chunk
   */
  boolean wants(ChunkId id, int bytes) {
    return bytes <= keptBytes
        && (slabs().bytes() + bytes <= keptBytes || seenBefore.test(id.hashCode()));
  }

  /** Memory for a chunk; null if there is none to be had. */
  @Nullable Slab takeSlab(int bytes) {
    return closed ? null : slabs().take(bytes);
  }

  /** Gives back a slab into which nothing could be read. */
  void giveBack(Slab slab) {
    slabs().giveBack(slab);
  }

  /**
   * Keeps a chunk, unless somebody else was first.
   *
   * @param slab that holds it, taken over
   * @return the chunk, which the caller is a user of
   */
  CachedChunk keep(CachedFile file, long chunk, Slab slab) {
    CachedChunk kept = new CachedChunk(file.number(), chunk, slabs(), slab);
    kept.retain();
    if (chunks().asMap().putIfAbsent(kept, kept) != null) {
      kept.release();
    }
    if (closed || file.isClosed()) {
      // Whoever closed it may not have seen the chunk.
      chunks().invalidate(kept);
    }
    return kept;
  }

  /** Removes the chunks of a file: goes through those of the file or those of the cache. */
  void forget(long file, long chunkCount) {
    if (chunkCount <= chunks().estimatedSize()) {
      ChunkId id = new ChunkId(file, 0);
      for (long i = 0; i < chunkCount; i++) {
        chunks().invalidate(id.turnTo(i));
      }
    } else {
      chunks().asMap().keySet().removeIf(id -> id.file() == file);
    }
  }

  private void removed(@Nullable ChunkId id, @Nullable CachedChunk chunk, RemovalCause cause) {
    if (cause.wasEvicted()) {
      evictions.increment();
    }
    if (chunk != null) {
      chunk.release();
    }
  }

  private Cache<ChunkId, CachedChunk> chunks() {
    if (chunks == null) {
      throw new IllegalStateException("chunk cache is off");
    }
    return chunks;
  }

  private Slabs slabs() {
    if (slabs == null) {
      throw new IllegalStateException("chunk cache is off");
    }
    return slabs;
  }

  /** Frees all chunks; one that is being copied from, when that is done. */
  @Override
  public void close() {
    closed = true;
    if (chunks != null && slabs != null) {
      chunks.invalidateAll();
      slabs.close();
    }
  }
}
