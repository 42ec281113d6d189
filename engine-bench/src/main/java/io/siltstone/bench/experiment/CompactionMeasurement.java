package io.siltstone.bench.experiment;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.volume.PageCache;
import io.siltstone.compaction.report.JobReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Times the major compaction of a directory of SSTables, on links to its files, after compactions
 * of a small directory that warm up the JVM.
 *
 * <pre>
 *   input             schema.cql and SSTables; outputs are written beside it
 *   warm_up           likewise, small
 *   warm_ups          number of its compactions
 *   hot_bytes         size of a file in use, of which the share in the page cache is measured; 0: none
 * </pre>
 *
 * It also takes the parameters of {@link MajorCompaction}.
 */
public final class CompactionMeasurement implements Measurement {
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path input = Path.of(parameters.text("input"));
    Path work = Files.createTempDirectory(input.toAbsolutePath().getParent(), "compaction");
    try {
      NamedValues result = new NamedValues();
      MeasuredDisk disk = new MeasuredDisk(work, parameters);
      for (long i = 0; i < parameters.whole("warm_ups"); i++) {
        Path warm = work.resolve("warm-up-" + i);
        MajorCompaction.link(Path.of(parameters.text("warm_up")), warm);
        compact(warm, disk, parameters, new NamedValues());
      }
      Path measured = work.resolve("measured");
      List<Path> files = MajorCompaction.link(input, measured);
      MeasuredDisk.dropPageCache(parameters, result);
      Path hot = work.resolve("hot");
      long hotBytes = parameters.whole("hot_bytes");
      if (hotBytes > 0) {
        makeHot(hot, hotBytes);
      }
      compact(measured, disk, parameters, result);
      if (hotBytes > 0) {
        result.put("hot_kept", (double) PageCache.residentBytes(hot) / hotBytes);
      }
      result.put("page_cache_taken_mb", resident(files, measured) / MB);
      return result;
    } finally {
      ExperimentRunner.remove(work);
    }
  }

  /** Reads the file twice, so that the kernel considers it as in use. */
  private static void makeHot(Path file, long bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      while (channel.size() < bytes) {
        buffer.clear();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
      channel.force(true);
      for (int i = 0; i < 2; i++) {
        for (long at = 0; at < bytes; at += buffer.capacity()) {
          buffer.clear();
          channel.read(buffer, at);
        }
      }
    }
  }

  private static void compact(
      Path directory, MeasuredDisk disk, NamedValues parameters, NamedValues result)
      throws IOException {
    try (MajorCompaction compaction = MajorCompaction.open(directory, disk, parameters)) {
      disk.start();
      long start = System.nanoTime();
      JobReport task = compaction.run();
      double seconds = (System.nanoTime() - start) / NANOS;
      disk.putUse(result);
      result.put("seconds", seconds);
      result.put("data_mb", task.read().dataBytes() / MB);
      result.put("stored_mb", task.read().onDiskBytes() / MB);
      result.put("mb_per_s", task.read().dataBytes() / MB / seconds);
      result.put("stored_mb_per_s", task.read().onDiskBytes() / MB / seconds);
      result.put("disk_reads_per_s", result.number("disk_reads") / seconds);
      result.put("partitions_read", task.read().partitions());
      result.put("partitions_written", task.written().partitions());
    }
  }

  /**
   * Returns the bytes in the page cache of the inputs, which still have their own names, and of the
   * outputs.
   */
  private static long resident(List<Path> inputs, Path outputs) throws IOException {
    long bytes = 0;
    for (Path file : inputs) {
      bytes += PageCache.residentBytes(file);
    }
    try (Stream<Path> all = Files.list(outputs)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        bytes += PageCache.residentBytes(file);
      }
    }
    return bytes;
  }
}
