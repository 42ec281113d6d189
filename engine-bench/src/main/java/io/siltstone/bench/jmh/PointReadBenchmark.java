package io.siltstone.bench.jmh;

import io.siltstone.bench.BenchTable;
import io.siltstone.bench.TextRows;
import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmarks reading the row of a random key from one SSTable, with its chunk in the cache or not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PointReadBenchmark {
  private static final FormatVersion VERSION = FormatVersion.OA;
  private static final long CACHE_BYTES = 256L << 20;
  private static final long KEY_CACHE_BYTES = 16L << 20;

  /** Number of rows of the SSTable. */
  @Param("100000")
  public int rows;

  /** {@code chunk_length_in_kb}. */
  @Param({"4", "16", "64"})
  public int chunkLengthKib;

  /** {@code hit}: all chunks and keys are cached; {@code miss}: there are no caches. */
  @Param({"hit", "miss"})
  public String cache;

  private ScratchDirectory scratch;
  private MemoryBudget budget;
  private ReadCaches caches;
  private TextRows text;
  private SSTable table;
  private PartitionReader reader;
  private final SplittableRandom random = new SplittableRandom(5);

  /** Writes the SSTable, and reads all of it once. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    scratch = ScratchDirectory.make();
    budget = PooledMemory.unlimited();
    text = new TextRows(rows, TextRows.SHORTEST, TextRows.LONGEST);
    BenchTable.write(text, scratch.files(), VERSION, 1, chunkLengthKib, budget);
    caches =
        cache.equals("hit")
            ? new ReadCaches(
                ChunkCache.withCapacity(CACHE_BYTES, budget),
                KeyCache.withCapacity(KEY_CACHE_BYTES))
            : new ReadCaches(ChunkCache.off(), KeyCache.off());
    table =
        SSTable.open(
            scratch.files(), Descriptor.of(VERSION, 1), SSTableOptions.DEFAULT, caches, budget);
    reader = table.reader();
    for (int i = 0; i < rows; i++) {
      read(text.key(i));
    }
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    reader.close();
    table.close();
    caches.chunks().close();
    budget.close();
    scratch.close();
  }

  /** Reads one row. */
  @Benchmark
  public int read() throws IOException {
    return read(text.key(random.nextInt(rows)));
  }

  private int read(PartitionKey key) throws IOException {
    if (!reader.seek(key)) {
      throw new IllegalStateException("the table lost " + key);
    }
    int bytes = 0;
    while (reader.nextUnfiltered()) {
      Unfiltered row = reader.unfiltered();
      while (row.nextColumn()) {
        while (row.nextCell()) {
          bytes += row.valueLength();
        }
      }
    }
    return bytes;
  }
}
