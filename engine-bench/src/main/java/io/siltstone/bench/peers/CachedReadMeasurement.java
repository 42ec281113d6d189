package io.siltstone.bench.peers;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures reads of one engine whose read cache is larger than the data: uniformly random keys of
 * the whole set, by one thread and by two, after each key was read once; and {@linkplain
 * SmallRanges short ranges}.
 *
 * <pre>
 *   peer          name of the engine
 *   directory     for its files, empty
 *   keys          number of keys to load
 *   seconds       duration of each timed workload, after a warm-up of the same length
 *   cache_bytes, buffer_bytes
 * </pre>
 *
 * Returns the figures that {@link PeerMeasurement} has of a workload, with the prefixes {@code
 * cached_B_T}, for blocks of B KiB, 4 and 16, and T threads, and {@code range_20}. Of all values
 * the length is checked, of one in {@value #CHECKED_ONE_IN} the content: a comparison reads as much
 * memory again as the read itself.
 */
public final class CachedReadMeasurement implements Measurement {
  private static final int CHECKED_ONE_IN = 32;
  private static final int MOST_THREADS = 2;
  private static final List<Integer> BLOCKS_KIB = List.of(4, 16);

  private final TextEntries entries = new TextEntries();

  /**
   * Returns the size of a cache that takes all entries, with what each engine adds to an entry and
   * with what a cache keeps free.
   */
  public static long cacheBytes(long keys) {
    return (64L << 20) + keys * (TextEntries.LONGEST + 100);
  }

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    Peer peer = PeerList.named(parameters.text("peer"));
    Path directory = Path.of(parameters.text("directory"));
    NamedValues result = new NamedValues();
    for (int blockKib : BLOCKS_KIB) {
      PeerOptions options =
          new PeerOptions(
              blockKib, parameters.whole("cache_bytes"), parameters.whole("buffer_bytes"));
      Path own = Files.createDirectory(directory.resolve("blocks-" + blockKib));
      try (PeerStore store = peer.open(own, options)) {
        measure(store, "cached_" + blockKib + "_", parameters, result);
      }
    }
    PeerOptions options =
        new PeerOptions(
            SmallRanges.BLOCK_KIB,
            parameters.whole("cache_bytes"),
            parameters.whole("buffer_bytes"));
    Path own = Files.createDirectory(directory.resolve("ranges"));
    try (PeerStore store = peer.open(own, options)) {
      new SmallRanges().measure(store, parameters, result);
    }
    return result;
  }

  private void measure(PeerStore store, String prefix, NamedValues parameters, NamedValues result)
      throws Exception {
    long keys = parameters.whole("keys");
    for (long i = 0; i < keys; i++) {
      store.put(entries.key(i), entries.value(i, 0));
    }
    store.flush();
    store.compact();
    for (long i = 0; i < keys; i++) {
      read(store, i, true);
    }
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
      PeerMeasurement.put(
          prefix + threads,
          TimedLoop.run(
              threads,
              parameters.number("seconds"),
              (random, number) -> read(store, random.nextLong(keys), number % CHECKED_ONE_IN == 0)),
          result);
    }
  }

  private void read(PeerStore store, long number, boolean isCompared) throws Exception {
    byte[] value = store.get(entries.key(number));
    boolean isRight =
        isCompared
            ? entries.isValue(value, number, 0)
            : value != null
                && value.length >= TextEntries.SHORTEST
                && value.length <= TextEntries.LONGEST;
    if (!isRight) {
      throw new IllegalStateException("wrong value of key " + number);
    }
  }
}
