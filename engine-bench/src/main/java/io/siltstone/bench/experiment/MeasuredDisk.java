package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.volume.DiskReads;
import io.siltstone.bench.volume.Kernel;
import io.siltstone.bench.volume.PageCache;
import io.siltstone.bench.volume.RateLimitedDirectory;
import io.siltstone.bench.volume.ReadCounter;
import io.siltstone.bench.volume.ReadRateLimiter;
import io.siltstone.bench.volume.VolumeLimits;
import io.siltstone.bench.workload.ProcessUsage;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Access to the disk within a measurement, in its own JVM, with counts of what it reads. Confined
 * to one thread.
 *
 * <p>It enforces the limits that the kernel does not, as the parameters say.
 */
final class MeasuredDisk {
  /** Name of the value with notes for the report, one per line. */
  static final String NOTES = "notes";

  private static final String LEFT_READS = "left_reads_per_second";
  private static final String LEFT_BYTES = "left_bytes_per_second";

  private static final String ROOT = "kernel_root";

  private final Kernel kernel;
  private final ReadCounter counter;
  private final VolumeLimits left;
  private DiskReads readsAtStart = new DiskReads(0, 0);
  private ProcessUsage usageAtStart = ProcessUsage.now();

  /**
   * Opens the disk of an existing directory.
   *
   * @param parameters of the measurement
   */
  MeasuredDisk(Path directory, NamedValues parameters) throws IOException {
    kernel = kernel(parameters);
    counter = ReadCounter.of(directory, kernel);
    left = new VolumeLimits(parameters.whole(LEFT_READS), parameters.whole(LEFT_BYTES), 0);
  }

  /**
   * Puts the kernel's root and the limits that the process must enforce itself into the parameters.
   */
  static void put(NamedValues parameters, Kernel.Tree kernel, VolumeLimits left) {
    parameters.put(ROOT, kernel.root().toString());
    parameters.put(LEFT_READS, left.readsPerSecond());
    parameters.put(LEFT_BYTES, left.bytesPerSecond());
  }

  private static Kernel kernel(NamedValues parameters) {
    return new Kernel.Tree(Path.of(parameters.text(ROOT)));
  }

  /** Returns a directory of the engine, created if missing. */
  Directory directory(Path path, NioOptions options) throws IOException {
    NioDirectory directory = NioDirectory.open(path, options);
    return left.limitsReads()
        ? new RateLimitedDirectory(directory, new ReadRateLimiter(left))
        : directory;
  }

  /** Drops the page cache if the user may, and otherwise adds a note to the result. */
  static void dropPageCache(NamedValues parameters, NamedValues result) {
    if (!PageCache.drop(kernel(parameters))) {
      note(
          result,
          "the page cache was not dropped between the rounds, because the user may not"
              + " write /proc/sys/vm/drop_caches: reads may be answered from memory");
    }
  }

  /** Reads all files of a directory tree once, so that the page cache is full at the start. */
  static void fillPageCache(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(directory)) {
      files = tree.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path each : files) {
      PageCache.fill(each);
    }
  }

  /** Adds a note for the report. */
  static void note(NamedValues result, String sentence) {
    result.put(NOTES, result.has(NOTES) ? result.text(NOTES) + "\n" + sentence : sentence);
  }

  /** Begins to count. */
  void start() throws IOException {
    readsAtStart = counter.now();
    usageAtStart = ProcessUsage.now();
  }

  /**
   * Puts what was read and otherwise used since {@link #start}, and adds a note on how reads were
   * counted.
   */
  void putUse(NamedValues result) throws IOException {
    DiskReads reads = counter.now().since(readsAtStart);
    ProcessUsage usage = ProcessUsage.now().since(usageAtStart);
    result.put("disk_reads", reads.count());
    result.put("disk_read_bytes", reads.bytes());
    result.put("disk_mean_read_bytes", reads.meanBytes());
    result.put("read_calls", usage.readCalls());
    result.put("cpu_s", usage.cpuNanos() / 1e9);
    result.put("allocated_mb", usage.allocatedBytes() / 1e6);
    result.put("collections", usage.collections());
    result.put("collection_ms", usage.collectionMillis());
    result.put("written_mb", usage.diskWrittenBytes() / 1e6);
    note(result, counter.source());
  }
}
