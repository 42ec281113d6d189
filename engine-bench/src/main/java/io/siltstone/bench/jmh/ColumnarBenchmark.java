package io.siltstone.bench.jmh;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.Objects;
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
 * Benchmarks a full scan of a table of five columns in partitions of 1,000 rows, by one thread: all
 * values of all rows, as rows and as columns.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ColumnarBenchmark {
  private static final int PARTITION_ROWS = 1000;
  private static final int BATCH = 4096;

  /** Number of rows. */
  @Param("1000000")
  public int rows;

  private ScratchDirectory scratch;
  private Database database;
  private Table table;
  private Query query;

  /** Fills arrays, as a batch of another program would. */
  private static final class Batch {
    private final int[] keys = new int[BATCH];
    private final long[] times = new long[BATCH];
    private final int[] numbers = new int[BATCH];
    private final double[] values = new double[BATCH];
    private final int[] lengths = new int[BATCH];
    private final byte[] text = new byte[1 << 20];
    private int used;

    private ColumnVector[] vectors() {
      return new ColumnVector[] {ints(keys), longs(), ints(numbers), texts(), doubles()};
    }

    private static ColumnVector ints(int[] into) {
      return new ColumnVector() {
        @Override
        public void putNull(int row) {
          into[row] = 0;
        }

        @Override
        public void putInt(int row, int value) {
          into[row] = value;
        }
      };
    }

    private ColumnVector longs() {
      return new ColumnVector() {
        @Override
        public void putNull(int row) {
          times[row] = 0;
        }

        @Override
        public void putLong(int row, long value) {
          times[row] = value;
        }
      };
    }

    private ColumnVector doubles() {
      return new ColumnVector() {
        @Override
        public void putNull(int row) {
          values[row] = 0;
        }

        @Override
        public void putDouble(int row, double value) {
          values[row] = value;
        }
      };
    }

    private ColumnVector texts() {
      return new ColumnVector() {
        @Override
        public void putNull(int row) {
          lengths[row] = 0;
        }

        @Override
        public void putBytes(int row, byte[] from, int offset, int length) {
          System.arraycopy(from, offset, text, used, length);
          used += length;
          lengths[row] = length;
        }
      };
    }
  }

  /** Writes the table. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    scratch = ScratchDirectory.make();
    database =
        Database.open(
            scratch.files(),
            DatabaseOptions.builder().compaction(Compaction.none()).scanThreads(0).build());
    table =
        database.createTable(
            "CREATE TABLE b.t (k int, at bigint, number int, name text, value double,"
                + " PRIMARY KEY (k, at))");
    for (int from = 0; from < rows; from += PARTITION_ROWS) {
      MutationBuilder partition = table.mutation(from / PARTITION_ROWS);
      for (int i = from; i < Math.min(rows, from + PARTITION_ROWS); i++) {
        partition
            .insert((long) i)
            .set("number", i % 1000)
            .set("name", "name " + i)
            .set("value", i / 3.0);
      }
      table.write(partition.build());
    }
    table.flush();
    query = table.query().select("number", "name", "value").build();
  }

  /** Removes all files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    database.close();
    scratch.close();
  }

  /** Reads all values as rows; returns a sum of them. */
  @Benchmark
  public double rows() throws IOException {
    double sum = 0;
    try (LiveRows all = table.read(query)) {
      while (all.hasNext()) {
        Row row = all.next();
        sum += row.getInt("k") + row.getLong("at") + row.getInt("number");
        sum += Objects.requireNonNull(row.getString("name")).length() + row.getDouble("value");
      }
    }
    return sum;
  }

  /** Reads rows without their values; returns their number. */
  @Benchmark
  public long rowsAlone() throws IOException {
    try (LiveRows all = table.read(query)) {
      while (all.hasNext()) {
        all.next();
      }
      return all.rows();
    }
  }

  /** Reads all values as columns; returns a sum of them. */
  @Benchmark
  public double columns() throws IOException {
    double sum = 0;
    Batch batch = new Batch();
    ColumnVector[] vectors = batch.vectors();
    try (ColumnarReader reader = table.readColumns(query)) {
      for (int count = reader.fill(vectors, BATCH); count > 0; ) {
        for (int row = 0; row < count; row++) {
          sum += batch.keys[row] + batch.times[row] + batch.numbers[row];
          sum += batch.lengths[row] + batch.values[row];
        }
        batch.used = 0;
        count = reader.fill(vectors, BATCH);
      }
    }
    return sum;
  }
}
