package io.siltstone.bench.peers;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.PeerStore.Scanned;
import java.nio.file.Path;

/**
 * Measures short ranges of small entries of one engine, whose read cache is larger than the data:
 * {@value #RANGE} entries of {@value #VALUE_BYTES} bytes from a random key on, by one thread, in
 * blocks of {@value #BLOCK_KIB} KiB.
 *
 * <pre>
 *   peer          name of the engine
 *   directory     for its files, empty
 *   keys          number of keys to load
 *   seconds       duration of the timed workload, after a warm-up of the same length
 *   cache_bytes, buffer_bytes
 * </pre>
 *
 * Returns the figures that {@link PeerMeasurement} has of a workload, with the prefix {@code
 * range_20}; the number of entries of each range is checked.
 */
public final class SmallRangeMeasurement implements Measurement {
  /** The number of entries of a range. */
  public static final int RANGE = 20;

  /** The size of a value in bytes. */
  public static final int VALUE_BYTES = 100;

  private static final int BLOCK_KIB = 4;

  private final TextEntries entries = new TextEntries(VALUE_BYTES, VALUE_BYTES);

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    Peer peer = PeerList.named(parameters.text("peer"));
    long keys = parameters.whole("keys");
    PeerOptions options =
        new PeerOptions(
            BLOCK_KIB, parameters.whole("cache_bytes"), parameters.whole("buffer_bytes"));
    NamedValues result = new NamedValues();
    try (PeerStore store = peer.open(Path.of(parameters.text("directory")), options)) {
      for (long i = 0; i < keys; i++) {
        store.put(entries.key(i), entries.value(i, 0));
      }
      store.flush();
      store.compact();
      PeerMeasurement.put(
          "range_20",
          TimedLoop.run(
              1,
              parameters.number("seconds"),
              (random, number) -> range(store, entries.key(random.nextLong(keys)))),
          result);
    }
    return result;
  }

  private static void range(PeerStore store, byte[] from) throws Exception {
    Scanned scanned = store.scan(from, RANGE);
    // Near the end of all keys there are fewer.
    if (scanned.entries() < 1 || scanned.entries() > RANGE) {
      throw new IllegalStateException(scanned + " of a range of " + RANGE);
    }
  }
}
