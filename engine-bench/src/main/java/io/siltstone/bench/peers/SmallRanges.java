package io.siltstone.bench.peers;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.PeerStore.Scanned;

/**
 * Short ranges of small entries: {@value #RANGE} entries of {@value #VALUE_BYTES} bytes from a
 * random key on, by one thread.
 */
public final class SmallRanges {
  /** The number of entries of a range. */
  public static final int RANGE = 20;

  /** The size of a value in bytes. */
  public static final int VALUE_BYTES = 100;

  /** The size of the blocks in which they are to be stored. */
  static final int BLOCK_KIB = 4;

  private final TextEntries entries = new TextEntries(VALUE_BYTES, VALUE_BYTES);

  /**
   * Loads entries and measures ranges of them.
   *
   * @param store is empty
   * @param parameters {@code keys} to load, and {@code seconds} to measure, after a warm-up of the
   *     same length
   * @param result receives the figures that {@link PeerMeasurement} has of a workload, with the
   *     prefix {@code range_20}
   */
  void measure(PeerStore store, NamedValues parameters, NamedValues result) throws Exception {
    long keys = parameters.whole("keys");
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

  private static void range(PeerStore store, byte[] from) throws Exception {
    Scanned scanned = store.scan(from, RANGE);
    // Near the end of all keys there are fewer.
    if (scanned.entries() < 1 || scanned.entries() > RANGE) {
      throw new IllegalStateException(scanned + " of a range of " + RANGE);
    }
  }
}
