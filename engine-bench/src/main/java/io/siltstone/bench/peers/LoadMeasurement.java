package io.siltstone.bench.peers;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.ProcessUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Measures a load: one or more writers put each key once, and then all is flushed. Each put is
 * timed; the processor time is that of the whole process, flushes, compaction and the JIT compiler
 * included.
 */
final class LoadMeasurement {
  private static final int DIGITS = 3;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;
  private static final double MILLIS = 1e6;
  private static final long LONG_PUT_NANOS = 100_000_000;

  private final TextEntries entries;

  LoadMeasurement(TextEntries entries) {
    this.entries = entries;
  }

  /** The puts of one writer. */
  private record Written(Histogram nanos, long bytes) {}

  /**
   * Loads the keys from 0 on.
   *
   * @param writers number of threads, of which each puts its share of the keys
   * @param name of the load, with which the names of its figures begin
   */
  void run(PeerStore store, long keys, int writers, String name, NamedValues result)
      throws Exception {
    ProcessUsage before = ProcessUsage.now();
    long start = System.nanoTime();
    Written all = put(store, keys, writers);
    double put = (System.nanoTime() - start) / NANOS;
    store.flush();
    double flushed = (System.nanoTime() - start) / NANOS;
    ProcessUsage usage = ProcessUsage.now().since(before);
    Histogram nanos = all.nanos();
    result.put(name + ".ops_per_s", keys / flushed);
    result.put(name + ".ops_per_s_before_flush", keys / put);
    result.put(name + ".cpu_us_per_op", usage.cpuNanos() / MICROS / keys);
    result.put(name + ".p50_us", nanos.getValueAtPercentile(50) / MICROS);
    result.put(name + ".p99_us", nanos.getValueAtPercentile(99) / MICROS);
    result.put(name + ".p999_us", nanos.getValueAtPercentile(99.9) / MICROS);
    result.put(name + ".longest_ms", nanos.getMaxValue() / MILLIS);
    result.put(
        name + ".long_puts",
        nanos.getCountBetweenValues(LONG_PUT_NANOS, Math.max(LONG_PUT_NANOS, nanos.getMaxValue())));
    result.put(name + ".data_mb", all.bytes() / MB);
    result.put(name + ".written_per_byte", usage.diskWrittenBytes() / (double) all.bytes());
  }

  private Written put(PeerStore store, long keys, int writers) throws Exception {
    if (writers == 1) {
      return put(store, keys, 0, 1);
    }
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Written>> futures = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        int first = i;
        futures.add(executor.submit(() -> put(store, keys, first, writers)));
      }
      Histogram nanos = new Histogram(DIGITS);
      long bytes = 0;
      for (Future<Written> future : futures) {
        Written one = future.get();
        nanos.add(one.nanos());
        bytes += one.bytes();
      }
      return new Written(nanos, bytes);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      executor.shutdownNow();
    }
  }

  private Written put(PeerStore store, long keys, long first, int step) throws Exception {
    Histogram nanos = new Histogram(DIGITS);
    long bytes = 0;
    for (long i = first; i < keys; i += step) {
      byte[] key = entries.key(i);
      byte[] value = entries.value(i, 0);
      bytes += key.length + value.length;
      long start = System.nanoTime();
      store.put(key, value);
      nanos.recordValue(System.nanoTime() - start);
    }
    return new Written(nanos, bytes);
  }
}
