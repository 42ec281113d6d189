package io.siltstone.bench;

import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.PooledMemory;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * One table of 250,000 text rows of about 800 bytes, 200 MB uncompressed: to write it, to scan it,
 * to read a row of it. Files are in the page cache. MB/s of writing and scanning is {@code 205 /
 * seconds}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
@Fork(1)
public class SSTableBenchmark {
  private static final int ROWS = 250_000;
  private static final FormatVersion VERSION = FormatVersion.OA;

  /** {@code chunk_length_in_kb}. */
  @Param({"4", "16", "64"})
  public int chunkLengthKib;

  private Path path;
  private Directory directory;
  private MemoryBudget budget;
  private TextRows rows;
  private SSTable table;
  private PartitionReader reader;
  private long generation = 1;
  private final SplittableRandom random = new SplittableRandom(5);

  /** Writes the table that is read. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    path = Files.createTempDirectory("siltstone-bench");
    directory = NioDirectory.open(path);
    budget = PooledMemory.unlimited();
    rows = new TextRows(ROWS, TextRows.SHORTEST, TextRows.LONGEST);
    BenchTable.write(rows, directory, VERSION, generation, chunkLengthKib, budget);
    table = BenchTable.open(directory, VERSION, generation, budget);
    reader = table.reader();
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    reader.close();
    table.close();
    BenchTable.delete(directory, VERSION, 1);
    budget.close();
    Files.delete(path);
  }

  /** Rows in memory to a synced table. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public long write() throws IOException {
    generation++;
    long bytes = BenchTable.write(rows, directory, VERSION, generation, chunkLengthKib, budget);
    BenchTable.delete(directory, VERSION, generation);
    return bytes;
  }

  /** All cells of all rows. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public long scan() throws IOException {
    long bytes = 0;
    try (DataCursor cursor = table.scan()) {
      while (cursor.nextPartition()) {
        while (cursor.nextUnfiltered()) {
          Unfiltered row = cursor.unfiltered();
          while (row.nextColumn()) {
            while (row.nextCell()) {
              bytes += row.valueLength();
            }
          }
        }
      }
    }
    return bytes;
  }

  /** One row of a random key. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public int read() throws IOException {
    return read(rows.key(random.nextInt(ROWS)));
  }

  /** The same row again: its chunk is at hand, decompressed. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public int readAgain() throws IOException {
    return read(rows.key(ROWS / 2));
  }

  private int read(io.siltstone.cursor.PartitionKey key) throws IOException {
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
