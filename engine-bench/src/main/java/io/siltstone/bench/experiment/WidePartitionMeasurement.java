package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.TimedLoop;
import io.siltstone.bench.workload.BookValue;
import io.siltstone.bench.workload.ProcessUsage;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.io.NioOptions;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Measures one partition with many rows: it is loaded, flushed, compacted into one SSTable, and
 * read at random rows.
 *
 * <pre>
 *   database       created here
 *   rows
 *   seconds        of each kind of read, by one thread, after a warm-up of the same length
 *   memtable_bytes
 * </pre>
 *
 * Returns the figures of each phase after its name and a dot, and the heap over time as two series,
 * {@code heap_seconds} and {@code heap_mb}.
 */
public final class WidePartitionMeasurement implements Measurement {
  private static final int SLICE = 100;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;
  // 380 bytes, so that a row takes 400.
  private static final BookValue VALUE = new BookValue(55, 70);

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    int rows = (int) parameters.whole("rows");
    double seconds = parameters.number("seconds");
    long memtables = parameters.whole("memtable_bytes");
    Path path = Path.of(parameters.text("database"));
    Profile profile =
        Profile.of(
            "Wide", ProfileOptions.DEFAULT.withPartitions(1).withRows(rows).withValue(VALUE));
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memtableBytes(memtables)
            .chunkCacheBytes(16L << 20)
            .memoryBytes(memtables + (112L << 20))
            .compaction(
                new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build()))
            .build();
    // Compaction is timed separately.
    TableOptions tableOptions =
        TableOptions.builder()
            .compaction(Map.of("class", "SizeTieredCompactionStrategy", "enabled", "false"))
            .build();
    NamedValues result = new NamedValues();
    try (HeapOverTime heap = HeapOverTime.begin();
        Database database =
            Database.open(
                new MeasuredDisk(Path.of(parameters.text("directory")), parameters)
                    .directory(path, NioOptions.DEFAULT),
                options)) {
      Table table = profile.table(database, tableOptions);
      Phase load = new Phase("load", heap);
      WorkloadResult loaded =
          new WorkloadRunner(
                  profile,
                  database,
                  table,
                  WorkloadOptions.builder().threads(1).checked(false).build())
              .populate(sample -> {});
      if (!loaded.isRight()) {
        throw new IOException("wrong: " + loaded.failures().first());
      }
      load.end(result);
      // The threads of the phase have ended, so that their allocations are not known any more.
      result.put("load.allocated_mb", loaded.allocatedBytes() / MB);
      Phase flush = new Phase("flush", heap);
      database.flush();
      flush.end(result);
      result.put("sstables", table.statistics().sstables().count());
      result.put("data_mb", table.statistics().sstables().dataBytes() / MB);
      result.put("stored_mb", table.statistics().sstables().onDiskBytes() / MB);
      Phase compact = new Phase("compact", heap);
      CompactionReport report =
          table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join();
      compact.end(result);
      report.orThrow();
      Phase read = new Phase("read", heap);
      reads(table, rows, seconds, result);
      read.end(result);
      result.put("heap_max_mb", Runtime.getRuntime().maxMemory() / MB);
      heap.put(result);
    }
    return result;
  }

  private static void reads(Table table, int rows, double seconds, NamedValues result)
      throws Exception {
    put(
        "row",
        TimedLoop.run(
            1,
            seconds,
            (random, number) -> {
              long row = random.nextInt(rows);
              if (table.get(table.query().partition(0L).row(row).build()).isEmpty()) {
                throw new IllegalStateException("row " + row + " is not there");
              }
            }),
        result);
    put(
        "slice",
        TimedLoop.run(
            1,
            seconds,
            (random, number) -> {
              int from = random.nextInt(rows);
              slice(
                  table,
                  table
                      .query()
                      .partition(0L)
                      .rows(ClusteringRange.all().from((long) from))
                      .limit(SLICE)
                      .build(),
                  Math.min(SLICE, rows - from));
            }),
        result);
    put(
        "reversed",
        TimedLoop.run(
            1,
            seconds,
            (random, number) -> {
              int to = random.nextInt(rows);
              slice(
                  table,
                  table
                      .query()
                      .partition(0L)
                      .rows(ClusteringRange.all().to((long) to))
                      .reversed()
                      .limit(SLICE)
                      .build(),
                  Math.min(SLICE, to + 1));
            }),
        result);
  }

  private static void slice(Table table, Query query, int expected) throws IOException {
    int count = 0;
    try (LiveRows found = table.read(query)) {
      while (found.hasNext()) {
        found.next();
        count++;
      }
    }
    if (count != expected) {
      throw new IllegalStateException(count + " rows of " + query + ", not " + expected);
    }
  }

  private static void put(String name, TimedLoop.Result loop, NamedValues result) {
    result.put(name + ".ops_per_s", loop.opsPerSecond());
    result.put(name + ".p50_us", loop.nanos().getValueAtPercentile(50) / 1e3);
    result.put(name + ".p99_us", loop.nanos().getValueAtPercentile(99) / 1e3);
    result.put(name + ".allocated_bytes_per_op", loop.allocatedBytesPerOperation());
  }

  /** A phase of the run, with the resources it has used. */
  private static final class Phase {
    private final String name;
    private final HeapOverTime heap;
    private final ProcessUsage before;
    private final long start = System.nanoTime();

    Phase(String name, HeapOverTime heap) {
      this.name = name;
      this.heap = heap;
      heap.beginPhase();
      before = ProcessUsage.now();
    }

    void end(NamedValues result) {
      double seconds = (System.nanoTime() - start) / NANOS;
      ProcessUsage usage = ProcessUsage.now().since(before);
      result.put(name + ".seconds", seconds);
      result.put(name + ".allocated_mb", usage.allocatedBytes() / MB);
      result.put(name + ".collections", usage.collections());
      result.put(name + ".collection_ms", usage.collectionMillis());
      result.put(name + ".heap_peak_mb", heap.phasePeakBytes() / MB);
    }
  }
}
