package io.siltstone.model;

import io.siltstone.DatabaseOptions;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compress.FlushCompression;
import io.siltstone.io.DiskAccessMode;
import io.siltstone.io.NioOptions;
import io.siltstone.sstable.RandomPartitions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.FileSystemModel;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * How a database is run: what must make no difference to its answers.
 *
 * @param files how they are accessed, where the disk is not simulated
 * @param tableOptions what every table is altered to have
 */
record Configuration(
    FormatVersion version,
    SyncMode syncMode,
    int segmentBytes,
    long totalLogBytes,
    long chunkCacheBytes,
    long keyCacheBytes,
    int flushThreads,
    int scanThreads,
    long memtableBytes,
    FlushCompression flushCompression,
    int columnIndexSizeBytes,
    NioOptions files,
    FileSystemModel fileSystem,
    String tableOptions) {

  static Configuration draw(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    int segmentBytes = random.nextBoolean() ? 16 << 10 : 1 << 20;
    return new Configuration(
        RandomPartitions.version(random),
        one(random, List.of(SyncMode.values())),
        segmentBytes,
        (2L + random.nextInt(3)) * segmentBytes,
        one(random, List.of(0L, 64L << 10, 8L << 20)),
        one(random, List.of(0L, 1L << 10, 1L << 20)),
        1 + random.nextInt(2),
        random.nextInt(3),
        one(random, List.of(1L << 20, 4L << 20)),
        one(random, List.of(FlushCompression.values())),
        one(random, List.of(1 << 10, 4 << 10, 16 << 10)),
        new NioOptions(
            one(random, List.of(DiskAccessMode.values())),
            random.nextBoolean(),
            random.nextBoolean()),
        random.nextInt(4) == 0 ? FileSystemModel.UNORDERED : FileSystemModel.JOURNALED,
        one(
                random,
                List.of(
                    "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}",
                    "compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 64}",
                    "compression = {'class': 'ZstdCompressor', 'chunk_length_in_kb': 16}",
                    "compression = {'class': 'SnappyCompressor', 'chunk_length_in_kb': 8}",
                    "compression = {'class': 'DeflateCompressor', 'chunk_length_in_kb': 128}",
                    "compression = {'enabled': 'false'}"))
            + " AND bloom_filter_fp_chance = "
            + one(random, List.of("0.01", "1.0"))
            + " AND min_index_interval = "
            + one(random, List.of("1", "128"))
            + " AND max_index_interval = 2048");
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .formatVersion(version)
        .memtableBytes(memtableBytes)
        .flushCompression(flushCompression)
        .columnIndexSizeBytes(columnIndexSizeBytes)
        .memoryBytes(64 << 20)
        .chunkCacheBytes(chunkCacheBytes)
        .keyCacheBytes(keyCacheBytes)
        .flushThreads(flushThreads)
        .scanThreads(scanThreads)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(syncMode)
                .period(Duration.ofHours(1))
                .groupWindow(Duration.ofNanos(1))
                .segmentBytes(segmentBytes)
                .bufferBytes(64 << 10)
                .totalSpaceBytes(totalLogBytes)
                .build());
  }
}
