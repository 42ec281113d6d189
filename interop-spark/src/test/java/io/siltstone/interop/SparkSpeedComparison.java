package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.BulkWriter;
import io.siltstone.bench.BenchTable;
import io.siltstone.bench.TextRows;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.tools.Util;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Times scans and writes of the same rows by Spark's tasks, by the engine and by Cassandra in one
 * JVM, A B C A B C. It prints figures and asserts none; run it with {@code -Dinterop.speed=true}.
 *
 * <p>The figures are megabytes of uncompressed data per second of CPU: of the thread, and for Spark
 * of the tasks' threads, as Spark reports it.
 */
@EnabledIfSystemProperty(named = "interop.speed", matches = "true")
class SparkSpeedComparison {
  private static final int ROUNDS = Integer.getInteger("interop.rounds", 6);

  private static final FormatVersion VERSION = FormatVersion.OA;

  private static final TableSchema SCHEMA =
      SchemaParser.parse(
              "CREATE TABLE ks.rows (k bigint PRIMARY KEY, v text) WITH compression ="
                  + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}")
          .onlyTable();

  private final TaskTimes times = new TaskTimes();

  @TempDir Path directory;

  /** The CPU time of the tasks of each stage, in nanoseconds. */
  private static final class TaskTimes extends SparkListener {
    private final Map<Integer, Long> stages = new HashMap<>();

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      stages.merge(end.stageId(), end.taskMetrics().executorCpuTime(), Long::sum);
    }

    synchronized void clear() {
      stages.clear();
    }

    /** Returns the time of all stages. */
    synchronized long all() {
      return stages.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the time of the last stage, which writes. */
    synchronized long last() {
      return stages.get(stages.keySet().stream().mapToInt(Integer::intValue).max().orElseThrow());
    }
  }

  @Test
  void rowsOf800Bytes() throws Exception {
    compare(new TextRows(250_000, TextRows.SHORTEST, TextRows.LONGEST));
  }

  @Test
  void rowsOf50Bytes() throws Exception {
    compare(new TextRows(1_500_000, 30, 70));
  }

  private void compare(TextRows rows) throws Exception {
    System.out.println(rows.count() + " rows, the first is '" + rows.value(0) + "'");
    CassandraNode.get();
    SparkJob.session().sparkContext().addSparkListener(times);
    Path ours = Files.createDirectory(directory.resolve("ours"));
    Files.writeString(ours.resolve("schema.cql"), SCHEMA.toCql());
    try (MemoryBudget budget = PooledMemory.unlimited()) {
      NioDirectory folder = NioDirectory.open(ours);
      long bytes = BenchTable.write(rows, folder, VERSION, 1, 16, budget);
      SSTableReader their = open(ours.resolve("oa-1-big-Data.db"));
      try (SSTable our = BenchTable.open(folder, VERSION, 1, budget)) {
        for (int round = 1; round <= ROUNDS; round++) {
          print(round, "scan, cursor", bytes, cpuOf(() -> scan(our)));
          print(round, "scan, Cassandra", bytes, cpuOf(() -> scan(their)));
          print(round, "scan, Spark", bytes, scan(ours, "max(k)", "sum(octet_length(v))"));
          print(round, "keys only, Spark", bytes, scan(ours, "max(k)", "count(k)"));
        }
      } finally {
        their.selfRef().release();
      }
      for (int round = 1; round <= ROUNDS; round++) {
        Path target = Files.createDirectory(directory.resolve("bulk" + round));
        NioDirectory sorted = NioDirectory.open(directory.resolve("sorted" + round));
        print(
            round,
            "write, SSTableWriter of sorted rows",
            bytes,
            cpuOf(() -> BenchTable.write(rows, sorted, VERSION, 1, 16, budget)));
        print(round, "write, BulkWriter", bytes, cpuOf(() -> bulk(rows, target)));
        print(round, "write, Spark", bytes, write(ours, directory.resolve("spark" + round)));
        remove(target, directory.resolve("sorted" + round), directory.resolve("spark" + round));
      }
    } finally {
      SparkJob.session().sparkContext().removeSparkListener(times);
    }
  }

  private static void remove(Path... directories) {
    for (Path each : directories) {
      CassandraNode.removeTree(each);
    }
  }

  private static void print(int round, String what, long bytes, long nanos) {
    System.out.printf(
        Locale.ROOT, "%d %-36s %6.0f MB/s of CPU%n", round, what, bytes * 1e3 / nanos);
  }

  private static long cpuOf(Callable<Long> work) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    assertThat(work.call()).isPositive();
    return threads.getCurrentThreadCpuTime() - start;
  }

  /** Returns the time of the tasks that aggregate all rows. */
  private long scan(Path table, String... aggregates) throws Exception {
    times.clear();
    Dataset<Row> rows = SparkJob.session().read().format("sstable").load(table.toString());
    assertThat(rows.selectExpr(aggregates).head().getLong(1)).isPositive();
    waitForListener();
    return times.all();
  }

  /** Returns the time of the tasks that write, with the rows as they come from the shuffle. */
  private long write(Path from, Path target) throws Exception {
    times.clear();
    SparkJob.session()
        .read()
        .format("sstable")
        .load(from.toString())
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("schema", SCHEMA.toCql())
        .save(target.toString());
    waitForListener();
    return times.last();
  }

  private static void waitForListener() throws Exception {
    SparkJob.session().sparkContext().listenerBus().waitUntilEmpty();
  }

  private static long bulk(TextRows rows, Path target) throws Exception {
    try (BulkWriter writer = BulkWriter.into(target, SCHEMA).version(VERSION).open()) {
      for (int i = 0; i < rows.count(); i++) {
        // In an order that is not that of tokens.
        int index = (int) (i * 7919L % rows.count());
        long key = ByteBuffer.wrap(rows.key(index).toByteArray()).getLong();
        writer.add(writer.mutation(key).insert().set("v", rows.value(index)).build());
      }
      return writer.commit().sstables().size();
    }
  }

  private static SSTableReader open(Path data) throws Exception {
    Descriptor descriptor =
        Descriptor.fromFileWithComponent(new File(data), CassandraNode.KEYSPACE, "rows").left;
    TableMetadata metadata = Util.metadataFromSSTable(descriptor);
    return SSTableReader.openNoValidation(
        null, descriptor, TableMetadataRef.forOfflineTools(metadata));
  }

  private static long scan(SSTableReader table) {
    long sum = 0;
    try (ISSTableScanner scanner = table.getScanner()) {
      while (scanner.hasNext()) {
        try (UnfilteredRowIterator partition = scanner.next()) {
          while (partition.hasNext()) {
            org.apache.cassandra.db.rows.Row row =
                (org.apache.cassandra.db.rows.Row) partition.next();
            for (Cell<?> cell : row.cells()) {
              sum += cell.valueSize();
            }
          }
        }
      }
    }
    return sum;
  }

  private static long scan(SSTable table) throws Exception {
    long sum = 0;
    try (DataCursor cursor = table.scan()) {
      while (cursor.nextPartition()) {
        while (cursor.nextUnfiltered()) {
          while (cursor.unfiltered().nextColumn()) {
            while (cursor.unfiltered().nextCell()) {
              sum += cursor.unfiltered().valueLength();
            }
          }
        }
      }
    }
    return sum;
  }
}
