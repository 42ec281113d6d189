package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.util.List;

/**
 * The part of the chunk length experiment that repeats half reads on a volume with the limits of a
 * general purpose cloud volume. There the reads of the disk, of which smaller files need fewer, are
 * what limits the operations, and the figures depend little on what else the machine does.
 *
 * @param samples the figures of each compressor and chunk length
 */
record CloudVolume(Samples<ChunkVariant> samples) {
  private static final ChunkVariant SMALL = ChunkVariant.lz4(4);
  private static final ChunkVariant DICTIONARY = ChunkVariant.dictionary(4);

  static CloudVolume measure(ExperimentRunner runner, HalfReads halfReads) throws IOException {
    List<ChunkVariant> few = List.of(SMALL, DICTIONARY);
    List<ChunkVariant> all =
        List.of(
            SMALL,
            ChunkVariant.lz4(16),
            ChunkVariant.lz4(64),
            DICTIONARY,
            ChunkVariant.dictionary(16));
    return new CloudVolume(
        halfReads.measure(runner.of(few, all, all), "cloud volume, ", VolumeLimits.CLOUD));
  }

  /** Adds the table and what it shows. */
  void addTo(Report.Builder report) {
    report
        .section("On a cloud volume")
        .text(
            "The same with at most "
                + VolumeLimits.CLOUD.readsText()
                + ", those of compaction included. With a dictionary, chunks of 4 KiB do "
                + FigureFormat.number(samples.ratio(DICTIONARY, SMALL, HalfReads.RATE).median())
                + " times the operations of 4 KiB with LZ4: more of the smaller files is in the"
                + " page cache.")
        .add(table());
  }

  private ReportTable table() {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("compressor", "compressor")
            .number("chunk_length_kib", "chunk", "KiB", 0)
            .number("cloud_ops_per_s", "operations", "/s", 0)
            .number("cloud_ops_per_s_min", "least", "/s", 0)
            .number("cloud_ops_per_s_max", "most", "/s", 0)
            .number("cloud_read_p50_us", "reads, median", "µs", 0)
            .number("cloud_read_p99_us", "99 %", "µs", 0)
            .number("cloud_disk_reads_per_read", "disk reads per read", "", 2)
            .number("cloud_disk_kib_per_read", "from disk per read", "KiB", 1);
    for (ChunkVariant each : samples.variants()) {
      Spread rate = samples.spread(each, HalfReads.RATE);
      table.row(
          each.shortCompressor(),
          each.kib(),
          rate.median(),
          rate.min(),
          rate.max(),
          samples.median(each, "read_p50_us"),
          samples.median(each, "read_p99_us"),
          samples.median(each, "disk_reads_per_read"),
          samples.median(each, "disk_bytes_per_read") / 1024);
    }
    return table.build();
  }
}
