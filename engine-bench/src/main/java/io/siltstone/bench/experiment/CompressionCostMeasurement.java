package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.Operations;
import io.siltstone.bench.workload.ProcessUsage;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The measurement of a compressor's costs where the disk is no limit: flushes of four memtables, a
 * compaction of the four SSTables, and point reads of random rows by one thread from the page
 * cache, without a chunk cache.
 *
 * <pre>
 *   directory    of the database, which is made
 *   keys         number of its rows
 *   compression  the option of the table
 *   dictionary   1: a dictionary is trained after the first flush, which is not counted
 *   seconds      of reads, after a warm-up of half that time
 * </pre>
 */
public final class CompressionCostMeasurement implements Measurement {
  private static final int PARTS = 4;
  private static final double NANOS = 1e9;
  private static final double GIGABYTE = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final double MICROS = 1e3;

  private interface Step {
    void run() throws IOException;
  }

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Profile profile = KeyValueDatabases.profile(parameters.whole("keys"));
    DatabaseOptions options =
        DatabaseOptions.builder()
            .formatVersion(FormatVersion.PA)
            .chunkCacheBytes(0)
            .memtableBytes(512 << 20)
            .memoryBytes(800 << 20)
            .compaction(
                new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
            .build();
    NamedValues result = new NamedValues();
    try (Database database = Database.open(Path.of(parameters.text("directory")), options)) {
      Table made = profile.table(database, TableOptions.DEFAULT);
      Table table =
          database.alterTable(
              Profile.KEYSPACE,
              made.schema().name(),
              "ALTER TABLE "
                  + Profile.KEYSPACE
                  + "."
                  + made.schema().name()
                  + " WITH compression = "
                  + parameters.text("compression")
                  + " AND compaction = {'class': 'SizeTieredCompactionStrategy',"
                  + " 'enabled': 'false'}");
      flush(profile, table, parameters.whole("dictionary") != 0, result);
      long data = table.statistics().sstables().dataBytes();
      measure("compaction", data, result, () -> ask(table, Operation.MAJOR));
      result.put("ratio", (double) table.statistics().sstables().onDiskBytes() / data);
      double seconds = parameters.number("seconds");
      read(profile, database, table, seconds / 2, 1);
      WorkloadResult reads = read(profile, database, table, seconds, 2);
      result.put("reads_per_s", reads.opsPerSecond());
      result.put("read_p99_us", reads.readLatency().p99Nanos() / MICROS);
      result.put("read_cpu_us", reads.usage().cpuNanos() / MICROS / reads.operations());
    }
    return result;
  }

  private static void flush(Profile profile, Table table, boolean trains, NamedValues result)
      throws IOException {
    long items = profile.items() / PARTS * PARTS;
    Operations operations =
        profile.operations(table, Duration.ofMillis(System.currentTimeMillis()).toNanos() / 1_000);
    long first = 0;
    double seconds = 0;
    double cpu = 0;
    for (long item = 0; item < items; item++) {
      operations.write(item, 1);
      if ((item + 1) % (items / PARTS) != 0) {
        continue;
      }
      NamedValues one = new NamedValues();
      measure("flush", 1, one, table::flush);
      if (first == 0) {
        first = table.statistics().sstables().dataBytes();
        if (trains) {
          ask(table, Operation.TRAIN_DICTIONARY);
        }
      } else {
        seconds += one.number("flush_s");
        cpu += one.number("flush_cpu_s");
      }
    }
    long data = table.statistics().sstables().dataBytes() - first;
    put("flush", data, seconds, cpu, result);
  }

  private static void measure(String name, long bytes, NamedValues result, Step step)
      throws IOException {
    ProcessUsage before = ProcessUsage.now();
    long start = System.nanoTime();
    step.run();
    double seconds = (System.nanoTime() - start) / NANOS;
    double cpu = ProcessUsage.now().since(before).cpuNanos() / NANOS;
    put(name, bytes, seconds, cpu, result);
  }

  private static void put(String name, long bytes, double seconds, double cpu, NamedValues result) {
    result.put(name + "_s", seconds);
    result.put(name + "_cpu_s", cpu);
    result.put(name + "_mb_per_s", bytes / MEGABYTE / seconds);
    result.put(name + "_cpu_s_per_gb", cpu / (bytes / GIGABYTE));
  }

  private static void ask(Table table, Operation operation) throws IOException {
    table.compact(CompactionRequest.of(operation)).toCompletableFuture().join().orThrow();
  }

  private static WorkloadResult read(
      Profile profile, Database database, Table table, double seconds, long seed)
      throws IOException {
    WorkloadResult result =
        new WorkloadRunner(
                profile,
                database,
                table,
                WorkloadOptions.builder()
                    .threads(1)
                    .readRate(1)
                    .duration(Duration.ofMillis(Math.round(seconds * 1e3)))
                    .seed(seed)
                    .checked(false)
                    .build())
            .run(sample -> {});
    if (!result.isRight()) {
      throw new IOException("wrong: " + result.failures().first());
    }
    return result;
  }
}
