package io.siltstone.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.statistics.CacheStatistics;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The chunk cache (block cache): decompressed chunks of all tables, off-heap, for point reads.
 *
 * <p>Chunks have reference counts: a chunk that is evicted while a reader copies from it is freed
 * after the copy. The cache therefore takes its capacity plus one chunk per running read. A 32nd of
 * the capacity is reserved for memory that passes from an evicted chunk to the next. If the memory
 * budget is exhausted, a chunk is read but not cached. A chunk with a wrong checksum or corrupt
 * content is never cached. Two readers that miss the same chunk at once both read it without
 * waiting; one of the copies is cached.
 *
 * <p>Admission: a full cache admits a chunk only at its second miss within a while ({@link
 * AdmissionFilter}). If the data is much larger than the cache, most chunks are not read again
 * soon, and admitting each would cost an entry, an eviction and cold memory at every read. Recent
 * misses are remembered on the heap, in a 2048th of the capacity.
 *
 * <p>Readers find chunks in the {@link ChunkIndex} of their file, which has the chunks of the cache
 * at all times. Which of them stay is decided by Caffeine (W-TinyLFU), weighted by bytes, in the
 * thread that adds a chunk; it learns of hits by {@linkplain HitSampling samples}.
 *
 * <p>Safe for use by all threads. The owner closes the cache after all files opened on it.
 */
public final class ChunkCache implements AutoCloseable {
  private static final int SHARE_OF_SPARE = 32;

  // A chunk of the default length is remembered during twice as many misses as the cache holds
  // chunks.
  private static final int BYTES_PER_SEEN = 8 << 10;

  private final long capacityBytes;
  // The capacity for chunks, without the reserve.
  private final long keptBytes;
  private final AdmissionFilter seenBefore;
  // Null if the cache is off.
  private final @Nullable Cache<CachedChunk, CachedChunk> chunks;
  private final @Nullable Slabs slabs;
  private final AtomicLong nextFile = new AtomicLong();
  private final HitCounts counts = new HitCounts();
  private final AtomicLong evictions = new AtomicLong();
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
            .weigher((CachedChunk key, CachedChunk chunk) -> chunk.bytes())
            .removalListener(this::removed)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Returns a cache.
   *
   * @param capacityBytes of uncompressed data, 0 or more; 0 for a cache that is {@link #off}
   * @param budget from which its memory is taken, as {@link
   *     io.siltstone.memory.MemoryKind#CHUNK_CACHE}
   */
  public static ChunkCache withCapacity(long capacityBytes, MemoryBudget budget) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "chunk cache of " + capacityBytes + " bytes, allowed 0 or more");
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
   * Registers a file, until the result is closed.
   *
   * @param file owned by the caller
   */
  public CachedFile open(ChunkedFile file) {
    if (closed) {
      throw new IllegalStateException("chunk cache is closed");
    }
    return new CachedFile(this, nextFile.getAndIncrement(), file);
  }

  /** Returns the statistics of the cache. */
  public CacheStatistics statistics() {
    return new CacheStatistics(
        counts.hits(),
        counts.misses(),
        evictions.get(),
        chunks == null ? 0 : chunks.estimatedSize(),
        slabs == null ? 0 : slabs.bytes(),
        capacityBytes);
  }

  /** Returns a reader's counter of hits and misses, to be closed by the caller. */
  HitCounts.Counter newCounter() {
    return counts.open();
  }

  /** Returns the number of evictions so far. */
  long evictions() {
    return evictions.get();
  }

  /** Records a hit with the eviction policy; see {@link HitSampling}. */
  void record(CachedChunk chunk) {
    var unused = chunks().getIfPresent(chunk);
  }

  /**
   * Returns whether a missed chunk is admitted once it is read.
   *
   * @param number of the chunk
   * @param bytes of the chunk
   */
  boolean wants(CachedFile file, long number, int bytes) {
    return bytes <= keptBytes
        && (slabs().bytes() + bytes <= keptBytes
            || seenBefore.test(CachedChunk.hash(file.number(), number)));
  }

  /** Returns memory for a chunk; null if the budget is exhausted. */
  @Nullable Slab takeSlab(int bytes) {
    return closed ? null : slabs().take(bytes);
  }

  /** Returns a slab into which nothing could be read. */
  void giveBack(Slab slab) {
    slabs().giveBack(slab);
  }

  /**
   * Caches a chunk, unless another thread was first.
   *
   * @param slab with its bytes, whose ownership passes to the cache
   * @return the chunk, with a reference for the caller
   */
  CachedChunk keep(CachedFile file, long number, Slab slab) {
    CachedChunk kept = new CachedChunk(file, number, slabs(), slab);
    kept.retain();
    // The index is first: a chunk that the policy evicts at once is already there to be removed.
    if (!file.chunks().add(kept)) {
      kept.release();
      return kept;
    }
    boolean isPut = false;
    try {
      chunks().put(kept, kept);
      isPut = true;
    } finally {
      if (!isPut) {
        leave(kept);
        kept.release();
      }
    }
    if (closed || file.isClosed()) {
      // A concurrent close may not have seen the chunk.
      chunks().invalidate(kept);
    }
    return kept;
  }

  /** Removes the chunks of a file. */
  void invalidate(CachedFile file) {
    for (CachedChunk chunk : file.chunks().all()) {
      chunks().invalidate(chunk);
    }
  }

  private void removed(@Nullable CachedChunk key, @Nullable CachedChunk chunk, RemovalCause cause) {
    if (cause.wasEvicted()) {
      evictions.incrementAndGet();
    }
    if (chunk != null) {
      leave(chunk);
    }
  }

  /** Releases the reference of the cache. */
  private static void leave(CachedChunk chunk) {
    chunk.file().chunks().remove(chunk);
    chunk.release();
  }

  private Cache<CachedChunk, CachedChunk> chunks() {
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

  /** Frees all chunks; one that a reader is copying from is freed after the copy. */
  @Override
  public void close() {
    closed = true;
    if (chunks != null && slabs != null) {
      chunks.invalidateAll();
      slabs.close();
    }
  }
}
