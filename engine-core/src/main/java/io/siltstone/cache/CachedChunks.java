package io.siltstone.cache;

import io.siltstone.chunk.ChunkReads;
import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ExpectedEnd;
import io.siltstone.chunk.RandomChunks;
import io.siltstone.jfr.ChunkCacheMissEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks through a {@link ChunkCache}. Between two calls it keeps only the last chunk that
 * the cache did not admit. A hit allocates nothing, a miss the cache's entry.
 */
final class CachedChunks implements ChunkSource {
  private final ChunkCache cache;
  private final CachedFile file;
  private final RandomChunks chunks;
  private final ChunkReads reads;
  private final ChunkIndex cached;
  private final HitCounts.Counter counter;
  private final HitSampling sampling;
  private final int chunkBits;
  // Never committed: it only shows, without a new object, whether a recording is running.
  private final ChunkCacheMissEvent anyMiss = new ChunkCacheMissEvent();

  /** Creates a source that owns {@code chunks}. */
  CachedChunks(ChunkCache cache, CachedFile file, RandomChunks chunks) {
    this.cache = cache;
    this.file = file;
    this.chunks = chunks;
    this.reads = chunks.reads();
    this.cached = file.chunks();
    this.counter = cache.newCounter();
    this.sampling = new HitSampling(System.identityHashCode(this), cache.evictions());
    this.chunkBits = Integer.numberOfTrailingZeros(chunks.chunkLength());
  }

  @Override
  public String path() {
    return chunks.path();
  }

  @Override
  public long length() {
    return chunks.length();
  }

  @Override
  public int chunkLength() {
    return chunks.chunkLength();
  }

  @Override
  public ChunkReads reads() {
    return reads;
  }

  @Override
  public void expectEnd(ExpectedEnd end, boolean isCertain) {
    // A chunk that goes to the cache is decompressed whole nevertheless.
    chunks.expectEnd(end, isCertain);
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    if (position >= chunks.length()) {
      return -1;
    }
    long number = position >>> chunkBits;
    if (chunks.isAtHand(number)) {
      return chunks.read(position, dst, offset, length);
    }
    CachedChunk chunk = cached.find(number);
    if (chunk != null && chunk.retain()) {
      addHit(chunk);
    } else {
      counter.addMiss();
      ChunkCacheMissEvent miss = beginMiss();
      long bytesBefore = reads.bytes();
      chunk = load(number);
      if (chunk == null) {
        int count = chunks.read(position, dst, offset, length);
        commit(miss, number, bytesBefore, false);
        return count;
      }
      commit(miss, number, bytesBefore, true);
    }
    try {
      int from = (int) position & (chunks.chunkLength() - 1);
      int count = Math.min(length, chunks.lengthOf(number) - from);
      chunk.copy(from, dst, offset, count);
      return count;
    } finally {
      chunk.release();
    }
  }

  private void addHit(CachedChunk chunk) {
    reads.addHit(chunk.number());
    counter.addHit();
    if (sampling.isRecorded(cache.evictions())) {
      cache.record(chunk);
    }
  }

  private @Nullable ChunkCacheMissEvent beginMiss() {
    if (!anyMiss.isEnabled()) {
      return null;
    }
    ChunkCacheMissEvent miss = new ChunkCacheMissEvent();
    miss.begin();
    return miss;
  }

  private void commit(
      @Nullable ChunkCacheMissEvent miss, long number, long bytesBefore, boolean isKept) {
    if (miss != null && miss.shouldCommit()) {
      miss.path = chunks.path();
      miss.position = number << chunkBits;
      miss.length = chunks.lengthOf(number);
      miss.bytesRead = reads.bytes() - bytesBefore;
      miss.isKept = isKept;
      miss.commit();
    }
  }

  /**
   * Reads a chunk into the cache; returns null if the cache does not admit it or has no memory for
   * it.
   */
  private @Nullable CachedChunk load(long number) throws IOException {
    int size = chunks.lengthOf(number);
    Slab slab = cache.wants(file, number, size) ? cache.takeSlab(size) : null;
    if (slab == null) {
      return null;
    }
    boolean loaded = false;
    try {
      chunks.load(number, slab.bytes().clear());
      loaded = true;
    } finally {
      if (!loaded) {
        cache.giveBack(slab);
      }
    }
    return cache.keep(file, number, slab);
  }

  @Override
  public void releaseBuffers() {
    chunks.releaseBuffers();
  }

  @Override
  public void close() throws IOException {
    counter.close();
    chunks.close();
  }
}
