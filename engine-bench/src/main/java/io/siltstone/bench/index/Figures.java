package io.siltstone.bench.index;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.TimedLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameters of a part, and its figures. Confined to one thread. */
final class Figures {
  private final IndexPart part;
  private final NamedValues parameters;
  private final NamedValues result;

  Figures(IndexPart part, NamedValues parameters, NamedValues result) {
    this.part = part;
    this.parameters = parameters;
    this.result = result;
  }

  IndexPart part() {
    return part;
  }

  /** Returns the directory of the SSTables. */
  Path input() {
    return Path.of(parameters.text(part + ".input"));
  }

  /** Returns a whole number of the part. */
  long whole(String name) {
    return parameters.whole(part + "." + name);
  }

  /** Returns the duration of each kind of read, after a warm-up of the same length. */
  double seconds() {
    return parameters.number(part + ".seconds");
  }

  /** Returns the size of the chunk cache of an engine that has one. */
  long chunkBytes() {
    return whole("chunk_cache_bytes");
  }

  void put(String name, double value) {
    result.put(part + "." + name, value);
  }

  /** Puts rate, latencies and costs of a loop. */
  void put(String name, TimedLoop.Result loop) {
    put(name + ".ops_per_s", loop.opsPerSecond());
    put(name + ".p50_us", loop.nanos().getValueAtPercentile(50) / 1e3);
    put(name + ".p99_us", loop.nanos().getValueAtPercentile(99) / 1e3);
    put(name + ".cpu_us_per_op", loop.cpuNanosPerOperation() / 1e3);
    put(name + ".allocated_bytes_per_op", loop.allocatedBytesPerOperation());
  }

  /** Puts the median of each figure of several runs. */
  void putMedians(List<Map<String, Double>> runs) {
    Map<String, List<Double>> all = new LinkedHashMap<>();
    runs.forEach(
        run ->
            run.forEach(
                (name, value) -> all.computeIfAbsent(name, any -> new ArrayList<>()).add(value)));
    all.forEach((name, values) -> put(name, median(values)));
  }

  /** Returns the value in the middle of the sorted ones. */
  static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
