package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.Values;
import io.siltstone.bench.workload.BookValue;
import io.siltstone.bench.workload.Load;
import io.siltstone.bench.workload.LoadOptions;
import io.siltstone.bench.workload.LoadResult;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.Sample;
import io.siltstone.io.NioOptions;
import io.siltstone.schema.TableOptions;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionRequest.Operation;
import io.siltstone.table.ReadSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows of four columns, one written at a time, so that the cells of a row lie in several SSTables:
 * first written alone, then read and written at a rate with more and more reads; compacted by a
 * strategy all the while, and at the end into one SSTable, to see how large that is.
 *
 * <pre>
 *   directory            exists; the database is made below it
 *   compaction           options of the strategy with its class: name=value, separated by commas
 *   rows                 that there are
 *   writes               each of one column of a random row, before anything is measured
 *   ops_per_s, seconds   of each measured phase
 *   ratios               a series: reads for each write, a phase each
 *   memtable_bytes
 * </pre>
 *
 * Returns of each phase, behind {@code reads_} and its ratio and a dot, what reads cost; and the
 * amplifications of all.
 */
public final class StrategyMeasurement implements Measurement {
  // 40 to 60 words: a row has about 1.2 kB.
  private static final BookValue VALUE = new BookValue(40, 60);
  private static final double MB = 1e6;
  private static final double MICROS = 1e3;

  @Override
  public Values run(Values parameters) throws IOException {
    Path directory = Path.of(parameters.text("directory"));
    Profile profile =
        Profile.of(
            "Updates",
            ProfileOptions.DEFAULT.withPartitions(parameters.whole("rows")).withValue(VALUE));
    Disk disk = new Disk(directory, parameters);
    Values result = new Values();
    Written written = new Written();
    try (Database database = open(disk, directory, parameters)) {
      Table table = profile.table(database, tableOptions(parameters));
      Load load = new Load(profile, database, table, options(1).build());
      check(load.populate(written::look));
      check(
          new Load(
                  profile,
                  database,
                  table,
                  options(2).readRate(0).operations(parameters.whole("writes")).build())
              .run(written::look));
      // So that what follows does not wait for the compiler.
      check(
          new Load(
                  profile,
                  database,
                  table,
                  options(4).readRate(1).duration(duration(parameters, 0.25)).build())
              .run(written::look));
      written.add(table);
    }
    for (double ratio : parameters.series("ratios")) {
      // Opened anew, so that what reads cost is counted from here on.
      try (Database database = open(disk, directory, parameters)) {
        Table table = profile.table(database, tableOptions(parameters));
        disk.start();
        LoadResult load =
            new Load(
                    profile,
                    database,
                    table,
                    options(3)
                        .readRate(ratio / (ratio + 1))
                        .opsPerSecond(parameters.number("ops_per_s"))
                        .duration(duration(parameters, 1))
                        .build())
                .run(written::look);
        check(load);
        Values used = new Values();
        disk.putUse(used);
        put("reads_" + Math.round(ratio) + ".", table, load, used, result);
        result.put(Disk.NOTES, used.text(Disk.NOTES));
        written.add(table);
      }
    }
    written.put(result);
    try (Database database = open(disk, directory, parameters)) {
      Table table = profile.table(database, tableOptions(parameters));
      database.flush();
      long before = table.statistics().onDiskBytes();
      CompactionReport report =
          table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join();
      if (!report.failed().isEmpty()) {
        throw new IOException(report.failed().get(0).cause());
      }
      double least = table.statistics().onDiskBytes();
      result.put("least_mb", least / MB);
      result.put("space_amplification", before / least);
      result.put("most_space_amplification", written.mostBytes / least);
    }
    return result;
  }

  private static Database open(Disk disk, Path directory, Values parameters) throws IOException {
    long memtables = parameters.whole("memtable_bytes");
    return Database.open(
        disk.directory(directory.resolve("database"), NioOptions.DEFAULT),
        DatabaseOptions.builder()
            .memtableBytes(memtables)
            .chunkCacheBytes(8L << 20)
            .memoryBytes(memtables + (136L << 20))
            .build());
  }

  private static Duration duration(Values parameters, double share) {
    return Duration.ofMillis(Math.round(share * parameters.number("seconds") * 1e3));
  }

  private static TableOptions tableOptions(Values parameters) {
    Map<String, String> compaction = new TreeMap<>();
    for (String option : parameters.text("compaction").split(",", -1)) {
      int equals = option.indexOf('=');
      compaction.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return TableOptions.builder().compaction(compaction).build();
  }

  private static LoadOptions.Builder options(long seed) {
    return LoadOptions.builder()
        .threads(2)
        .seed(seed)
        .interval(Duration.ofMillis(200))
        // Nothing is known of what the load before has written.
        .checked(false);
  }

  private static void check(LoadResult result) throws IOException {
    if (!result.isRight()) {
      throw new IOException("wrong: " + result.problems());
    }
  }

  private static void put(String phase, Table table, LoadResult load, Values used, Values result)
      throws IOException {
    TableStatistics statistics = table.statistics();
    ReadSummary reads = statistics.reads();
    double count = Math.max(1, load.reads().getTotalCount());
    result.put(phase + "sstables_median", reads.sstables().median());
    result.put(phase + "sstables_mean", reads.sstables().mean());
    result.put(phase + "sstables_p99", reads.sstables().percentile99());
    result.put(phase + "chunks_mean", reads.chunks().mean());
    result.put(phase + "p50_us", load.readLatency().p50Nanos() / MICROS);
    result.put(phase + "p99_us", load.readLatency().p99Nanos() / MICROS);
    result.put(phase + "p999_us", load.readLatency().p999Nanos() / MICROS);
    result.put(phase + "write_p99_us", load.writeLatency().p99Nanos() / MICROS);
    result.put(phase + "ops_per_s", load.opsPerSecond());
    result.put(phase + "live_sstables", statistics.sstables());
    result.put(phase + "disk_bytes_per_read", used.number("disk_read_bytes") / count);
    result.put(phase + "disk_reads_per_read", used.number("disk_reads") / count);
  }

  /** What flushes and compactions have written, over all openings. */
  private static final class Written {
    private long flushedBytes;
    private long compactedBytes;
    private long compactions;
    private long mostBytes;

    void add(Table table) throws IOException {
      TableStatistics statistics = table.statistics();
      flushedBytes += statistics.traffic().flushedBytes();
      compactedBytes += statistics.traffic().compactionBytesWritten();
      compactions += statistics.traffic().compactions();
    }

    void look(Sample sample) {
      mostBytes = Math.max(mostBytes, sample.gauges().onDiskBytes());
    }

    void put(Values result) {
      result.put("flushed_mb", flushedBytes / MB);
      result.put("compacted_mb", compactedBytes / MB);
      result.put("compactions", compactions);
      result.put(
          "write_amplification",
          flushedBytes == 0 ? 0 : (double) (flushedBytes + compactedBytes) / flushedBytes);
    }
  }
}
