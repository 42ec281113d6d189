package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.io.NioOptions;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Reads and writes random rows of a database of {@link KeyValueDatabases}, as fast as possible. Its
 * files are read once before, since a page cache that is empty answers no read, however small the
 * files are.
 *
 * <pre>
 *   database           changed by the writes
 *   keys               number of its rows
 *   read_rate          share of reads
 *   threads, seconds   after a warm-up of half that time
 *   chunk_cache_bytes, memtable_bytes
 *   sstable_version    of what is written
 * </pre>
 */
public final class KeyValueMeasurement implements Measurement {
  private static final double MICROS = 1e3;

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path path = Path.of(parameters.text("database"));
    Profile profile = KeyValueDatabases.profile(parameters.whole("keys"));
    NamedValues result = new NamedValues();
    MeasuredDisk disk = new MeasuredDisk(path, parameters);
    long memtables = parameters.whole("memtable_bytes");
    long cache = parameters.whole("chunk_cache_bytes");
    DatabaseOptions options =
        DatabaseOptions.builder()
            .formatVersion(FormatVersion.of(parameters.text("sstable_version")))
            .memtableBytes(memtables)
            .chunkCacheBytes(cache)
            .memoryBytes(memtables + cache + (128L << 20))
            .build();
    MeasuredDisk.dropPageCache(parameters, result);
    MeasuredDisk.fillPageCache(path);
    try (Database database = Database.open(disk.directory(path, NioOptions.DEFAULT), options)) {
      Table table = database.table(Profile.KEYSPACE, profile.schema(TableOptions.DEFAULT).name());
      double seconds = parameters.number("seconds");
      load(profile, database, table, parameters, seconds / 2, 1);
      disk.start();
      WorkloadResult load = load(profile, database, table, parameters, seconds, 2);
      disk.putUse(result);
      double reads = Math.max(1, load.readLatency().count());
      result.put("ops_per_s", load.opsPerSecond());
      result.put("reads", load.readLatency().count());
      result.put("read_p50_us", load.readLatency().p50Nanos() / MICROS);
      result.put("read_p99_us", load.readLatency().p99Nanos() / MICROS);
      result.put("write_p99_us", load.writeLatency().p99Nanos() / MICROS);
      result.put("allocated_bytes_per_op", load.allocatedBytes() / (double) load.operations());
      result.put("disk_bytes_per_read", result.number("disk_read_bytes") / reads);
      result.put("disk_reads_per_read", result.number("disk_reads") / reads);
      result.put("chunk_bytes_per_read", table.statistics().reads().bytes().mean());
      result.put("disk_mb_per_s", result.number("disk_read_bytes") / 1e6 / load.seconds());
    }
    return result;
  }

  private static WorkloadResult load(
      Profile profile,
      Database database,
      Table table,
      NamedValues parameters,
      double seconds,
      long seed)
      throws IOException {
    WorkloadResult result =
        new WorkloadRunner(
                profile,
                database,
                table,
                WorkloadOptions.builder()
                    .threads((int) parameters.whole("threads"))
                    .readRate(parameters.number("read_rate"))
                    .duration(Duration.ofMillis(Math.round(seconds * 1e3)))
                    .seed(seed)
                    // The versions that a previous process has written are not known.
                    .checked(false)
                    .build())
            .run(sample -> {});
    if (!result.isRight()) {
      throw new IOException("wrong: " + result.failures().first());
    }
    return result;
  }
}
