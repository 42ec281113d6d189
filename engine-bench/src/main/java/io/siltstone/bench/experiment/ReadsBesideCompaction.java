package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.KeyDistribution;
import io.siltstone.bench.workload.Latency;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.io.NioOptions;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a database of {@link KeyValueDatabases} at a constant rate, with a Zipf distribution of
 * keys, while the same process compacts other SSTables repeatedly, as fast as possible.
 *
 * <pre>
 *   database           not changed
 *   keys               number of its rows
 *   input              schema.cql and SSTables to compact; outputs are written beside it
 *   compacts           0: nothing is compacted
 *   seconds            duration of the measurement
 *   warm_up_seconds    before it, without compaction, to fill the page cache
 *   threads, reads_per_s, chunk_cache_bytes
 * </pre>
 *
 * and the parameters of {@link MajorCompaction}.
 */
public final class ReadsBesideCompaction implements Measurement {
  private static final double MICROS = 1e3;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path path = Path.of(parameters.text("database"));
    Profile profile = KeyValueDatabases.profile(parameters.whole("keys"));
    NamedValues result = new NamedValues();
    MeasuredDisk disk = new MeasuredDisk(path, parameters);
    long cache = parameters.whole("chunk_cache_bytes");
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memtableBytes(16L << 20)
            .chunkCacheBytes(cache)
            .memoryBytes(cache + (64L << 20))
            .build();
    MeasuredDisk.dropPageCache(parameters, result);
    try (Database database = Database.open(disk.directory(path, NioOptions.DEFAULT), options)) {
      Table table = database.table(Profile.KEYSPACE, profile.schema(TableOptions.DEFAULT).name());
      read(profile, database, table, parameters, "warm_up_seconds");
      disk.start();
      AtomicBoolean ended = new AtomicBoolean();
      CompletableFuture<Double> compaction =
          parameters.whole("compacts") == 0
              ? CompletableFuture.completedFuture(0.0)
              : CompletableFuture.supplyAsync(() -> compact(parameters, ended));
      WorkloadResult load = read(profile, database, table, parameters, "seconds");
      disk.putUse(result);
      ended.set(true);
      result.put("compacted_mb_per_s", compaction.join());
      Latency reads = load.readLatency();
      result.put("ops_per_s", load.opsPerSecond());
      result.put("read_p50_us", reads.p50Nanos() / MICROS);
      result.put("read_p99_us", reads.p99Nanos() / MICROS);
      result.put("read_p999_us", reads.p999Nanos() / MICROS);
      result.put("read_max_us", reads.maxNanos() / MICROS);
      result.put("disk_mb_per_s", result.number("disk_read_bytes") / MB / load.seconds());
    }
    return result;
  }

  private static WorkloadResult read(
      Profile profile, Database database, Table table, NamedValues parameters, String seconds)
      throws IOException {
    WorkloadResult result =
        new WorkloadRunner(
                profile,
                database,
                table,
                WorkloadOptions.builder()
                    .threads((int) parameters.whole("threads"))
                    .readRate(1)
                    .opsPerSecond(parameters.number("reads_per_s"))
                    .distribution(KeyDistribution.ZIPF)
                    .duration(Duration.ofMillis(Math.round(parameters.number(seconds) * 1e3)))
                    // The versions that a previous process has written are not known.
                    .checked(false)
                    .build())
            .run(sample -> {});
    if (!result.isRight()) {
      throw new IOException("wrong: " + result.failures().first());
    }
    return result;
  }

  /** Compacts links to the same files repeatedly; returns the MB/s of files read. */
  private static double compact(NamedValues parameters, AtomicBoolean ended) {
    Path input = Path.of(parameters.text("input"));
    try {
      Path work = Files.createTempDirectory(input.toAbsolutePath().getParent(), "compaction");
      MeasuredDisk disk = new MeasuredDisk(work, parameters);
      double bytes = 0;
      double seconds = 0;
      for (int i = 0; !ended.get(); i++) {
        Path links = work.resolve(Integer.toString(i));
        MajorCompaction.link(input, links);
        long start = System.nanoTime();
        try (MajorCompaction compaction = MajorCompaction.open(links, disk, parameters)) {
          bytes += compaction.run().read().onDiskBytes();
        }
        seconds += (System.nanoTime() - start) / NANOS;
        ExperimentRunner.remove(links);
      }
      ExperimentRunner.remove(work);
      return bytes / MB / seconds;
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}
