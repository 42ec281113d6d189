package io.siltstone.bench.peers;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.DirectorySize;
import io.siltstone.bench.workload.ProcessUsage;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Measures the load of one engine with many entries, during which it compacts: one writer puts each
 * key once, all is flushed, and then the compactions that the engine has begun by itself come to
 * their end.
 *
 * <pre>
 *   peer          name of the engine
 *   directory     for its files, empty
 *   keys          number of keys to load
 *   reads         number of entries that are read at the end, to check them
 *   quiet_millis  how long an engine writes nothing when its compactions have ended
 *   block_kib, cache_bytes, buffer_bytes
 * </pre>
 *
 * Returns the figures of {@link LoadMeasurement} for the load, with {@code load.size_mb}, the size
 * of all files after the flush; and {@code settled.seconds}, {@code settled.written_per_byte},
 * {@code settled.cpu_us_per_op} and {@code settled.size_mb}, all from the beginning of the load to
 * the end of compaction.
 */
public final class LargeLoadMeasurement implements Measurement {
  private static final int LOOKS = 4;
  private static final double MB = 1e6;
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;

  private final TextEntries entries = new TextEntries();

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    Peer peer = PeerList.named(parameters.text("peer"));
    Path directory = Path.of(parameters.text("directory"));
    long keys = parameters.whole("keys");
    NamedValues result = new NamedValues();
    try (PeerStore store = peer.open(directory, PeerMeasurement.options(parameters))) {
      ProcessUsage before = ProcessUsage.now();
      long start = System.nanoTime();
      new LoadMeasurement(entries).run(store, keys, 1, "load", result);
      result.put("load.size_mb", DirectorySize.of(directory) / MB);
      long settled = awaitCompaction(parameters.whole("quiet_millis"));
      ProcessUsage usage = ProcessUsage.now().since(before);
      result.put("settled.seconds", (settled - start) / NANOS);
      result.put(
          "settled.written_per_byte",
          usage.diskWrittenBytes() / MB / result.number("load.data_mb"));
      result.put("settled.cpu_us_per_op", usage.cpuNanos() / MICROS / keys);
      result.put("settled.size_mb", DirectorySize.of(directory) / MB);
      check(store, keys, parameters.whole("reads"));
    }
    return result;
  }

  /**
   * Waits until this process writes nothing for a time.
   *
   * @param quietMillis the time
   * @return the moment, of {@link System#nanoTime()}, at which it was last seen to write
   */
  private static long awaitCompaction(long quietMillis) throws InterruptedException {
    long last = System.nanoTime();
    long written = ProcessUsage.now().diskWrittenBytes();
    for (int look = 0; look < LOOKS; look++) {
      Thread.sleep(quietMillis / LOOKS);
      long now = ProcessUsage.now().diskWrittenBytes();
      if (now != written) {
        written = now;
        last = System.nanoTime();
        look = -1;
      }
    }
    return last;
  }

  private void check(PeerStore store, long keys, long reads) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (long i = 0; i < reads; i++) {
      long number = random.nextLong(keys);
      if (!entries.isValue(store.get(entries.key(number)), number, 0)) {
        throw new IllegalStateException("wrong value of key " + number);
      }
    }
  }
}
