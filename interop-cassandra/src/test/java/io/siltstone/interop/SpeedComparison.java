package io.siltstone.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bench.BenchTable;
import io.siltstone.bench.TextRows;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.PartitionReader;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.FormatVersion;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.CQLSSTableWriter;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.tools.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Times the same rows written, scanned and read by Cassandra and by the engine in one run, A B A B.
 * It prints figures and asserts none: run it with {@code -Dinterop.speed=true} on an idle machine.
 *
 * <p>It prints both wall-clock time and the thread's CPU time, which other processes disturb less.
 */
@EnabledIfSystemProperty(named = "interop.speed", matches = "true")
class SpeedComparison {
  private static final int ROUNDS = 5;
  private static final int READS = 50_000;

  private TextRows rows = new TextRows(1, 1, 1);
  private final FormatVersion version = FormatVersion.of(CassandraNode.get().options().version());

  @TempDir Path directory;

  /** The timed work; returns bytes, or the number of repetitions. */
  private interface Work {
    long run() throws Exception;
  }

  private static void measure(String what, int round, boolean perOperation, Work work)
      throws Exception {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long allocated = threads.getThreadAllocatedBytes(thread);
    long cpu = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    long amount = work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
    double megabytes = (threads.getThreadAllocatedBytes(thread) - allocated) / 1e6;
    String line =
        perOperation
            ? String.format(
                Locale.ROOT,
                "%d %-22s %7.2f us, %7.2f us of CPU, %8.0f B allocated each",
                round,
                what,
                seconds * 1e6 / amount,
                cpuSeconds * 1e6 / amount,
                megabytes * 1e6 / amount)
            : String.format(
                Locale.ROOT,
                "%d %-22s %7.0f MB/s, %7.0f MB/s of CPU, %8.1f MB allocated",
                round,
                what,
                amount / 1e6 / seconds,
                amount / 1e6 / cpuSeconds,
                megabytes);
    System.out.println(line);
  }

  @Test
  void rowsOf800Bytes() throws Exception {
    rows = new TextRows(250_000, TextRows.SHORTEST, TextRows.LONGEST);
    writeScanAndRead();
  }

  @Test
  void rowsOf50Bytes() throws Exception {
    rows = new TextRows(1_500_000, 30, 70);
    writeScanAndRead();
  }

  private void writeScanAndRead() throws Exception {
    System.out.println(rows.count() + " rows, the first is '" + rows.value(0) + "'");
    CassandraNode node = CassandraNode.get();
    String name = node.newTableName();
    String create =
        "CREATE TABLE ks."
            + name
            + " (k bigint PRIMARY KEY, v text) WITH compression = "
            + "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 16}";
    node.define(create);
    Path ours = Files.createDirectory(directory.resolve("ours"));
    Path last = directory;
    long uncompressed = 0;
    try (MemoryBudget budget = PooledMemory.unlimited()) {
      NioDirectory folder = NioDirectory.open(ours);
      for (int round = 1; round <= ROUNDS; round++) {
        Path theirs = Files.createDirectory(directory.resolve("theirs" + round));
        last = theirs;
        long bytes = BenchTable.write(rows, folder, version, 100L + round, 16, budget);
        BenchTable.delete(folder, version, 100L + round);
        uncompressed = bytes;
        measure("write, Cassandra", round, false, () -> writeTheirs(create, name, theirs, bytes));
        int generation = round;
        measure(
            "write, Siltstone",
            round,
            false,
            () -> BenchTable.write(rows, folder, version, generation, 16, budget));
        if (round > 1) {
          BenchTable.delete(folder, version, round - 1L);
        }
      }
      long bytes = uncompressed;
      Path data = dataFile(last);
      SSTableReader their = open(data);
      try (SSTable our = BenchTable.open(folder, version, ROUNDS, budget);
          PartitionReader reader = our.reader()) {
        for (int round = 1; round <= ROUNDS; round++) {
          measure("scan, Cassandra", round, false, () -> scanTheirs(their, bytes));
          measure("scan, Siltstone", round, false, () -> scanOurs(our, bytes));
        }
        for (int round = 1; round <= ROUNDS; round++) {
          int seed = round;
          measure("read, Cassandra", round, true, () -> readTheirs(their, seed, rows.count()));
          measure("read, Siltstone", round, true, () -> readOurs(reader, seed, rows.count()));
          measure("read again, Cassandra", round, true, () -> readTheirs(their, seed, 1));
          measure("read again, Siltstone", round, true, () -> readOurs(reader, seed, 1));
        }
      } finally {
        their.selfRef().release();
      }
    }
  }

