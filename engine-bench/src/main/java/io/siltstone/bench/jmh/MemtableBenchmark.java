package io.siltstone.bench.jmh;

import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.memtable.Memtable;
import io.siltstone.memtable.MemtableReader;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
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

/** Benchmarks writes to and reads of a memtable. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MemtableBenchmark {
  /** Number of rows of the memtable. */
  @Param("50000")
  public int rows;

  private MemoryBudget budget;
  private RowMutations rowMutations;
  private PartitionUpdate view;
  private Memtable full;
  private MemtableReader reader;
  private final SplittableRandom random = new SplittableRandom(5);

  /** Fills the memtable that is read. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    budget = PooledMemory.unlimited();
    rowMutations = new RowMutations(rows);
    view = new PartitionUpdate(rowMutations.encoding());
    full = fill();
    reader = full.reader();
  }

  /** Releases the memory. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    reader.close();
    full.release();
    budget.close();
  }

  private Memtable fill() throws IOException {
    Memtable memtable = new Memtable(rowMutations.encoding(), Memtable.DEFAULT_SHARDS, budget);
    for (int i = 0; i < rows; i++) {
      rowMutations.wrap(i, view);
      memtable.reserve(memtable.shardOf(view.key()), memtable.spaceFor(view));
      memtable.apply(view);
    }
    return memtable;
  }

  /** Writes all rows to a new memtable, which is then released. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public long write() throws IOException {
    Memtable memtable = fill();
    long bytes = memtable.offHeapBytes();
    memtable.release();
    return bytes;
  }

  /** Reads one row of a random key. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public int read() throws IOException {
    rowMutations.wrap(random.nextInt(rows), view);
    if (!reader.seek(view.key())) {
      throw new IllegalStateException("the memtable lost " + view.key());
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
