package io.siltstone.bench.peers;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.PeerStore.Scanned;
import io.siltstone.bench.workload.DirectorySize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Measures one engine under all workloads: load, compaction, point reads by one thread and by two,
 * reads of hot keys and of missing ones, ranges of 100, a full scan, a mixture of half reads and
 * half writes by two threads, and two more loads, by one writer and by two.
 *
 * <pre>
 *   peer          name of the engine
 *   directory     for its files, empty
 *   keys          number of keys to load
 *   seconds       duration of each timed workload, after a warm-up of the same length
 *   block_kib, cache_bytes, buffer_bytes
 * </pre>
 *
 * Returns a rate for each workload, and for point reads and the mixture latencies in microseconds
 * and allocated bytes; for loads latencies and processor time; see the code for the names. All
 * reads are checked: point reads by length and content, ranges and scans by count.
 */
public final class PeerMeasurement implements Measurement {
  /** The number of hot keys: few enough for their blocks to fit in the caches. */
  public static final int HOT_KEYS = 2_000;

  private static final int RANGE = 100;
  private static final int LOOKS_AT_SIZE = 20;
  private static final long MILLIS_BETWEEN_LOOKS = 250;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;

  private final TextEntries entries = new TextEntries();
  private final LoadMeasurement loads = new LoadMeasurement(entries);

  static PeerOptions options(NamedValues parameters) {
    return new PeerOptions(
        (int) parameters.whole("block_kib"),
        parameters.whole("cache_bytes"),
        parameters.whole("buffer_bytes"));
  }

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    Peer peer = PeerList.named(parameters.text("peer"));
    Path directory = Path.of(parameters.text("directory"));
    long keys = parameters.whole("keys");
    double seconds = parameters.number("seconds");
    NamedValues result = new NamedValues();
    Path first = Files.createDirectory(directory.resolve("first"));
    try (PeerStore store = peer.open(first, options(parameters))) {
      loads.run(store, keys, 1, "load", result);
      result.put("load.size_mb", DirectorySize.of(first) / MB);
      compact(store, first, result);
      TimedLoop.Operation read = (random, number) -> read(store, random.nextLong(keys));
      put("read_1", TimedLoop.run(1, seconds, read), result);
      put("read_2", TimedLoop.run(2, seconds, read), result);
      long hot = Math.min(keys, HOT_KEYS);
      put(
          "hot",
          TimedLoop.run(1, seconds, (random, number) -> read(store, random.nextLong(hot))),
          result);
      put(
          "missing",
          TimedLoop.run(
              1,
              seconds,
              (random, number) -> {
                if (store.get(entries.key(keys + random.nextLong(keys))) != null) {
                  throw new IllegalStateException("found a key that was never put");
                }
              }),
          result);
      put(
          "range_100",
          TimedLoop.run(1, seconds, (random, number) -> range(store, keys, random)),
          result);
      result.put("scan.ops_per_s", scan(store, keys, seconds));
      put(
          "mixed",
          TimedLoop.run(
              2,
              seconds,
              (random, number) -> {
                long key = random.nextLong(keys);
                if (random.nextBoolean()) {
                  read(store, key);
                } else {
                  // Always the same value, so that readers need not know which write was the last.
                  store.put(entries.key(key), entries.value(key, 0));
                }
              }),
          result);
    }
    Path again = Files.createDirectory(directory.resolve("again"));
    try (PeerStore store = peer.open(again, options(parameters))) {
      // The JVM has compiled the code by then.
      loads.run(store, keys, 1, "load_again", result);
    }
    Path two = Files.createDirectory(directory.resolve("two"));
    try (PeerStore store = peer.open(two, options(parameters))) {
      loads.run(store, keys, 2, "load_2", result);
    }
    return result;
  }

  private static void compact(PeerStore store, Path directory, NamedValues result)
      throws Exception {
    long start = System.nanoTime();
    store.compact();
    double seconds = (System.nanoTime() - start) / NANOS;
    result.put("compact.seconds", seconds);
    // In terms of data: an engine that compresses or cleans up less has larger files.
    result.put("compact.mb_per_s", result.number("load.data_mb") / seconds);
    result.put("compact.size_mb", sizeAtRest(directory) / MB);
  }

  /**
   * Returns the size of all files once it is stable, because obsolete files are deleted after a
   * compaction.
   */
  private static long sizeAtRest(Path directory) throws IOException, InterruptedException {
    long last = -1;
    long size = DirectorySize.of(directory);
    for (int i = 0; size != last && i < LOOKS_AT_SIZE; i++) {
      Thread.sleep(MILLIS_BETWEEN_LOOKS);
      last = size;
      size = DirectorySize.of(directory);
    }
    return size;
  }

  private void read(PeerStore store, long number) throws Exception {
    if (!entries.isValue(store.get(entries.key(number)), number, 0)) {
      throw new IllegalStateException("wrong value of key " + number);
    }
  }

  private void range(PeerStore store, long keys, SplittableRandom random) throws Exception {
    Scanned scanned = store.scan(entries.key(random.nextLong(keys)), RANGE);
    // Near the end of all keys there are fewer.
    if (scanned.entries() < 1 || scanned.entries() > RANGE) {
      throw new IllegalStateException(scanned + " of a range of " + RANGE);
    }
  }

  /** Returns the entries per second of repeated full scans, after a warm-up of the same length. */
  private static double scan(PeerStore store, long keys, double seconds) throws Exception {
    scans(store, keys, seconds);
    return scans(store, keys, seconds);
  }

  private static double scans(PeerStore store, long keys, double seconds) throws Exception {
    long entries = 0;
    long start = System.nanoTime();
    long nanos = 0;
    while (nanos < seconds * NANOS) {
      Scanned scanned = store.scan(null, Long.MAX_VALUE);
      if (scanned.entries() != keys) {
        throw new IllegalStateException(scanned + " of a scan of " + keys);
      }
      entries += keys;
      nanos = System.nanoTime() - start;
    }
    return entries * NANOS / nanos;
  }

  /**
   * Puts the rate of a workload, its latencies and its costs: {@code ops_per_s}, {@code p50_us},
   * {@code p99_us}, {@code p999_us}, {@code cpu_us_per_op} and {@code allocated_bytes_per_op}.
   */
  static void put(String workload, TimedLoop.Result loop, NamedValues result) {
    result.put(workload + ".ops_per_s", loop.opsPerSecond());
    result.put(workload + ".p50_us", loop.nanos().getValueAtPercentile(50) / 1e3);
    result.put(workload + ".p99_us", loop.nanos().getValueAtPercentile(99) / 1e3);
    result.put(workload + ".p999_us", loop.nanos().getValueAtPercentile(99.9) / 1e3);
    result.put(workload + ".cpu_us_per_op", loop.cpuNanosPerOperation() / 1e3);
    result.put(workload + ".allocated_bytes_per_op", loop.allocatedBytesPerOperation());
  }
}
