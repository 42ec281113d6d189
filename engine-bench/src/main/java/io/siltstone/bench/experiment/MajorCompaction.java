package io.siltstone.bench.experiment;

import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.io.NioOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Runs the major compaction of a directory of SSTables, as fast as possible. Confined to one
 * thread; closed by its opener.
 *
 * <p>It takes these parameters of a measurement:
 *
 * <pre>
 *   read_ahead_bytes  size of reads; 0: chunk by chunk
 *   direct            1: reads and writes bypass the page cache
 *   pipeline_threads  threads besides the one that merges
 * </pre>
 */
final class MajorCompaction implements Closeable {
  private final CompactionService service;
  private final OfflineTable table;

  private MajorCompaction(CompactionService service, OfflineTable table) {
    this.service = service;
    this.table = table;
  }

  static MajorCompaction open(Path directory, MeasuredDisk disk, NamedValues parameters)
      throws IOException {
    boolean isDirect = parameters.whole("direct") != 0;
    NioOptions files = NioOptions.DEFAULT.withDirectIo(isDirect, isDirect);
    CompactionService service =
        new CompactionService(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .pipelineThreads((int) parameters.whole("pipeline_threads"))
                .subCompactions(1)
                .readAheadBytes((int) parameters.whole("read_ahead_bytes"))
                .build());
    DatabaseOptions options = DatabaseOptions.builder().compaction(service).files(files).build();
    return new MajorCompaction(
        service, OfflineTable.open(disk.directory(directory, files), null, null, options));
  }

  /** Links the files of a directory into a new one; returns the original files. */
  static List<Path> link(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> all = Files.list(from)) {
      List<Path> files = all.filter(Files::isRegularFile).toList();
      for (Path file : files) {
        Files.createLink(to.resolve(Objects.requireNonNull(file.getFileName())), file);
      }
      return files;
    }
  }

  /** Compacts once. */
  JobReport run() throws IOException {
    table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join().orThrow();
    return Objects.requireNonNull(service.history().get(0).report());
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
