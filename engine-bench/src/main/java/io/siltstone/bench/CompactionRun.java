package io.siltstone.bench;

import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.bench.workload.ProcessUsage;
import io.siltstone.bench.workload.TemporaryDirectory;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.task.TaskReport;
import io.siltstone.io.NioOptions;
import io.siltstone.spi.CompactionReport;
import io.siltstone.spi.CompactionRequest;
import io.siltstone.spi.CompactionRequest.Operation;
import io.siltstone.spi.LiveTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Times the major compaction of a directory of SSTables, again and again on links to the same
 * files.
 *
 * <pre>
 *   java -cp ... io.siltstone.bench.CompactionRun DIR [rounds=5] [threads=1] [readahead=256] [direct=false]
 * </pre>
 *
 * {@code DIR} has a {@code schema.cql} and the SSTables; what is made lies beside it while it runs.
 * {@code threads} are those of the pipeline, 0 for none; {@code readahead} is in KiB. The first
 * round warms up. The disk's own figures are read from {@code /sys/block} if there is one disk.
 */
public final class CompactionRun {
  private static final double MB = 1_000_000;
  private static final double NANOS = 1e9;
  private static final int SECTOR_BYTES = 512;

  private final Path input;
  private final int threads;
  private final int readAheadBytes;
  private final boolean isDirect;
  private final PrintStream out;

  private CompactionRun(
      Path input, int threads, int readAheadBytes, boolean isDirect, PrintStream out) {
    this.input = input;
    this.threads = threads;
    this.readAheadBytes = readAheadBytes;
    this.isDirect = isDirect;
    this.out = out;
  }

  /** See the class. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      throw new IllegalArgumentException("the directory of the SSTables is missing");
    }
    int rounds = 5;
    int threads = 1;
    int readAhead = 256;
    boolean isDirect = false;
    for (int i = 1; i < args.length; i++) {
      String[] option = args[i].split("=", 2);
      String value = option.length == 2 ? option[1] : "";
      switch (option[0]) {
        case "rounds" -> rounds = Integer.parseInt(value);
        case "threads" -> threads = Integer.parseInt(value);
        case "readahead" -> readAhead = Integer.parseInt(value);
        case "direct" -> isDirect = Boolean.parseBoolean(value);
        default -> throw new IllegalArgumentException("what is " + args[i] + "?");
      }
    }
    new CompactionRun(Path.of(args[0]), threads, readAhead * 1024, isDirect, System.out)
        .run(rounds);
  }

  private void run(int rounds) throws IOException {
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      double rate = round(round);
      if (round > 0) {
        rates.add(rate);
      }
    }
    if (!rates.isEmpty()) {
      rates.sort(null);
      out.printf(Locale.ROOT, "median %.1f MB/s%n", rates.get(rates.size() / 2));
    }
  }

  private double round(int round) throws IOException {
    Path parent = Objects.requireNonNull(input.toAbsolutePath().getParent());
    try (TemporaryDirectory work = TemporaryDirectory.in(parent, "compaction-run")) {
      try (Stream<Path> files = Files.list(input)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          Files.createLink(
              work.path().resolve(Objects.requireNonNull(file.getFileName()).toString()), file);
        }
      }
      return compact(round, work.path());
    }
  }

  private double compact(int round, Path work) throws IOException {
    CompactionService service =
        new CompactionService(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .pipelineThreads(threads)
                .subCompactions(1)
                .readAheadBytes(readAheadBytes)
                .build());
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(service)
            .files(NioOptions.DEFAULT.withDirectIo(isDirect, isDirect))
            .build();
    try (OfflineTable table = OfflineTable.open(work, null, null, options)) {
      long bytes = table.live().tables().stream().mapToLong(LiveTable::dataBytes).sum();
      ProcessUsage before = ProcessUsage.now();
      long[] disk = diskReads();
      long start = System.nanoTime();
      CompactionReport report =
          table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join();
      double seconds = (System.nanoTime() - start) / NANOS;
      if (!report.failed().isEmpty()) {
        throw new IOException(report.failed().get(0).cause());
      }
      long[] diskAfter = diskReads();
      ProcessUsage used = ProcessUsage.now().since(before);
      TaskReport what = Objects.requireNonNull(service.history().get(0).report());
      out.printf(
          Locale.ROOT,
          "round %d: %.1f MB in %.2f s, %.1f MB/s; CPU %.2f s; allocated %.1f MB;"
              + " disk %.0f reads/s, %.1f MiB/s; partitions %d -> %d%n",
          round,
          bytes / MB,
          seconds,
          bytes / MB / seconds,
          used.cpuNanos() / NANOS,
          used.allocatedBytes() / MB,
          (diskAfter[0] - disk[0]) / seconds,
          (diskAfter[1] - disk[1]) * (double) SECTOR_BYTES / (1 << 20) / seconds,
          what.partitionsRead(),
          what.partitionsWritten());
      return bytes / MB / seconds;
    }
  }

  /** Reads and sectors of the only disk; zeros if there is none, or there are several. */
  private static long[] diskReads() throws IOException {
    Path block = Path.of("/sys/block");
    if (!Files.isDirectory(block)) {
      return new long[2];
    }
    List<Path> disks;
    try (Stream<Path> all = Files.list(block)) {
      disks = all.filter(disk -> Files.exists(disk.resolve("device"))).toList();
    }
    if (disks.size() != 1) {
      return new long[2];
    }
    String[] fields = Files.readString(disks.get(0).resolve("stat")).trim().split("\\s+", -1);
    return new long[] {Long.parseLong(fields[0]), Long.parseLong(fields[2])};
  }
}
