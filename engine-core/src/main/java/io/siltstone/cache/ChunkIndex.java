package io.siltstone.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The index of the cached chunks of one file, by their numbers: a sparse array of two levels.
 *
 * <pre>
 *   pages    one per 32 chunks of the file; null if none of them is cached
 *   page     one place per chunk; null if it is not cached
 * </pre>
 *
 * <p>A look-up reads two array elements, where a hash table would also read an entry and compare
 * its key. The index takes at most 144 bytes of heap per cached chunk, and once a chunk was cached,
 * 5 bytes per 32 chunks of the file.
 *
 * <p>Safe for use by all threads. Look-ups take no lock; changes take that of the index.
 */
final class ChunkIndex {
  private static final int PAGE_BITS = 5;
  private static final int PAGE_CHUNKS = 1 << PAGE_BITS;
  private static final VarHandle PAGES = MethodHandles.arrayElementVarHandle(CachedChunk[][].class);
  private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(CachedChunk[].class);

  private final int pageCount;
  // Empty until the first chunk is added.
  private volatile @Nullable CachedChunk[] @Nullable [] pages = {};
  // The number of chunks of each page. Guarded by this.
  private byte[] counts = {};
  private long size;

  /**
   * Creates an empty index.
   *
   * @param chunkCount number of chunks of the file
   */
  ChunkIndex(long chunkCount) {
    pageCount = Math.toIntExact((chunkCount + PAGE_CHUNKS - 1) >>> PAGE_BITS);
  }

  /** Returns the cached chunk of a number, or null. It may have been freed meanwhile. */
  @Nullable CachedChunk find(long number) {
    @Nullable CachedChunk[] @Nullable [] all = pages;
    int at = (int) (number >>> PAGE_BITS);
    if (at >= all.length) {
      return null;
    }
    @Nullable CachedChunk @Nullable [] page = pageAt(all, at);
    return page == null ? null : chunkAt(page, number);
  }

  private static @Nullable CachedChunk @Nullable [] pageAt(
      @Nullable CachedChunk[] @Nullable [] all, int at) {
    return (CachedChunk[]) PAGES.getAcquire(all, at);
  }

  private static @Nullable CachedChunk chunkAt(@Nullable CachedChunk[] page, long number) {
    return (CachedChunk) CHUNKS.getAcquire(page, placeOf(number));
  }

  private static int placeOf(long number) {
    return (int) number & (PAGE_CHUNKS - 1);
  }

  /**
   * Adds a chunk, unless there is one of its number.
   *
   * @return whether it was added
   */
  synchronized boolean add(CachedChunk chunk) {
    if (pages.length == 0) {
      counts = new byte[pageCount];
      pages = new CachedChunk[pageCount][];
    }
    int at = (int) (chunk.number() >>> PAGE_BITS);
    @Nullable CachedChunk @Nullable [] page = pageAt(pages, at);
    if (page == null) {
      page = new CachedChunk[PAGE_CHUNKS];
      PAGES.setRelease(pages, at, page);
    } else if (chunkAt(page, chunk.number()) != null) {
      return false;
    }
    CHUNKS.setRelease(page, placeOf(chunk.number()), chunk);
    counts[at]++;
    size++;
    return true;
  }

  /** Removes a chunk, unless another one has taken its place. */
  synchronized void remove(CachedChunk chunk) {
    int at = (int) (chunk.number() >>> PAGE_BITS);
    @Nullable CachedChunk @Nullable [] page = at < pages.length ? pageAt(pages, at) : null;
    if (page != null && chunk.equals(chunkAt(page, chunk.number()))) {
      size--;
      // A reader that has the page already finds nothing in it; no chunk is added to it any more.
      CHUNKS.setRelease(page, placeOf(chunk.number()), null);
      if (--counts[at] == 0) {
        PAGES.setRelease(pages, at, null);
      }
    }
  }

  /** Returns the number of chunks. */
  synchronized long size() {
    return size;
  }

  /** Returns all chunks that are there now. */
  synchronized CachedChunk[] all() {
    CachedChunk[] found = new CachedChunk[Math.toIntExact(size)];
    int count = 0;
    for (int at = 0; at < pages.length; at++) {
      @Nullable CachedChunk @Nullable [] page = pageAt(pages, at);
      for (int i = 0; page != null && i < PAGE_CHUNKS; i++) {
        CachedChunk chunk = page[i];
        if (chunk != null) {
          found[count++] = chunk;
        }
      }
    }
    return found;
  }
}