  private long writeTheirs(String create, String name, Path folder, long bytes) throws Exception {
    try (CQLSSTableWriter writer =
        CQLSSTableWriter.builder()
            .inDirectory(folder.toString())
            .forTable(create)
            .using("INSERT INTO ks." + name + " (k, v) VALUES (?, ?) USING TIMESTAMP ?")
            .sorted()
            .build()) {
      for (int i = 0; i < rows.count(); i++) {
        writer.addRow(
            ByteBuffer.wrap(rows.key(i).toByteArray()).getLong(),
            rows.value(i),
            TextRows.TIMESTAMP);
      }
    }
    return bytes;
  }

  private static Path dataFile(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith("-Data.db")).findFirst().orElseThrow();
    }
  }

  private static SSTableReader open(Path data) {
    Descriptor descriptor =
        Descriptor.fromFileWithComponent(new File(data), CassandraNode.KEYSPACE, "table").left;
    try {
      TableMetadata metadata = Util.metadataFromSSTable(descriptor);
      return SSTableReader.openNoValidation(
          null, descriptor, TableMetadataRef.forOfflineTools(metadata));
    } catch (java.io.IOException e) {
      throw new AssertionError(data.toString(), e);
    }
  }

  private static long scanTheirs(SSTableReader table, long bytes) {
    long sum = 0;
    try (ISSTableScanner scanner = table.getScanner()) {
      while (scanner.hasNext()) {
        try (UnfilteredRowIterator partition = scanner.next()) {
          sum += values(partition);
        }
      }
    }
    assertThat(sum).isPositive();
    return bytes;
  }

  private static long values(UnfilteredRowIterator partition) {
    long sum = 0;
    while (partition.hasNext()) {
      for (Cell<?> cell : ((Row) partition.next()).cells()) {
        sum += cell.valueSize();
      }
    }
    return sum;
  }

  private static long scanOurs(SSTable table, long bytes) throws Exception {
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
    assertThat(sum).isPositive();
    return bytes;
  }

  private long readTheirs(SSTableReader table, int seed, int bound) {
    SplittableRandom random = new SplittableRandom(seed);
    ColumnFilter columns = ColumnFilter.all(table.metadata());
    long sum = 0;
    for (int i = 0; i < READS; i++) {
      PartitionKey key = rows.key(random.nextInt(bound));
      DecoratedKey theirs = table.decorateKey(ByteBuffer.wrap(key.toByteArray()));
      try (UnfilteredRowIterator partition =
          table.rowIterator(
              theirs, Slices.ALL, columns, false, SSTableReadsListener.NOOP_LISTENER)) {
        sum += values(partition);
      }
    }
    assertThat(sum).isPositive();
    return READS;
  }

  private long readOurs(PartitionReader reader, int seed, int bound) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    long sum = 0;
    for (int i = 0; i < READS; i++) {
      if (!reader.seek(rows.key(random.nextInt(bound)))) {
        throw new AssertionError("a key is missing");
      }
      while (reader.nextUnfiltered()) {
        while (reader.unfiltered().nextColumn()) {
          while (reader.unfiltered().nextCell()) {
            sum += reader.unfiltered().valueLength();
          }
        }
      }
    }
    assertThat(sum).isPositive();
    return READS;
  }
}
