package io.siltstone.bench.jmh;

import io.siltstone.bench.BenchTable;
import io.siltstone.bench.TextRows;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
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
 * Benchmarks writing and scanning an SSTable with text rows of about 800 bytes. With 100,000 rows
 * it has 82 MB, so MB/s are {@code 82 / seconds}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SSTableBenchmark {
  private static final FormatVersion VERSION = FormatVersion.OA;

  /** Number of rows of the SSTable. */
  @Param("100000")
  public int rows;

  /** {@code chunk_length_in_kb}. */
  @Param({"4", "16", "64"})
  public int chunkLengthKib;

  private ScratchDirectory scratch;
  private MemoryBudget budget;
  private TextRows text;
  private SSTable table;
  private long generation = 1;

  /** Writes the SSTable that is scanned. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    scratch = ScratchDirectory.make();
    budget = PooledMemory.unlimited();
    text = new TextRows(rows, TextRows.SHORTEST, TextRows.LONGEST);
    BenchTable.write(text, scratch.files(), VERSION, generation, chunkLengthKib, budget);
    table = BenchTable.open(scratch.files(), VERSION, generation, budget);
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    table.close();
    budget.close();
    scratch.close();
  }

  /** Writes rows in memory to a synced SSTable. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public long write() throws IOException {
    generation++;
    long bytes =
        BenchTable.write(text, scratch.files(), VERSION, generation, chunkLengthKib, budget);
    BenchTable.delete(scratch.files(), VERSION, generation);
    return bytes;
  }

  /** Reads all cells of all rows. */
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
}
