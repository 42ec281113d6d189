package io.siltstone.bench.jmh;

import io.siltstone.bench.BenchTable;
import io.siltstone.bench.TextRows;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** Benchmarks a sequential merge of SSTables with the same keys, where each row is reconciled. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MergeBenchmark {
  private static final FormatVersion VERSION = FormatVersion.OA;
  private static final int CHUNK_LENGTH_KIB = 16;

  /** Number of rows per SSTable. */
  @Param("50000")
  public int rows;

  /** Number of SSTables. */
  @Param({"1", "2", "4"})
  public int tables;

  private ScratchDirectory scratch;
  private MemoryBudget budget;
  private final List<SSTable> opened = new ArrayList<>();

  /** Writes the SSTables. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    scratch = ScratchDirectory.make();
    budget = PooledMemory.unlimited();
    TextRows text = new TextRows(rows, TextRows.SHORTEST, TextRows.LONGEST);
    for (int i = 1; i <= tables; i++) {
      BenchTable.write(text, scratch.files(), VERSION, i, CHUNK_LENGTH_KIB, budget);
      opened.add(BenchTable.open(scratch.files(), VERSION, i, budget));
    }
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    for (SSTable table : opened) {
      table.close();
    }
    budget.close();
    scratch.close();
  }

  /** Merges all rows of all SSTables; returns the number of merged rows. */
  @Benchmark
  public long merge() throws IOException {
    long count = 0;
    TableEncoding encoding = new TableEncoding(opened.get(0).encoding(), List.of());
    try (MergeCursor merge = new MergeCursor(encoding)) {
      List<DataCursor> cursors = new ArrayList<>();
      for (SSTable table : opened) {
        cursors.add(table.scan());
      }
      merge.begin(cursors, false);
      while (merge.nextPartition()) {
        while (merge.nextUnfiltered()) {
          Unfiltered row = merge.unfiltered();
          count += row.nextColumn() ? 1 : 0;
        }
      }
      for (DataCursor cursor : cursors) {
        cursor.close();
      }
    }
    if (count != rows) {
      throw new IllegalStateException(count + " rows of " + rows);
    }
    return count;
  }
}
