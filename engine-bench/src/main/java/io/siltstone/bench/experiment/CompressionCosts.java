package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The part of the chunk length experiment that compares what compressors cost where everything is
 * in the page cache: a table that helps to choose.
 *
 * @param keys how many rows were written and read
 * @param samples the figures of each compressor and chunk length
 */
record CompressionCosts(long keys, Samples<ChunkVariant> samples) {
  private static final ChunkVariant USUAL = ChunkVariant.lz4(16);

  static CompressionCosts measure(ExperimentRunner runner) throws IOException {
    List<ChunkVariant> few = List.of(USUAL, ChunkVariant.dictionary(4));
    List<ChunkVariant> all =
        List.of(
            USUAL,
            ChunkVariant.lz4(4),
            ChunkVariant.zstd(16),
            ChunkVariant.dictionary(4),
            ChunkVariant.dictionary(16));
    long keys = runner.of(4_000L, 240_000L, 1_000_000L);
    Path directory = runner.directory().resolve("cached");
    Samples<ChunkVariant> samples =
        runner.inRounds(
            runner.rounds(1, 2, 5),
            runner.of(few, all, all),
            each -> "cached, " + each.label(),
            each -> {
              NamedValues result =
                  runner.measure(
                      CompressionCostMeasurement.class,
                      new NamedValues()
                          .put("directory", directory.toString())
                          .put("keys", keys)
                          .put("compression", each.option())
                          .put("dictionary", each.hasDictionary() ? 1 : 0)
                          .put("seconds", runner.of(0.2, 4.0, 20.0)),
                      runner.jvm(512, 1024),
                      VolumeLimits.NONE);
              ExperimentRunner.remove(directory);
              return result;
            },
            result ->
                FigureFormat.number(result.number("reads_per_s"))
                    + " reads/s, compaction of "
                    + FigureFormat.number(result.number("compaction_mb_per_s"))
                    + " MB/s");
    return new CompressionCosts(keys, samples);
  }

  /** Adds the table and how it was measured. */
  void addTo(Report.Builder report) {
    report
        .section("In the page cache")
        .text(
            "Where the disk is no limit, the choice is between bytes and processor time: "
                + FigureFormat.count(keys)
                + " rows are written by one thread in four parts, each of which is flushed, then"
                + " the four SSTables are compacted without a throttle, and one thread reads random"
                + " rows from the page cache, without a chunk cache. Sizes and rates are those of"
                + " data before compression; processor time is that of all threads of the process."
                + " The first flush is not counted; dictionaries are trained after it.")
        .add(table());
  }

  private ReportTable table() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("compressor", "compressor")
            .number("chunk_length_kib", "chunk", "KiB", 0)
            .number("ratio", "compression", "", 3)
            .number("reads_per_s", "reads", "/s", 0)
            .number("read_cpu_us", "processor time per read", "µs", 1)
            .number("read_p99_us", "99 %", "µs", 0)
            .number("compaction_mb_per_s", "compaction", "MB/s", 0)
            .number("compaction_cpu_s_per_gb", "processor time", "s/GB", 1)
            .number("flush_mb_per_s", "flush", "MB/s", 0)
            .number("flush_cpu_s_per_gb", "processor time", "s/GB", 1);
    for (ChunkVariant each : samples.variants()) {
      table.row(
          each.shortCompressor(),
          each.kib(),
          samples.median(each, "ratio"),
          samples.median(each, "reads_per_s"),
          samples.median(each, "read_cpu_us"),
          samples.median(each, "read_p99_us"),
          samples.median(each, "compaction_mb_per_s"),
          samples.median(each, "compaction_cpu_s_per_gb"),
          samples.median(each, "flush_mb_per_s"),
          samples.median(each, "flush_cpu_s_per_gb"));
    }
    return table.build();
  }
}
