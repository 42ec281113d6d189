package io.siltstone.bench.experiment;

import io.siltstone.bench.report.Report;
import java.util.List;
import java.util.stream.Collectors;

/** The comparison of the measured figures with earlier, published ones of other engines. */
final class PublishedPeers {
  private static final String ROCKS_DB = "RocksDB";
  private static final String CASSANDRA = "Cassandra";
  private static final String POINT_READ_MEDIAN = "read_1.p50_us";

  private static final String ROCKS_DB_SET_UP =
      "RocksDB JNI 11.8 with blocks of 16 KiB, LZ4 and a block cache of 64 MB, files in the page"
          + " cache: one million keys of 16 bytes, values of 600 to 1,200 bytes of text";
  private static final String CASSANDRA_SET_UP =
      "Cassandra 5.0.9 in the process, without a network, with chunks of 16 KiB, LZ4 and no chunk"
          + " cache, files in the page cache: 1.5 million keys, values of as many bytes";

  private static final List<Figure> FIGURES =
      List.of(
          new Figure(ROCKS_DB, "load", "46k/s, up to 140k/s", "load.ops_per_s"),
          new Figure(ROCKS_DB, "point reads, 1 thread", "60k/s", "read_1.ops_per_s"),
          new Figure(ROCKS_DB, "half of the point reads within", "14.6 µs", POINT_READ_MEDIAN),
          new Figure(ROCKS_DB, "all blocks cached", "166k/s", "hot.ops_per_s"),
          new Figure(ROCKS_DB, "missing keys", "1.4M/s", "missing.ops_per_s"),
          new Figure(ROCKS_DB, "ranges of 100", "8.1k/s", "range_100.ops_per_s"),
          new Figure(ROCKS_DB, "scan, entries", "0.91M/s", "scan.ops_per_s"),
          new Figure(ROCKS_DB, "half reads, 2 threads", "78k/s", "mixed.ops_per_s"),
          new Figure(CASSANDRA, "point reads, 1 thread", "50k/s", "read_1.ops_per_s"),
          new Figure(
              CASSANDRA,
              "point reads, 2 threads",
              "80k/s, by prepared statements 73k/s",
              "read_2.ops_per_s"),
          new Figure(CASSANDRA, "half reads, 2 threads", "62k/s", "mixed.ops_per_s"));

  private final String own;
  private final Samples<String> samples;

  /** A published figure of an engine, and the name of the measured one. */
  private record Figure(String engine, String what, String published, String name) {}

  /**
   * @param own name of this engine
   */
  PublishedPeers(String own, Samples<String> samples) {
    this.own = own;
    this.samples = samples;
  }

  /** Adds a section on the engines that took part, unless nothing is published about them. */
  void addTo(Report.Builder report) {
    List<Figure> figures =
        FIGURES.stream().filter(figure -> samples.variants().contains(figure.engine())).toList();
    if (figures.isEmpty()) {
      return;
    }
    Comparison comparison = new Comparison(source(figures));
    for (Figure figure : figures) {
      comparison.row(
          figure.engine() + ": " + figure.what(),
          figure.published(),
          here(figure.engine(), figure) + "; " + own + " " + here(own, figure));
    }
    comparison.addTo(report);
  }

  private String here(String engine, Figure figure) {
    String number = FigureFormat.number(samples.median(engine, figure.name()));
    return figure.name().equals(POINT_READ_MEDIAN) ? number + " µs" : number + "/s";
  }

  private static String source(List<Figure> figures) {
    String setUps =
        figures.stream()
            .map(figure -> figure.engine().equals(ROCKS_DB) ? ROCKS_DB_SET_UP : CASSANDRA_SET_UP)
            .distinct()
            .collect(Collectors.joining("; and for "));
    return "Published for "
        + setUps
        + ". They were measured earlier, by other programs on a machine with two cores."
        + " Absolute rates are those of another machine; compare the ratios of this report.";
  }
}
