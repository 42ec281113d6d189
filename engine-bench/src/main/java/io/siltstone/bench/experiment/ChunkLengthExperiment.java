package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.report.Chart;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.report.ReportTable;
import io.siltstone.bench.volume.LimitedVolume;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The chunk length experiment: half reads and half writes of a table larger than memory, with
 * chunks of 4 to 256 KiB and the disk's read-ahead off; beside LZ4 at all lengths, Zstandard with a
 * compression dictionary at short ones.
 */
final class ChunkLengthExperiment implements Experiment {
  private static final List<Integer> LENGTHS = List.of(4, 8, 16, 32, 64, 128, 256);
  private static final List<Integer> FEW = List.of(4, 16, 64);
  private static final List<Integer> WITH_DICTIONARY = List.of(4, 16);
  private static final List<Integer> FEW_WITH_DICTIONARY = List.of(4);
  private static final ChunkVariant SMALL = ChunkVariant.lz4(4);
  private static final ChunkVariant LARGE = ChunkVariant.lz4(64);
  private static final ChunkVariant DICTIONARY = ChunkVariant.dictionary(4);
  private static final int CASSANDRA_OFFSET_BYTES = 8;
  private static final String RATE = HalfReads.RATE;
  private static final String DISK_READS = "disk_reads_per_read";

  @Override
  public String name() {
    return "chunk-length";
  }

  @Override
  public String description() {
    return "Reads and writes, half each, of a table larger than memory with chunks of 4 to 256 KiB"
        + " and read-ahead off; also with a compression dictionary.";
  }

