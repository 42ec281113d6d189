package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.BookValue;
import io.siltstone.bench.workload.DirectorySize;
import io.siltstone.bench.workload.Gauges;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.io.NioOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.TableOptions;
import io.siltstone.statistics.ReadSummary;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Simulates a chat over many days: messages are appended to random threads, and the newest messages
 * of a thread are read, so that those of a thread are in many SSTables. Each stage first writes
 * some days of messages, as fast as possible, while a strategy compacts them. When compaction has
 * nothing more to do, it reads and writes at a fixed rate, with more and more reads. At the end all
 * data is compacted into one SSTable, to measure its size.
 *
 * <pre>
 *   directory            exists; the database is created below it
 *   compaction           options of the strategy with its class: name=value, separated by commas
 *   threads              number of threads that messages belong to
 *   messages             of all stages, before the last one is measured
 *   days                 with the same number of messages, and a flush after each
 *   stages               with the same number of days
 *   ops_per_s, seconds   of each measured phase
 *   ratios               a series: reads per write, one phase for each
 *   memtable_bytes
 * </pre>
 *
 * Returns for each ratio, after {@code reads_}, the ratio and a dot, the cost of reads as the mean
 * of the stages; and the amplifications of all stages.
 */
public final class StrategyMeasurement implements Measurement {
  // 40 to 60 words, about 300 bytes.
  private static final BookValue VALUE = new BookValue(40, 60);
  private static final int NEWEST = 50;
  private static final long MOST_SECONDS_TO_SETTLE = 600;
  private static final double MB = 1e6;
  private static final double MICROS = 1e3;

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path directory = Path.of(parameters.text("directory"));
    Profile profile =
        Profile.of(
            "TimeSeries",
            ProfileOptions.DEFAULT
                .withPartitions(parameters.whole("threads"))
                .withRows(1)
                .withLimit(NEWEST)
                .withValue(VALUE));
    MeasuredDisk disk = new MeasuredDisk(directory, parameters);
    NamedValues result = new NamedValues();
    Written written = new Written(directory.resolve("database").resolve("data"));
    List<NamedValues> stages = new ArrayList<>();
    Calendar calendar = new Calendar();
    long days = parameters.whole("days");
    long messages = parameters.whole("messages") / days;
    for (int stage = 1; stage <= parameters.whole("stages"); stage++) {
      try (Database database = open(disk, directory, calendar, parameters)) {
        Table table = profile.table(database, tableOptions(parameters));
        long last = days * stage / parameters.whole("stages");
        for (long day = days * (stage - 1) / parameters.whole("stages"); day < last; day++) {
          calendar.turnTo(day);
          WorkloadOptions append = options(day).readRate(0).operations(messages).build();
          checked(new WorkloadRunner(profile, database, table, append), written);
          database.flush();
        }
        if (stage == 1) {
          // Warms up, so that the measurement does not wait for the compiler.
          WorkloadOptions read = options(-1).readRate(1).duration(duration(parameters)).build();
          checked(new WorkloadRunner(profile, database, table, read), written);
        }
        settle(database, table, written);
        written.add(table);
      }
      NamedValues costs = new NamedValues();
      for (double ratio : parameters.series("ratios")) {
        // Reopened, so that reads are counted from here on.
        try (Database database = open(disk, directory, calendar, parameters)) {
          Table table = profile.table(database, tableOptions(parameters));
          disk.start();
          WorkloadOptions both =
              options(-stage - Math.round(1000 * ratio))
                  .readRate(ratio / (ratio + 1))
                  .opsPerSecond(parameters.number("ops_per_s"))
                  .duration(duration(parameters))
                  .build();
          WorkloadResult load =
              checked(new WorkloadRunner(profile, database, table, both), written);
          NamedValues used = new NamedValues();
          disk.putUse(used);
          put("reads_" + Math.round(ratio) + ".", table, load, used, costs);
          result.put(MeasuredDisk.NOTES, used.text(MeasuredDisk.NOTES));
          written.add(table);
        }
      }
      stages.add(costs);
    }
    for (String name : stages.get(0).names()) {
      result.put(
          name, stages.stream().mapToDouble(costs -> costs.number(name)).average().orElseThrow());
    }
    written.put(result);
    try (Database database = open(disk, directory, calendar, parameters)) {
      Table table = profile.table(database, tableOptions(parameters));
      database.flush();
      long before = table.statistics().sstables().onDiskBytes();
      table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join().orThrow();
      double least = table.statistics().sstables().onDiskBytes();
      result.put("least_mb", least / MB);
      result.put("space_amplification", before / least);
      result.put("most_space_amplification", written.mostBytes / least);
    }
    return result;
  }

  /** Waits until compaction has nothing more to do. */
  private static void settle(Database database, Table table, Written written) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS_TO_SETTLE);
    int quiet = 0;
    while (quiet < 3) {
      written.look();
      Gauges now = Gauges.of(database, table);
      quiet = now.pendingCompactions() + now.runningCompactions() == 0 ? quiet + 1 : 0;
      if (System.nanoTime() > end) {
        throw new IOException(
            "after "
                + MOST_SECONDS_TO_SETTLE
                + " s compaction has still "
                + now.compactionDebtBytes()
                + " bytes to read");
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while compaction went on");
      }
    }
  }

  /** The system's clock, with days that are advanced by hand. */
  private static final class Calendar implements InstantSource {
    private volatile long days;

    @Override
    public Instant instant() {
      return InstantSource.system().instant().plus(Duration.ofDays(days));
    }

    void turnTo(long day) {
      days = day;
    }
  }

  private static Database open(
      MeasuredDisk disk, Path directory, InstantSource clock, NamedValues parameters)
      throws IOException {
    long memtables = parameters.whole("memtable_bytes");
    return Database.open(
        disk.directory(directory.resolve("database"), NioOptions.DEFAULT),
        DatabaseOptions.builder()
            .clock(clock)
            .memtableBytes(memtables)
            .chunkCacheBytes(8L << 20)
            .memoryBytes(memtables + (136L << 20))
            .build());
  }

  private static Duration duration(NamedValues parameters) {
    return Duration.ofMillis(Math.round(parameters.number("seconds") * 1e3));
  }

  private static TableOptions tableOptions(NamedValues parameters) {
    Map<String, String> compaction = new TreeMap<>();
    for (String option : parameters.text("compaction").split(",", -1)) {
      int equals = option.indexOf('=');
      compaction.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return TableOptions.builder().compaction(compaction).build();
  }

  private static WorkloadOptions.Builder options(long seed) {
    return WorkloadOptions.builder()
        .threads(2)
        .seed(seed)
        .interval(Duration.ofMillis(200))
        // The versions that the previous phase has written are not known.
        .checked(false);
  }

  private static WorkloadResult checked(WorkloadRunner load, Written written) throws IOException {
    WorkloadResult result = load.run(sample -> written.look());
    if (!result.isRight()) {
      throw new IOException("wrong: " + result.failures().first());
    }
    return result;
  }

  private static void put(
      String phase, Table table, WorkloadResult load, NamedValues used, NamedValues result)
      throws IOException {
    TableStatistics statistics = table.statistics();
    ReadSummary reads = statistics.reads();
    double count = Math.max(1, load.readLatency().count());
    result.put(phase + "sstables_median", reads.sstables().median());
    result.put(phase + "sstables_mean", reads.sstables().mean());
    result.put(phase + "sstables_p99", reads.sstables().percentiles().p99());
    result.put(phase + "chunks_mean", reads.chunks().mean());
    result.put(phase + "p50_us", load.readLatency().p50Nanos() / MICROS);
    result.put(phase + "p99_us", load.readLatency().p99Nanos() / MICROS);
    result.put(phase + "p999_us", load.readLatency().p999Nanos() / MICROS);
    result.put(phase + "write_p99_us", load.writeLatency().p99Nanos() / MICROS);
    result.put(phase + "ops_per_s", load.opsPerSecond());
    result.put(phase + "live_sstables", statistics.sstables().count());
    result.put(phase + "disk_bytes_per_read", used.number("disk_read_bytes") / count);
    result.put(phase + "disk_reads_per_read", used.number("disk_reads") / count);
  }

  /** Sums what flushes and compactions have written, over all openings. */
  private static final class Written {
    private long flushedBytes;
    private long compactedBytes;
    private long compactions;
    private long mostBytes;
    private final Path tables;

    Written(Path tables) {
      this.tables = tables;
    }

    void add(Table table) throws IOException {
      TableStatistics statistics = table.statistics();
      flushedBytes += statistics.traffic().flushedBytes();
      compactedBytes += statistics.traffic().compactionBytesWritten();
      compactions += statistics.traffic().compactions();
    }

    /**
     * Looks at the present size, including outputs being written and obsolete files not deleted
     * yet.
     */
    void look() {
      try {
        mostBytes = Math.max(mostBytes, DirectorySize.of(tables));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void put(NamedValues result) {
      result.put("flushed_mb", flushedBytes / MB);
      result.put("compacted_mb", compactedBytes / MB);
      result.put("compactions", compactions);
      result.put(
          "write_amplification",
          flushedBytes == 0 ? 0 : (double) (flushedBytes + compactedBytes) / flushedBytes);
    }
  }
}
