package io.siltstone.sstable.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.cache.CachedFile;
import io.siltstone.cache.ChunkCache;
import io.siltstone.chunk.ChunkWriter;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A window shows the file's bytes wherever it is moved, over every kind of source. A run can be
 * repeated with {@code -Dsiltstone.seed=N}, and enlarged with {@code -Dsiltstone.scale=N}.
 */
class ByteWindowTest {
  private static final String DATA = "oa-1-big-Data.db";
  private static final String INFO = "oa-1-big-CompressionInfo.db";
  private static final int MOVES = 300;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  @Test
  void itShowsTheBytesOfTheFileWhereverItIsMoved() {
    Long one = Long.getLong("siltstone.seed");
    LongStream seeds =
        one == null
            ? LongStream.range(0, 100L * Integer.getInteger("siltstone.scale", 1))
            : LongStream.of(one);
    seeds.forEach(
        seed -> {
          try {
            check(new Random(seed));
          } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
          }
        });
  }

  private void check(Random random) throws IOException {
    byte[] data = new byte[1 + random.nextInt(1 << (1 + random.nextInt(22)))];
    random.nextBytes(data);
    Directory directory = leaks.watch(new MemoryDirectory());
    boolean isCompressed = random.nextInt(4) != 0;
    CompressionOptions options =
        isCompressed
            ? CompressionOptions.fromMap(
                Map.of(
                    "class",
                    "LZ4Compressor",
                    "chunk_length_in_kb",
                    Integer.toString(1 << random.nextInt(9))))
            : CompressionOptions.NONE;
    try (ChunkWriter writer =
        ChunkWriter.create(directory, DATA, INFO, options, memory, WriteIntent.FLUSH)) {
      writer.write(data, 0, data.length);
      writer.finish();
    }
    try (ChunkCache cache = ChunkCache.withCapacity(1 << (12 + random.nextInt(12)), memory);
        ChunkedFile file =
            isCompressed
                ? ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1.0)
                : ChunkedFile.openPlain(directory, DATA, INFO, memory, 1.0);
        CachedFile cached = cache.open(file);
        ReadableFile plain = directory.open(DATA, ReadIntent.INDEX)) {
      int kind = random.nextInt(isCompressed ? 3 : 4);
      ByteSource source =
          switch (kind) {
            case 0 -> ByteSource.of(file.openRandom());
            case 1 -> ByteSource.ofCached(cached.openRandom(), 256 << random.nextInt(5));
            case 2 ->
                ByteSource.of(
                    file.openSequential(
                        SequentialAccess.SCAN.withReadAheadBytes(random.nextInt(300_000)),
                        0,
                        data.length));
            default -> ByteSource.of(plain, 1 << random.nextInt(17), new FileReads());
          };
      boolean readAhead = kind == 2 || (kind != 1 && random.nextBoolean());
      int capacity = Math.max(1, source.unit() * (1 + random.nextInt(4)));
      try (ByteWindow window = new ByteWindow(source, Component.DATA, capacity, readAhead)) {
        move(random, data, window);
      }
    }
  }

  private static void move(Random random, byte[] data, ByteWindow window) throws IOException {
    for (int i = 0; i < MOVES; i++) {
      long at = place(random, data, window);
      assertThat(window.position()).isEqualTo(at);
      assertThat(window.remaining()).isEqualTo(data.length - at);
      int count = random.nextInt(1 << random.nextInt(20));
      if (random.nextInt(3) == 0) {
        window.offer(count);
        assertThat(window.available())
            .isGreaterThanOrEqualTo((int) Math.min(count, data.length - at));
      } else if (count > data.length - at) {
        assertThatThrownBy(() -> window.need(count)).isInstanceOf(CorruptSSTableException.class);
      } else {
        window.need(count);
        assertThat(window.available()).isGreaterThanOrEqualTo(count);
      }
      assertThat(window.position()).isEqualTo(at);
      if (window.available() > 0) {
        assertThat(
                Arrays.mismatch(
                    window.bytes(),
                    window.at(),
                    window.limit(),
                    data,
                    (int) at,
                    (int) window.positionOf(window.limit())))
            .as("first of the bytes from %s on that are others", at)
            .isEqualTo(-1);
      }
    }
  }

  /** Moves it to where it returns. */
  private static long place(Random random, byte[] data, ByteWindow window) throws IOException {
    int far = random.nextInt(1 << random.nextInt(22));
    long at = window.position();
    switch (random.nextInt(8)) {
      case 0 -> {
        at = random.nextInt(data.length + 1);
        window.seek(at);
      }
      case 1, 2 -> {
        at = Math.max(0, at - far);
        window.seek(at);
      }
      case 3 -> {
        at = Math.min(data.length, at + far);
        window.seek(at);
      }
      case 4, 5 -> {
        long count = Math.min(data.length - at, far);
        window.skip(count);
        at += count;
      }
      case 6 -> window.keepFromHere();
      default -> {
        if (random.nextInt(10) == 0 && window.trim()) {
          window.seek(at);
        }
      }
    }
    return at;
  }
}
