package io.siltstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChunkIndexTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 100;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory(1 << 20);
  private final MemoryDirectory directory = new MemoryDirectory();
  private final Slabs slabs = new Slabs(memory, 0);
  private final ChunkCache cache = ChunkCache.withCapacity(1, memory);
  private ChunkedFile file;
  private CachedFile cached;

  @BeforeEach
  void open() throws IOException {
    try (ChunkWriter writer =
        ChunkWriter.create(
            directory,
            "Data.db",
            "CompressionInfo.db",
            CompressionOptions.DEFAULT.withChunkLengthInKb(CHUNK / 1024),
            memory,
            WriteIntent.FLUSH)) {
      writer.write(new byte[CHUNK * CHUNKS], 0, CHUNK * CHUNKS);
      writer.finish();
    }
    file = ChunkedFile.openCompressed(directory, "Data.db", "CompressionInfo.db", memory, 1);
    cached = cache.open(file);
  }

  @AfterEach
  void close() throws IOException {
    cached.close();
    cache.close();
    file.close();
    slabs.close();
  }

  private CachedChunk chunk(long number) {
    return new CachedChunk(cached, number, slabs, Objects.requireNonNull(slabs.take(16)));
  }

  @Test
  void aChunkIsFoundByItsNumberFromItsAdditionToItsRemoval() {
    ChunkIndex index = cached.chunks();
    Map<Long, CachedChunk> expected = new HashMap<>();
    Random random = new Random(5);
    for (int i = 0; i < 4_000; i++) {
      // There are times at which most of them are there, and times at which few are.
      boolean adds = random.nextInt(1000) < (i / 500 % 2 == 0 ? 800 : 200);
      long number = random.nextInt(CHUNKS);
      CachedChunk there = expected.get(number);
      assertThat(index.find(number)).isSameAs(there);
      if (adds) {
        CachedChunk added = chunk(number);
        assertThat(index.add(added)).isEqualTo(there == null);
        if (there == null) {
          expected.put(number, added);
        } else {
          added.release();
        }
      } else if (there != null) {
        CachedChunk other = chunk(number);
        index.remove(other);
        other.release();
        assertThat(index.find(number)).isSameAs(there);
        index.remove(there);
        index.remove(there);
        expected.remove(number);
        there.release();
      }
      assertThat(index.size()).isEqualTo(expected.size());
    }
    assertThat(index.all()).containsExactlyInAnyOrderElementsOf(expected.values());
    for (CachedChunk chunk : index.all()) {
      index.remove(chunk);
      chunk.release();
    }
    assertThat(index.all()).isEmpty();
    assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
  }

  /** A writer replaces chunks all the time; their numbers are at their beginning. */
  @Test
  void aReaderFindsTheRightChunkOrNoneWhileChunksAreReplaced() throws Exception {
    ChunkIndex index = cached.chunks();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Long> reader =
          threads.submit(
              () -> {
                long found = 0;
                byte[] first = new byte[1];
                for (int i = 0; !done.get() || found == 0; i++) {
                  CachedChunk chunk = index.find(i % CHUNKS);
                  if (chunk != null && chunk.retain()) {
                    chunk.copy(0, first, 0, 1);
                    chunk.release();
                    found++;
                    if (first[0] != i % CHUNKS || chunk.number() != i % CHUNKS) {
                      throw new AssertionError(first[0] + " in the chunk " + i % CHUNKS);
                    }
                  }
                }
                return found;
              });
      Random random = new Random(3);
      for (int i = 0; i < 20_000; i++) {
        long number = random.nextInt(CHUNKS);
        CachedChunk there = index.find(number);
        if (there == null) {
          Slab slab = Objects.requireNonNull(slabs.take(16));
          slab.bytes().put(0, (byte) number);
          assertThat(index.add(new CachedChunk(cached, number, slabs, slab))).isTrue();
        } else {
          index.remove(there);
          there.release();
        }
      }
      done.set(true);
      assertThat(reader.get()).isPositive();
    } finally {
      done.set(true);
      threads.shutdown();
    }
    for (CachedChunk chunk : index.all()) {
      index.remove(chunk);
      chunk.release();
    }
    assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
  }
}
