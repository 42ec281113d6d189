package io.siltstone.bench.index;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.compaction.InputFiles;
import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.index.IndexPeer.IndexTable;
import io.siltstone.bench.workload.TemporaryDirectory;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the SSTables of a table take to open, and the memory that they take up: the growth of
 * the used heap when they are loaded, and when each key has been read and its position may be
 * cached; and the off-heap memory that the engine reports. Mapped files are in neither.
 */
final class IndexMemory {
  private static final double MB = 1e6;
  private static final double MILLION = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int COLLECTIONS = 3;

  private final IndexTable table;
  private final Figures figures;

  IndexMemory(IndexTable table, Figures figures) {
    this.table = table;
    this.figures = figures;
  }

  void run() throws Exception {
    open();
    List<Path> files = InputFiles.in(figures.input());
    long keys = figures.whole("rows");
    // The first time loads classes.
    table.load(files);
    read(keys / 10);
    table.load(List.of());
    double before = usedHeap();
    table.load(files);
    read(1);
    figures.put("memory.heap_mb", perMillion(usedHeap() - before, keys));
    figures.put("memory.off_heap_mb", perMillion((double) table.offHeapBytes(), keys));
    read(keys);
    figures.put("memory.heap_with_keys_mb", perMillion(usedHeap() - before, keys));
  }

  private static double perMillion(double bytes, long keys) {
    return bytes / MB * (MILLION / keys);
  }

  private void read(long keys) throws Exception {
    for (long key = 0; key < keys; key++) {
      if (table.partition(InputTables.key(key)) != 1) {
        throw new IllegalStateException("key " + key + " is not there");
      }
    }
  }

  private static double usedHeap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private void open() throws Exception {
    Path input = figures.input();
    try (TemporaryDirectory directory =
        TemporaryDirectory.in(requireNonNull(input.getParent()), "opened")) {
      Path links = directory.path();
      for (Path file : InputFiles.in(input)) {
        Files.createLink(links.resolve(requireNonNull(file.getFileName())), file);
      }
      List<Double> millis = new ArrayList<>();
      long warmUps = figures.whole("openings");
      for (long i = 0; i < 2 * warmUps; i++) {
        double nanos = table.open(links, InputTables.key(i % figures.whole("rows")));
        if (i >= warmUps) {
          millis.add(nanos / NANOS_PER_MILLI);
        }
      }
      figures.put("open_ms", Figures.median(millis));
    }
  }
}
