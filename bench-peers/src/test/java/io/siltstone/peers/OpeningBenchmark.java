package io.siltstone.peers;

import com.sun.management.OperatingSystemMXBean;
import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.io.NioDirectory;
import io.siltstone.partitioner.Partitioner;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Measures how long it takes to open and close a database that was closed cleanly, warm, beside
 * RocksDB in the same process.
 *
 * <pre>
 *   java ... io.siltstone.peers.OpeningBenchmark [ENTRIES [RUNS]]
 * </pre>
 *
 * Prints a line for each database: its number of tables (column families of RocksDB) and of
 * SSTables in all, and the medians of the times in milliseconds: to create the tables, to open, to
 * open and read an entry of a table, and to close; beside them the least time to open, and the
 * median of the CPU time of the process, which a busy machine disturbs less. Compaction is off, so
 * that the SSTables stay.
 */
public final class OpeningBenchmark {
  private static final int VALUE_BYTES = 100;
  private static final int DEFAULT_ENTRIES = 200_000;
  private static final int DEFAULT_RUNS = 15;
  private static final String KEYSPACE = "bench";
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final int entries;
  private final int runs;
  private final byte[] value = new byte[VALUE_BYTES];
  private final Random random = new Random(1);

  private OpeningBenchmark(int entries, int runs) {
    this.entries = entries;
    this.runs = runs;
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws Exception {
    int entries = arguments.length > 0 ? Integer.parseInt(arguments[0]) : DEFAULT_ENTRIES;
    int runs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_RUNS;
    OpeningBenchmark benchmark = new OpeningBenchmark(entries, runs);
    System.out.println(
        "engine     tables  SSTables   create     open    least      CPU   +read    close  (ms)");
    for (int[] shape : new int[][] {{1, 1}, {1, 100}, {1, 1000}, {1000, 1000}}) {
      benchmark.measure(new RocksEngine(), shape[0], shape[1]);
      benchmark.measure(new SiltstoneEngine(), shape[0], shape[1]);
    }
  }

  /** An engine with several tables of entries. */
  private interface Engine {
    String name();

    Store open(Path directory, int tables) throws Exception;
  }

  /** An open database. */
  private interface Store extends AutoCloseable {
    void put(int table, byte[] key, byte[] value) throws Exception;

    boolean has(int table, byte[] key) throws Exception;

    void flush(int table) throws Exception;

    @Override
    void close() throws IOException;
  }

  private void measure(Engine engine, int tables, int sstables) throws Exception {
    Path directory = Files.createTempDirectory("opening");
    try {
      long start = System.nanoTime();
      Store made = engine.open(directory, tables);
      double create = millis(start);
      try (made) {
        fill(made, tables, sstables);
      }
      double[] open = new double[runs];
      double[] cpu = new double[runs];
      double[] read = new double[runs];
      double[] close = new double[runs];
      for (int i = 0; i < runs; i++) {
        start = System.nanoTime();
        long cpuStart = PROCESS.getProcessCpuTime();
        Store store = engine.open(directory, tables);
        open[i] = millis(start);
        cpu[i] = (PROCESS.getProcessCpuTime() - cpuStart) / 1e6;
        if (!store.has(0, key(0))) {
          throw new IllegalStateException(engine.name() + " lacks an entry");
        }
        read[i] = millis(start);
        start = System.nanoTime();
        store.close();
        close[i] = millis(start);
      }
      System.out.printf(
          Locale.ROOT,
          "%-10s %6d %9d %8.0f %8.1f %8.1f %8.1f %7.1f %8.1f%n",
          engine.name(),
          tables,
          sstables,
          create,
          median(open),
          Arrays.stream(open).min().orElseThrow(),
          median(cpu),
          median(read),
          median(close));
    } finally {
      delete(directory);
    }
  }

  private void fill(Store store, int tables, int sstables) throws Exception {
    int perSSTable = Math.max(1, entries / sstables);
    for (int i = 0; i < sstables; i++) {
      int table = i % tables;
      for (int entry = 0; entry < perSSTable; entry++) {
        random.nextBytes(value);
        store.put(table, key(entry * (sstables / tables) + i / tables), value);
      }
      if (tables == 1) {
        store.flush(table);
      }
    }
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key-%012d", number).getBytes(StandardCharsets.UTF_8);
  }

  private static double millis(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all;
    try (var paths = Files.walk(directory)) {
      all = new ArrayList<>(paths.toList());
    }
    for (int i = all.size() - 1; i >= 0; i--) {
      Files.delete(all.get(i));
    }
  }

  private static final class SiltstoneEngine implements Engine {
    private static final DatabaseOptions OPTIONS =
        DatabaseOptions.builder()
            .partitioner(Partitioner.BYTE_ORDERED)
            .compaction(Compaction.none())
            .build();

    @Override
    public String name() {
      return "Siltstone";
    }

    @Override
    public Store open(Path directory, int tables) throws IOException {
      Database database = Database.open(NioDirectory.open(directory), OPTIONS);
      List<String> names = IntStream.range(0, tables).mapToObj(i -> "t" + i).toList();
      List<KeyValueStore> stores =
          KeyValueStore.createIn(database, KEYSPACE, names, KeyValueStore.DEFAULT_TABLE_OPTIONS);
      return new Store() {
        @Override
        public void put(int table, byte[] key, byte[] value) throws IOException {
          stores.get(table).put(key, value);
        }

        @Override
        public boolean has(int table, byte[] key) throws IOException {
          return stores.get(table).get(key) != null;
        }

        @Override
        public void flush(int table) throws IOException {
          stores.get(table).table().flush();
        }

        @Override
        public void close() throws IOException {
          database.close();
        }
      };
    }
  }

  private static final class RocksEngine implements Engine {
    @Override
    public String name() {
      return "RocksDB";
    }

    @Override
    public Store open(Path directory, int tables) throws RocksDBException {
      RocksDB.loadLibrary();
      ColumnFamilyOptions columns = new ColumnFamilyOptions().setDisableAutoCompactions(true);
      List<ColumnFamilyDescriptor> families = new ArrayList<>();
      families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, columns));
      for (int i = 1; i < tables; i++) {
        families.add(
            new ColumnFamilyDescriptor(("t" + i).getBytes(StandardCharsets.UTF_8), columns));
      }
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      DBOptions options =
          new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
      RocksDB database = RocksDB.open(options, directory.toString(), families, handles);
      return new Store() {
        @Override
        public void put(int table, byte[] key, byte[] value) throws RocksDBException {
          database.put(handles.get(table), key, value);
        }

        @Override
        public boolean has(int table, byte[] key) throws RocksDBException {
          return database.get(handles.get(table), key, ByteBuffer.allocate(VALUE_BYTES).array())
              >= 0;
        }

        @Override
        public void flush(int table) throws RocksDBException {
          try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            database.flush(flush, handles.get(table));
          }
        }

        @Override
        public void close() {
          if (tables > 1) {
            // Closing a Siltstone database flushes its memtables, too.
            try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
              database.flush(flush, handles);
            } catch (RocksDBException e) {
              throw new IllegalStateException(e);
            }
          }
          handles.forEach(ColumnFamilyHandle::close);
          database.close();
          options.close();
          columns.close();
        }
      };
    }
  }
}
