package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.statistics.CacheStatistics;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChunkCacheTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 40;
  // The last chunk is a short one.
  private static final int LENGTH = CHUNK * CHUNKS - 1000;
  private static final int BUDGET = 1 << 20;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory(BUDGET);
  private final CountingDirectory directory =
      new CountingDirectory(leaks.watch(new MemoryDirectory()));

  /** Each byte tells its file and place. */
  private static byte byteAt(int file, long position) {
    return (byte) (position * 31 + (position >> 12) * 7 + file * 13L);
  }

  private ChunkedFile file(int number) throws IOException {
    CompressionOptions options = CompressionOptions.DEFAULT.withChunkLengthInKb(CHUNK / 1024);
    byte[] data = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      data[i] = byteAt(number, i);
    }
    try (ChunkWriter writer =
        ChunkWriter.create(
            directory, data(number), info(number), options, memory, WriteIntent.FLUSH)) {
      writer.write(data, 0, LENGTH);
      writer.finish();
    }
    return ChunkedFile.openCompressed(directory, data(number), info(number), memory, 1);
  }

  private static String data(int number) {
    return number + "-Data.db";
  }

  private static String info(int number) {
    return number + "-CompressionInfo.db";
  }

  private long reads() {
    return directory.count(Operation.READ, "*-Data.db");
  }

  private static void assertReads(ChunkSource source, int file, long position, int length)
      throws IOException {
    byte[] bytes = new byte[length + 2];
    int count = source.read(position, bytes, 1, length);
    int there = (int) Math.min(CHUNK - position % CHUNK, LENGTH - position);
    assertThat(count).isEqualTo(Math.min(length, there));
    for (int i = 0; i < count; i++) {
      if (bytes[1 + i] != byteAt(file, position + i)) {
        throw new AssertionError("byte " + (position + i) + " of file " + file + " is wrong");
      }
    }
    assertThat(bytes[0]).isZero();
    assertThat(bytes[1 + count]).isZero();
  }

  @Test
  void aChunkIsReadOnceByAllReaders() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(100_000, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource one = cached.openRandom();
        ChunkSource other = cached.openRandom()) {
      directory.reset();
      assertReads(one, 1, 5000, 10);
      assertThat(reads()).isEqualTo(1);
      assertThat(one.reads().chunks()).isEqualTo(1);
      assertThat(one.reads().bytes()).isEqualTo(directory.bytes(Operation.READ, "*-Data.db"));
      assertThat(one.reads().hits()).isZero();
      assertReads(other, 1, 4096, 4096);
      assertReads(one, 1, 8191, 1);
      assertThat(reads()).isEqualTo(1);
      assertThat(other.reads().chunks()).isZero();
      assertThat(other.reads().hits()).isEqualTo(1);
      CacheStatistics statistics = cache.statistics();
      assertThat(statistics).isEqualTo(new CacheStatistics(2, 1, 0, 1, CHUNK, 100_000));
      assertThat(statistics.hitRate()).isEqualTo(2.0 / 3);
      assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isEqualTo(CHUNK);
      assertThat(one.read(LENGTH, new byte[1], 0, 1)).isEqualTo(-1);
      assertReads(one, 1, LENGTH - 1, 100);
      assertThat(cache.statistics().bytes()).isEqualTo(CHUNK + CHUNK - 1000);
    }
    assertThat(memory.used()).isZero();
  }

  @Test
  void theCapacityIsKept() throws IOException {
    int capacity = 10 * CHUNK;
    try (ChunkCache cache = ChunkCache.withCapacity(capacity, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom()) {
      for (int round = 0; round < 6; round++) {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
          assertReads(source, 1, (long) chunk * CHUNK + 17, 500);
          assertThat(memory.used(MemoryKind.CHUNK_CACHE))
              .isEqualTo(cache.statistics().bytes())
              .isLessThanOrEqualTo(capacity);
        }
      }
      assertThat(cache.statistics().evictions()).isGreaterThanOrEqualTo(CHUNKS - 10);
      assertThat(cache.statistics().entries()).isBetween(1L, 10L);
    }
  }

  @Test
  void aFullCacheTakesWhatIsMissedASecondTime() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(10 * CHUNK, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom();
        ChunkSource other = cached.openRandom()) {
      for (int chunk = 0; chunk < 9; chunk++) {
        assertReads(source, 1, (long) chunk * CHUNK + 17, 500);
      }
      CacheStatistics full = cache.statistics();
      assertThat(full).isEqualTo(new CacheStatistics(0, 9, 0, 9, 9 * CHUNK, 10 * CHUNK));
      directory.reset();

      // One read, whatever is asked of the chunk, until another is read.
      assertReads(source, 1, 20L * CHUNK + 17, 500);
      assertReads(source, 1, 20L * CHUNK + 517, 100);
      assertThat(reads()).isEqualTo(1);
      assertThat(source.reads().chunks()).isEqualTo(10);
      assertThat(cache.statistics())
          .isEqualTo(new CacheStatistics(0, 10, 0, 9, 9 * CHUNK, 10 * CHUNK));

      assertReads(other, 1, 20L * CHUNK + 17, 500);
      assertThat(reads()).isEqualTo(2);
      assertThat(cache.statistics().evictions()).isEqualTo(1);
      assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(10 * CHUNK);
    }
  }

  @Test
  void aCapacityBelowOneChunkKeepsNothingButReadsAreRight() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(1, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom()) {
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        assertReads(source, 1, (long) chunk * CHUNK + 17, 500);
        assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
      }
      assertThat(cache.statistics().hits()).isZero();
    }
  }

  @Test
  void aCacheThatIsOffReadsTheFile() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(0, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom()) {
      assertThat(cache.isOff()).isTrue();
      assertReads(source, 1, 5000, 10);
      assertThat(source.reads().chunks()).isEqualTo(1);
      assertThat(cache.statistics()).isEqualTo(new CacheStatistics(0, 0, 0, 0, 0, 0));
    }
  }

  @Test
  void evictionDoesNotTakeMemoryFromItsUsers() throws IOException {
    CachedChunk held;
    try (ChunkedFile file = file(1);
        ChunkCache cache = ChunkCache.withCapacity(100_000, memory)) {
      ChunkIndex index;
      try (CachedFile cached = cache.open(file);
          ChunkSource source = cached.openRandom()) {
        assertReads(source, 1, 0, 1);
        index = cached.chunks();
        held = Objects.requireNonNull(index.find(0));
        assertThat(held.retain()).isTrue();
      }
      assertThat(cache.statistics().entries()).isZero();
      assertThat(index.find(0)).isNull();
      byte[] byteOfIt = new byte[1];
      held.copy(77, byteOfIt, 0, 1);
      assertThat(byteOfIt[0]).isEqualTo(byteAt(1, 77));
    }
    assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isEqualTo(CHUNK);
    held.release();
    assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
    assertThat(held.retain()).as("what is gone comes to life again").isFalse();
  }

  @Test
  void aClosedFileTakesItsChunksAlongAndNoOthers() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(500_000, memory);
        ChunkedFile first = file(1);
        ChunkedFile second = file(2);
        CachedFile secondCached = cache.open(second);
        ChunkSource kept = secondCached.openRandom()) {
      assertReads(kept, 2, 9000, 100);
      for (int chunks : new int[] {1, CHUNKS}) {
        try (CachedFile firstCached = cache.open(first);
            ChunkSource source = firstCached.openRandom()) {
          for (int chunk = 0; chunk < chunks; chunk++) {
            assertReads(source, 1, (long) chunk * CHUNK, 100);
          }
          assertThat(cache.statistics().entries()).isEqualTo(chunks + 1);
        }
        assertThat(cache.statistics().entries()).isEqualTo(1);
      }
      directory.reset();
      assertReads(kept, 2, 9000, 100);
      assertThat(reads()).isZero();
      // The same file, opened again, is another one.
      try (CachedFile again = cache.open(first);
          ChunkSource source = again.openRandom()) {
        assertReads(source, 1, 0, 100);
        assertThat(reads()).isEqualTo(1);
      }
    }
  }

  @Test
  void whatIsReadAfterAFileWasClosedIsNotKept() throws IOException {
    ChunkCache cache = ChunkCache.withCapacity(500_000, memory);
    try (ChunkedFile file = file(1)) {
      CachedFile cached = cache.open(file);
      try (ChunkSource source = cached.openRandom()) {
        cached.close();
        assertReads(source, 1, 0, 100);
        assertThat(cache.statistics().entries()).isZero();
        cache.close();
        assertReads(source, 1, 0, 100);
        assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
        assertThatThrownBy(() -> cache.open(file)).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void withoutMemoryChunksAreReadAndNotKept() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(500_000, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom()) {
      // Takes the buffer for stored chunks, which the source keeps.
      assertReads(source, 1, 0, 100);
      int left = (int) (memory.limit() - memory.used());
      try (var taken = memory.allocate(MemoryKind.MEMTABLE, left)) {
        assertThat(taken.capacity()).isEqualTo(left);
        for (int chunk = 1; chunk < CHUNKS; chunk++) {
          assertReads(source, 1, (long) chunk * CHUNK + 3, 100);
        }
        assertThat(cache.statistics().entries()).isEqualTo(1);
      }
      assertReads(source, 1, 5L * CHUNK, 100);
      assertThat(cache.statistics().entries()).isEqualTo(2);
    }
  }

  @Test
  void aDamagedChunkIsNotKept() throws IOException {
    byte[] original;
    try (ChunkedFile file = file(1);
        ReadableFile raw = directory.open(data(1), ReadIntent.SCAN)) {
      original = new byte[(int) raw.length()];
      raw.read(0, original, 0, original.length);
      assertThat(file.chunkCount()).isEqualTo(CHUNKS);
    }
    byte[] damaged = original.clone();
    damaged[10] ^= 4;
    replace(damaged);
    try (ChunkCache cache = ChunkCache.withCapacity(500_000, memory);
        ChunkedFile file = ChunkedFile.openCompressed(directory, data(1), info(1), memory, 1);
        CachedFile cached = cache.open(file);
        ChunkSource source = cached.openRandom()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> source.read(5, new byte[1], 0, 1))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining(data(1));
        assertThat(cache.statistics().entries()).isZero();
      }
      assertReads(source, 1, CHUNK, 10);
      assertThat(cache.statistics().entries()).isEqualTo(1);
    }
  }

  private void replace(byte[] content) throws IOException {
    directory.delete(data(1));
    try (WritableFile file = directory.create(data(1), WriteIntent.FLUSH)) {
      file.write(ByteBuffer.wrap(content));
    }
  }

  @Test
  void scansNeitherAskNorFillIt() throws IOException {
    try (ChunkCache cache = ChunkCache.withCapacity(500_000, memory);
        ChunkedFile file = file(1);
        CachedFile cached = cache.open(file);
        ChunkSource scan =
            file.openSequential(SequentialAccess.SCAN.withReadAheadBytes(100_000), 0, LENGTH)) {
      assertThat(cached.isOff()).isFalse();
      for (int chunk = 0; chunk < CHUNKS; chunk++) {
        assertReads(scan, 1, (long) chunk * CHUNK, CHUNK);
      }
      CacheStatistics statistics = cache.statistics();
      assertThat(statistics.entries() + statistics.hits() + statistics.misses()).isZero();
    }
  }

  /** Threads read while chunks are evicted all the time, and files come and go. */
  @Test
  void manyReadersFindTheRightBytesWhileChunksAreEvicted() throws Exception {
    int threads = 4;
    int files = 3;
    int rounds = 3000 * Integer.getInteger("siltstone.scale", 1);
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    int capacity = 20 * CHUNK;
    List<ChunkedFile> opened = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (ChunkCache cache = ChunkCache.withCapacity(capacity, memory)) {
      for (int i = 0; i < files; i++) {
        opened.add(file(i));
      }
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Random random = new Random(seed + t);
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < 20; i++) {
                    int number = random.nextInt(files);
                    try (CachedFile cached = cache.open(opened.get(number));
                        ChunkSource source = cached.openRandom()) {
                      for (int j = 0; j < rounds / 20; j++) {
                        // Some places are read more often.
                        double place = random.nextDouble();
                        long position = (long) (place * place * LENGTH);
                        assertReads(source, number, position, 1 + random.nextInt(300));
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        try {
          result.get();
        } catch (ExecutionException e) {
          throw new AssertionError("seed " + seed, e.getCause());
        }
      }
      assertThat(cache.statistics().entries()).isZero();
      assertThat(cache.statistics().evictions()).isPositive();
      assertThat(cache.statistics().hits()).isPositive();
      assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isLessThanOrEqualTo(capacity / 32);
    } finally {
      pool.shutdownNow();
      for (ChunkedFile file : opened) {
        file.close();
      }
    }
    assertThat(memory.used()).isZero();
  }

  /**
   * All threads find chunks in the same index, while others evict them, and in the end one of them
   * closes the cache beside the others.
   */
  @Test
  void readersOfOneFileFindTheRightBytesWhileChunksAreFreed() throws Exception {
    int threads = 4;
    int reads = 4000 * Integer.getInteger("siltstone.scale", 1);
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    ChunkCache cache = ChunkCache.withCapacity(12 * CHUNK, memory);
    try (ChunkedFile file = file(1);
        CachedFile cached = cache.open(file)) {
      CyclicBarrier together = new CyclicBarrier(threads);
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Random random = new Random(seed + t);
        boolean closes = t == 0;
        results.add(
            pool.submit(
                () -> {
                  try (ChunkSource source = cached.openRandom()) {
                    together.await();
                    readAnywhere(source, random, reads);
                    if (together.await() == 0) {
                      // Nothing is read now. What the index has is what the policy has.
                      assertThat(cached.chunks().size())
                          .isEqualTo(cache.statistics().entries())
                          .isPositive();
                      for (CachedChunk chunk : cached.chunks().all()) {
                        assertThat(chunk.retain()).isTrue();
                        chunk.release();
                      }
                    }
                    together.await();
                    if (closes) {
                      cache.close();
                    }
                    readAnywhere(source, random, reads / 10);
                  }
                  return null;
                }));
      }
      for (Future<?> result : results) {
        try {
          result.get();
        } catch (ExecutionException e) {
          throw new AssertionError("seed " + seed, e.getCause());
        }
      }
      assertThat(cache.statistics().evictions()).isPositive();
      assertThat(cache.statistics().hits() + cache.statistics().misses())
          .isLessThanOrEqualTo((long) threads * (reads + reads / 10));
      assertThat(cached.chunks().size()).isZero();
      assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
    } finally {
      pool.shutdownNow();
      cache.close();
    }
    assertThat(memory.used()).isZero();
  }

  private static void readAnywhere(ChunkSource source, Random random, int reads)
      throws IOException {
    for (int i = 0; i < reads; i++) {
      double place = random.nextDouble();
      assertReads(source, 1, (long) (place * place * LENGTH), 1 + random.nextInt(300));
    }
  }

  @Test
  void theCapacityIsNotNegative() {
    assertThatThrownBy(() -> ChunkCache.withCapacity(-1, memory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
