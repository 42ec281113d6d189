package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The measurement of half reads and half writes in the chunk length experiment. Each variant has
 * its own JVM, works on its own copy of the files, and has less memory than the files take.
 *
 * @param runner runs the measurements
 * @param keys number of rows of each variant
 */
record HalfReads(ExperimentRunner runner, long keys) {
  /** Number of threads that read and write. */
  static final int THREADS = 8;

  /** Name of the value with operations per second. */
  static final String RATE = "ops_per_s";

  private static final long MIB = 1L << 20;
  private static final int HEAP_MIB = 128;
  private static final int DIRECT_MIB = 256;

  /**
   * Measures variants in rounds.
   *
   * @param prefix printed before the name of each variant
   * @param limits of the volume; the limit of memory is added
   */
  Samples<ChunkVariant> measure(List<ChunkVariant> variants, String prefix, VolumeLimits limits)
      throws IOException {
    VolumeLimits all = limits.withoutReadAhead().withMemory(runner.of(512L, 448L, 2_048L) * MIB);
    return runner.inRounds(
        runner.rounds(1, 2, 5),
        variants,
        each -> prefix + each.label(),
        each -> measure(each, all),
        result ->
            FigureFormat.number(result.number(RATE))
                + " operations/s, 99 % of reads within "
                + FigureFormat.number(result.number("read_p99_us") / 1e3)
                + " ms");
  }

  private NamedValues measure(ChunkVariant variant, VolumeLimits limits) throws IOException {
    Path copy = runner.directory().resolve("round");
    KeyValueDatabases.link(runner.directory().resolve(variant.name()), copy);
    NamedValues result =
        runner.measure(
            KeyValueMeasurement.class,
            new NamedValues()
                .put("database", copy.toString())
                .put("sstable_version", variant.version().text())
                .put("keys", keys)
                .put("read_rate", 0.5)
                .put("threads", THREADS)
                .put("seconds", runner.of(0.2, 6.0, 60.0))
                .put("chunk_cache_bytes", 16 * MIB)
                .put("memtable_bytes", 64 * MIB),
            runner.jvm(HEAP_MIB, DIRECT_MIB),
            limits);
    ExperimentRunner.remove(copy);
    return result;
  }
}
