package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.ProcessUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compacts the same SSTables several times with one engine, from the page cache: first to warm up,
 * then timed.
 *
 * <pre>
 *   peer       name of the engine
 *   directory  for its files; exists and is empty
 *   input      directory of the SSTables, on the same file system; links to them are made
 *   cql        CREATE TABLE statement
 *   data_mb    size of the input, uncompressed
 *   warm_ups   number of compactions to warm up
 *   runs       number of timed compactions, 1 or more
 *   output     directory for links to the outputs of the last compaction; created
 * </pre>
 *
 * and parameters of the engine. Returns {@code version}, {@code lz4} and {@code output_mb} of the
 * last data files; and as series, with a value for each timed compaction, {@code seconds}, {@code
 * mb_per_s} of uncompressed input, {@code cpu_s}, {@code allocated_mb} on the heap by the living
 * threads, {@code read_calls}, {@code collections}.
 */
public final class CompactionPeerMeasurement implements Measurement {
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    List<Path> input = InputFiles.in(Path.of(parameters.text("input")));
    long warmUps = parameters.whole("warm_ups");
    List<NamedValues> runs = new ArrayList<>();
    NamedValues result = new NamedValues();
    try (CompactionPeer peer = CompactionPeers.named(parameters.text("peer"))) {
      peer.start(Path.of(parameters.text("directory")), parameters.text("cql"), parameters);
      for (long i = 0; i < warmUps + parameters.whole("runs"); i++) {
        NamedValues run = compact(peer, input, parameters.number("data_mb"));
        if (i >= warmUps) {
          runs.add(run);
        }
      }
      result.put("version", peer.version());
      result.put("lz4", Lz4Library.name());
      Path output = Files.createDirectory(Path.of(parameters.text("output")));
      long bytes = 0;
      for (Path file : peer.liveFiles()) {
        String name = requireNonNull(file.getFileName()).toString();
        Files.createLink(output.resolve(name), file);
        bytes += name.endsWith("-Data.db") ? Files.size(file) : 0;
      }
      result.put("output_mb", bytes / MB);
    }
    for (String name : runs.get(0).names()) {
      result.put(name, runs.stream().map(run -> run.number(name)).toList());
    }
    return result;
  }

  private static NamedValues compact(CompactionPeer peer, List<Path> input, double dataMb)
      throws Exception {
    peer.load(input);
    InputFiles.readAll(input);
    System.gc();
    ProcessUsage before = ProcessUsage.now();
    long start = System.nanoTime();
    peer.compact();
    double seconds = (System.nanoTime() - start) / NANOS;
    ProcessUsage usage = ProcessUsage.now().since(before);
    return new NamedValues()
        .put("seconds", seconds)
        .put("mb_per_s", dataMb / seconds)
        .put("cpu_s", usage.cpuNanos() / NANOS)
        .put("allocated_mb", usage.allocatedBytes() / MB)
        .put("read_calls", usage.readCalls())
        .put("collections", usage.collections());
  }
}
