package io.siltstone.bench.index;

import io.siltstone.bench.compaction.InputFiles;
import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.index.IndexPeer.IndexTable;
import io.siltstone.bench.workload.BookText;
import io.siltstone.bench.workload.ProcessUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compactions and flushes: the processor time of the process and the time that each takes, first to
 * warm up, then measured. What was written is checked for its version.
 */
final class IndexWrites {
  private static final double NANOS = 1e9;
  private static final double MB = 1e6;

  private final IndexTable table;
  private final Figures figures;

  IndexWrites(IndexTable table, Figures figures) {
    this.table = table;
    this.figures = figures;
  }

  void compact(String version) throws Exception {
    List<Path> files = InputFiles.in(figures.input());
    measure(
        version,
        () -> {
          table.load(files);
          InputFiles.readAll(files);
        },
        table::compact);
  }

  void flush(String version) throws Exception {
    long rows = figures.whole("rows");
    BookText text = new BookText(1);
    int bytes = figures.part().textBytes();
    int least = bytes * 3 / 4;
    measure(
        version,
        () -> {
          table.load(List.of());
          for (long row = 0; row < rows; row++) {
            table.insert(
                InputTables.key(row),
                StandardCharsets.US_ASCII
                    .decode(text.piece(row, least, bytes * 2 - least))
                    .toString());
          }
        },
        table::flush);
  }

  /** A step of a measurement. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private void measure(String version, Step preparation, Step measured) throws Exception {
    List<Map<String, Double>> runs = new ArrayList<>();
    long warmUps = figures.whole("warm_ups");
    for (long i = 0; i < warmUps + figures.whole("runs"); i++) {
      preparation.run();
      System.gc();
      ProcessUsage before = ProcessUsage.now();
      long start = System.nanoTime();
      measured.run();
      double seconds = (System.nanoTime() - start) / NANOS;
      ProcessUsage usage = ProcessUsage.now().since(before);
      if (!table.versions().equals(List.of(version))) {
        throw new IOException(
            "one SSTable of version " + version + " was expected, not " + table.versions());
      }
      if (i >= warmUps) {
        runs.add(
            Map.of(
                "seconds", seconds,
                "cpu_s", usage.cpuNanos() / NANOS,
                "allocated_mb", usage.allocatedBytes() / MB));
      }
    }
    figures.putMedians(runs);
  }
}