  @Override
  public List<String> changes() {
    return List.of(LimitedVolume.READ_AHEAD_CHANGE);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      List<Integer> lengths = experimentRunner.of(FEW, LENGTHS, LENGTHS);
      List<Integer> withDictionary =
          experimentRunner.of(FEW_WITH_DICTIONARY, WITH_DICTIONARY, WITH_DICTIONARY);
      List<ChunkVariant> variants = new ArrayList<>();
      lengths.forEach(kib -> variants.add(ChunkVariant.lz4(kib)));
      withDictionary.forEach(kib -> variants.add(ChunkVariant.dictionary(kib)));
      long keys = experimentRunner.of(2_000L, 1_500_000L, 10_000_000L);
      experimentRunner.progress(
          "loading " + keys + " rows, and writing them for each chunk length");
      NamedValues stored =
          experimentRunner.prepare(
              KeyValueDatabases.class,
              new NamedValues()
                  .put("directory", experimentRunner.directory().toString())
                  .put("keys", keys)
                  .put("chunk_lengths", lengths.stream().map(Integer::doubleValue).toList())
                  .put(
                      "dictionary_lengths",
                      withDictionary.stream().map(Integer::doubleValue).toList()));
      HalfReads halfReads = new HalfReads(experimentRunner, keys);
      Samples<ChunkVariant> samples = halfReads.measure(variants, "", VolumeLimits.NONE);
      CloudVolume cloud = CloudVolume.measure(experimentRunner, halfReads);
      for (ChunkVariant each : variants) {
        ExperimentRunner.remove(experimentRunner.directory().resolve(each.name()));
      }
      CompressionCosts costs = CompressionCosts.measure(experimentRunner);
      return report(setting, experimentRunner, keys, stored, samples, cloud, costs);
    }
  }

  private static Report report(
      ExperimentSetting setting,
      ExperimentRunner experimentRunner,
      long keys,
      NamedValues stored,
      Samples<ChunkVariant> samples,
      CloudVolume cloud,
      CompressionCosts costs) {
    Report.Builder report =
        Report.builder("Chunk length", setting.machine())
            .section("What it shows")
            .text(conclusion(stored, samples));
    new Comparison(
            "Published for Cassandra 3.11.3 on a c5d.4xlarge with local NVMe, 10 million"
                + " partitions, 4 KiB against 64 KiB.")
        .row(
            "operations per second, 64 → 4 KiB",
            "44k → 62k",
            FigureFormat.change(samples.median(LARGE, RATE), samples.median(SMALL, RATE), ""))
        .row(
            "99 % of reads within, 64 → 4 KiB",
            "24 → 13 ms",
            FigureFormat.change(
                samples.median(LARGE, "read_p99_us") / 1e3,
                samples.median(SMALL, "read_p99_us") / 1e3,
                "ms"))
        .row(
            "bytes read from the disk per requested byte, 64 KiB",
            "more than 15",
            FigureFormat.number(
                samples.median(LARGE, "disk_bytes_per_read") / valueBytes(stored, keys)))
        .row(
            "the same, 4 KiB",
            "–",
            FigureFormat.number(
                samples.median(SMALL, "disk_bytes_per_read") / valueBytes(stored, keys)))
        .row(
            "memory for chunk offsets, 4 KiB relative to 64 KiB",
            "16 times",
            FigureFormat.number(metadata(stored, SMALL) / metadata(stored, LARGE))
                + " times, "
                + FigureFormat.number(metadata(stored, SMALL) / 1e3)
                + " kB against "
                + FigureFormat.number(8.0 * chunks(stored, SMALL) / 1e3)
                + " kB at 8 bytes per chunk")
        .addTo(report);
    addDictionaries(report, stored, samples);
    report
        .section("Speed")
        .add(
            line("Operations per second, half reads", "operations/s", samples, RATE, value -> value)
                .build())
        .add(
            points(
                    "Operations per second relative to 64 KiB",
                    "times",
                    samples,
                    each -> samples.ratio(each, LARGE, RATE).median())
                .reference("published, 4 KiB", 62_000.0 / 44_000)
                .build())
        .add(
            line("99 % of reads within", "ms", samples, "read_p99_us", value -> value / 1e3)
                .build())
        .section("Disk")
        .add(
            line(
                    "Read from the disk per read, compaction included",
                    "KiB",
                    samples,
                    "disk_bytes_per_read",
                    value -> value / 1024)
                .build())
        .section("Space and memory")
        .add(
            points(
                    "Compressed size relative to uncompressed",
                    "ratio",
                    samples,
                    each -> ratio(stored, each))
                .build())
        .add(
            Chart.lines("Memory for the offsets of chunks, per GB of data")
                .x("chunk length, KiB")
                .y("kB, logarithmic")
                .logarithmicX()
                .logarithmicY()
                .series(
                    "Siltstone",
                    xs(samples, false),
                    ys(samples, false, each -> perGigabyte(stored, metadata(stored, each))))
                .series(
                    "at 8 bytes a chunk, as Cassandra",
                    xs(samples, false),
                    ys(
                        samples,
                        false,
                        each -> perGigabyte(stored, CASSANDRA_OFFSET_BYTES * chunks(stored, each))))
                .build())
        .section("All figures")
        .add(table(stored, samples));
    cloud.addTo(report);
    costs.addTo(report);
    report
        .section("How it was measured")
        .text(
            "The profile KeyValue, values of 100 to 200 words, "
                + FigureFormat.count(keys)
                + " rows, "
                + FigureFormat.number(stored.number("16.data_bytes") / 1e6)
                + " MB, in one SSTable at first; half reads and half writes of random rows by "
                + HalfReads.THREADS
                + " threads in a heap of 128 MiB, chunk cache 16 MiB, memtables 64 MiB, LZ4, or"
                + " Zstandard of level 3 with a dictionary of 64 KiB that was trained from 10 MiB"
                + " of the data, size-tiered compaction within 64 MiB/s. Each figure is the median of "
                + FigureFormat.rounds(samples.of(SMALL).size())
                + "; in each round all lengths ran one after the other, each in its own JVM"
                + " on its own copy of the files, which was read once before, and after a warm-up of half the time. Bytes"
                + " read from the disk include what compaction reads.");
    experimentRunner.notes().forEach(note -> report.text(FigureFormat.sentence(note)));
    experimentRunner.cautions().forEach(report::caution);
    return report.build();
  }

  private static String conclusion(NamedValues stored, Samples<ChunkVariant> samples) {
    double faster = samples.ratio(SMALL, LARGE, RATE).median();
    double latency =
        samples.median(LARGE, "read_p99_us") / Math.max(1, samples.median(SMALL, "read_p99_us"));
    double bytes =
        samples.median(LARGE, "disk_bytes_per_read")
            / Math.max(1, samples.median(SMALL, "disk_bytes_per_read"));
    ChunkVariant best = SMALL;
    for (ChunkVariant each : samples.variants()) {
      best = samples.median(each, RATE) > samples.median(best, RATE) ? each : best;
    }
    return "With chunks of 4 KiB the store is "
        + FigureFormat.fast(faster)
        + " as with 64 KiB ("
        + FigureFormat.change(
            samples.median(LARGE, RATE), samples.median(SMALL, RATE), "operations/s")
        + "; published 44k → 62k, 1.4 times); "
        + (faster < 1.3 ? "the effect here is smaller than the published one; " : "")
        + "the slowest hundredth of reads takes "
        + FigureFormat.number(latency)
        + " times as long with 64 KiB (published 1.8 times)"
        + (samples.median(SMALL, "disk_bytes_per_read") > 0
            ? ", and a read fetches " + FigureFormat.number(bytes) + " times as much from the disk"
            : "")
        + ". Throughput is highest with "
        + best.label()
        + ". The cost of 4 KiB: files are "
        + FigureFormat.number(100 * (ratio(stored, SMALL) / ratio(stored, LARGE) - 1))
        + " % larger, and the offsets of chunks take "
        + FigureFormat.number(metadata(stored, SMALL) / metadata(stored, LARGE))
        + " times the memory; packed, they take "
        + FigureFormat.number(
            CASSANDRA_OFFSET_BYTES * chunks(stored, SMALL) / metadata(stored, SMALL))
        + " times less memory than at 8 bytes per chunk.";
  }

  private static double metadata(NamedValues stored, ChunkVariant of) {
    return Math.max(1, stored.number(of.name() + ".metadata_bytes"));
  }

  private static double chunks(NamedValues stored, ChunkVariant of) {
    return Math.ceil(stored.number(of.name() + ".data_bytes") / (of.kib() * 1024.0));
  }

  private static double ratio(NamedValues stored, ChunkVariant of) {
    return stored.number(of.name() + ".stored_bytes") / stored.number(of.name() + ".data_bytes");
  }

  private static double perGigabyte(NamedValues stored, double bytes) {
    return bytes / 1e3 / (stored.number("16.data_bytes") / 1e9);
  }

  private static double valueBytes(NamedValues stored, long keys) {
    return stored.number("16.data_bytes") / keys;
  }

  private static List<ChunkVariant> of(Samples<ChunkVariant> samples, boolean hasDictionary) {
    return samples.variants().stream()
        .filter(each -> each.hasDictionary() == hasDictionary)
        .toList();
  }

  private static double[] xs(Samples<ChunkVariant> samples, boolean hasDictionary) {
    return of(samples, hasDictionary).stream().mapToDouble(ChunkVariant::kib).toArray();
  }

  private static double[] ys(
      Samples<ChunkVariant> samples, boolean hasDictionary, ToDoubleFunction<ChunkVariant> value) {
    return of(samples, hasDictionary).stream().mapToDouble(value).toArray();
  }

  private static Chart.Builder points(
      String title,
      String unit,
      Samples<ChunkVariant> samples,
      ToDoubleFunction<ChunkVariant> value) {
    return Chart.lines(title)
        .x("chunk length, KiB")
        .y(unit)
        .logarithmicX()
        .series("LZ4", xs(samples, false), ys(samples, false, value))
        .series("Zstd with a dictionary", xs(samples, true), ys(samples, true, value));
  }

  private static Chart.Builder line(
      String title,
      String unit,
      Samples<ChunkVariant> samples,
      String name,
      ToDoubleFunction<Double> scale) {
    return points(title, unit, samples, each -> scale.applyAsDouble(samples.median(each, name)));
  }

  /** Adds what a dictionary does to chunks of 4 KiB. */
  private static void addDictionaries(
      Report.Builder report, NamedValues stored, Samples<ChunkVariant> samples) {
    double fewer = ratio(stored, DICTIONARY) / ratio(stored, SMALL);
    report.text(
        "With a compression dictionary (Zstandard), chunks of 4 KiB take "
            + FigureFormat.number(100 * fewer)
            + " % of the bytes that they take with LZ4, and "
            + FigureFormat.number(100 * ratio(stored, DICTIONARY) / ratio(stored, LARGE))
            + " % of those of chunks of 64 KiB with LZ4. A disk without a limit is read "
            + FigureFormat.number(
                samples.median(DICTIONARY, DISK_READS)
                    / Math.max(Double.MIN_NORMAL, samples.median(SMALL, DISK_READS)))
            + " times as often per read as with LZ4, and the store does "
            + FigureFormat.number(samples.ratio(DICTIONARY, SMALL, RATE).median())
            + " times the operations, compactions with their greater need of processor time"
            + " included. The data are texts of English words, which have their words in common.");
  }

  private static ReportTable table(NamedValues stored, Samples<ChunkVariant> samples) {
    ReportTable.Builder table =
        ReportTable.builder("")
            .text("compressor", "compressor")
            .number("chunk_length_kib", "chunk", "KiB", 0)
            .number("ops_per_s", "operations", "/s", 0)
            .number("ops_per_s_min", "least", "/s", 0)
            .number("ops_per_s_max", "most", "/s", 0)
            .number("read_p50_us", "reads, median", "µs", 0)
            .number("read_p99_us", "99 %", "µs", 0)
            .number("write_p99_us", "writes, 99 %", "µs", 0)
            .number("disk_kib_per_read", "from disk per read", "KiB", 1)
            .number("disk_reads_per_read", "disk reads per read", "", 2)
            .number("chunk_kib_per_read", "chunks per read", "KiB", 1)
            .number("disk_mb_per_s", "disk", "MB/s", 0)
            .number("allocated_bytes_per_op", "allocated per operation", "B", 0)
            .number("compression_ratio", "compression", "", 3)
            .number("stored_mb", "on disk", "MB", 0)
            .number("metadata_kb", "offsets", "kB", 0);
    for (ChunkVariant each : samples.variants()) {
      Spread rate = samples.spread(each, RATE);
      table.row(
          each.shortCompressor(),
          each.kib(),
          rate.median(),
          rate.min(),
          rate.max(),
          samples.median(each, "read_p50_us"),
          samples.median(each, "read_p99_us"),
          samples.median(each, "write_p99_us"),
          samples.median(each, "disk_bytes_per_read") / 1024,
          samples.median(each, DISK_READS),
          samples.median(each, "chunk_bytes_per_read") / 1024,
          samples.median(each, "disk_mb_per_s"),
          samples.median(each, "allocated_bytes_per_op"),
          ratio(stored, each),
          stored.number(each.name() + ".stored_bytes") / 1e6,
          metadata(stored, each) / 1e3);
    }
    return table.build();
  }
}
