package io.siltstone.tools.stress;

import io.siltstone.DatabaseOptions;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.throttle.RateLimiter;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the database. */
final class DatabaseChoice {
  /** Memory for filters, summaries and buffers, besides what has an option of its own. */
  private static final long OTHER_MEMORY = 512L << 20;

  @Option(
      names = "--chunk-cache",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      description = "Cache of decompressed chunks, 0 for none; default ${DEFAULT-VALUE}.")
  private String chunkCache = "";

  @Option(
      names = "--key-cache",
      paramLabel = "SIZE",
      defaultValue = "16MiB",
      description =
          "Cache of partition positions on the heap, 0 for none; default" + " ${DEFAULT-VALUE}.")
  private String keyCache = "";

  @Option(
      names = "--memtable",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      description =
          "Memory of all memtables, from 1MiB; they are flushed at half of it; default"
              + " ${DEFAULT-VALUE}.")
  private String memtable = "";

  @Option(
      names = "--commitlog-sync",
      paramLabel = "MODE",
      defaultValue = "periodic",
      description =
          "periodic: writes do not wait; group, batch: writes wait until they are synced;"
              + " default ${DEFAULT-VALUE}.")
  private SyncMode sync = SyncMode.PERIODIC;

  @Option(
      names = "--compaction-throughput",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description =
          "Limit on what all compactions read per second, 0 for no limit; default"
              + " ${DEFAULT-VALUE}.")
  private String throughput = "";

  @Option(
      names = "--compactors",
      paramLabel = "COUNT",
      description =
          "Number of concurrent compactions, 1 to 64; default half of the processors, from 2"
              + " to 8.")
  private @Nullable Integer compactors;

  /**
   * Returns the database options.
   *
   * @throws UsageException naming the option that is wrong
   */
  DatabaseOptions options() {
    long bytesPerSecond = Units.parseBytes("--compaction-throughput", throughput);
    if (!RateLimiter.isAllowed(bytesPerSecond)) {
      throw new UsageException(
          "--compaction-throughput = " + throughput + ", allowed " + RateLimiter.ALLOWED);
    }
    CompactionOptions.Builder compaction =
        CompactionOptions.builder().bytesPerSecond(bytesPerSecond);
    if (compactors != null) {
      if (compactors < 1 || compactors > 64) {
        throw new UsageException("--compactors = " + compactors + ", allowed 1 to 64");
      }
      compaction.compactors(compactors);
    }
    long memtableBytes = Units.parseBytes("--memtable", memtable);
    if (memtableBytes < 1 << 20) {
      throw new UsageException("--memtable = " + memtable + ", allowed 1MiB or more");
    }
    long chunkCacheBytes = Units.parseBytes("--chunk-cache", chunkCache);
    if (chunkCacheBytes > Long.MAX_VALUE / 4 || memtableBytes > Long.MAX_VALUE / 4) {
      throw new UsageException(
          "--memtable = " + memtable + " and --chunk-cache = " + chunkCache + " are too much");
    }
    CommitLogOptions log = CommitLogOptions.builder().syncMode(sync).build();
    return DatabaseOptions.builder()
        .memtableBytes(memtableBytes)
        .chunkCacheBytes(chunkCacheBytes)
        .keyCacheBytes(Units.parseBytes("--key-cache", keyCache))
        .memoryBytes(memtableBytes + chunkCacheBytes + log.bufferBytes() + OTHER_MEMORY)
        .commitLog(log)
        .compaction(new CompactionService(compaction.build()))
        .build();
  }
}
