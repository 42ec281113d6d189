package io.siltstone.bench.state;

import static io.siltstone.bench.state.StateWorkload.RANGE_ENTRIES;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.Permutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One turn of an engine: its stores in an empty directory, under the load of one part of the
 * comparison. Results are checked: reads by content, ranges and scans by count. Confined to one
 * thread.
 */
final class StateTurn {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int BETWEEN_LOOKS = 64;
  private static final int MOST_WARM_UPS = 20;
  // The share of the time that the JIT compiler still takes of what is warm.
  private static final double WARM_SHARE = 0.05;
  // The number of records that a poll of a consumer returns by default.
  private static final int RESTORED_AT_ONCE = 500;
  private static final int ENTRIES_PER_STORE = 1_000;

  private final String engine;
  private final StateStores stores;
  private final StateEntries entries;
  private final NamedValues parameters;
  private final NamedValues result;
  private final long count;
  private final SplittableRandom random = new SplittableRandom(1);

  /**
   * @param directory is empty
   * @param parameters those of {@link StateStoreMeasurement}
   * @param result receives the figures
   */
  StateTurn(
      StateStorePeer peer,
      Path directory,
      StateEntries entries,
      NamedValues parameters,
      NamedValues result)
      throws IOException {
    engine = peer.name();
    stores = peer.open(directory);
    this.entries = entries;
    this.parameters = parameters;
    this.result = result;
    count = parameters.whole("entries");
  }

  /** Loads a store, opens it again, and reads and changes it. */
  void runEntries() throws Exception {
    Permutation order = new Permutation(count);
    ProcessorWatch watch = ProcessorWatch.start();
    try (MeasuredStore store = stores.open(0)) {
      for (long i = 0; i < count; i++) {
        long number = order.of(i);
        store.put(StateEntries.key(number), entries.value(number, 0));
      }
      store.commit(count);
    }
    watch.stop(StateWorkload.LOAD, engine, count, result);
    reopen();
    try (MeasuredStore store = stores.open(0)) {
      // Reads each entry once, so that the caches are filled.
      requireAll(store);
      loop(StateWorkload.GET, store, 1, () -> read(store, random.nextLong(count), 0));
      loop(
          StateWorkload.MISS,
          store,
          1,
          () -> {
            if (store.get(StateEntries.missingKey(random.nextLong(count))) != null) {
              throw new IllegalStateException("found a key that was never put");
            }
          });
      loop(StateWorkload.RANGE, store, 1, () -> range(store));
      loop(StateWorkload.SCAN, store, count, () -> requireAll(store));
      loop(
          StateWorkload.PUT,
          store,
          1,
          () -> {
            long number = random.nextLong(count);
            store.put(StateEntries.key(number), entries.value(number, 1));
          });
      loop(
          StateWorkload.MODIFY,
          store,
          1,
          () -> {
            long number = random.nextLong(count);
            read(store, number, 1);
            store.put(StateEntries.key(number), entries.value(number, 1));
          });
    }
  }

  /** Restores a changelog of as many records, in random order. */
  void runRestore() throws Exception {
    Permutation order = new Permutation(count);
    ProcessorWatch watch = ProcessorWatch.start();
    try (MeasuredStore store = stores.open(0)) {
      for (long done = 0; done < count; done += RESTORED_AT_ONCE) {
        List<byte[]> keys = new ArrayList<>(RESTORED_AT_ONCE);
        List<byte[]> values = new ArrayList<>(RESTORED_AT_ONCE);
        for (long i = done; i < Math.min(count, done + RESTORED_AT_ONCE); i++) {
          long number = order.of(i);
          keys.add(StateEntries.key(number));
          values.add(entries.value(number, 0));
        }
        store.restore(keys, values);
      }
      store.commit(count);
    }
    watch.stop(StateWorkload.RESTORE, engine, count, result);
    try (MeasuredStore store = stores.open(0)) {
      requireAll(store);
    }
  }

  /** Creates many stores, and opens them all again. */
  void runStores() throws Exception {
    int many = (int) parameters.whole("stores");
    long start = System.nanoTime();
    try (OpenStores open = new OpenStores(stores, many)) {
      result.put(engine + ".create_ms", millisSince(start) / many);
      for (MeasuredStore store : open.all()) {
        for (long i = 0; i < ENTRIES_PER_STORE; i++) {
          store.put(StateEntries.key(i), entries.value(i, 0));
        }
        store.commit(ENTRIES_PER_STORE);
      }
    }
    ProcessorWatch.awaitIdle();
    start = System.nanoTime();
    try (OpenStores open = new OpenStores(stores, many)) {
      for (MeasuredStore store : open.all()) {
        read(store, 0, 0);
      }
      result.put(engine + ".reopen_all_ms", millisSince(start));
    }
  }

  private void reopen() throws Exception {
    List<Double> millis = new ArrayList<>();
    for (long i = 0; i < parameters.whole("openings"); i++) {
      long start = System.nanoTime();
      try (MeasuredStore store = stores.open(0)) {
        read(store, i % count, 0);
        millis.add(millisSince(start));
      }
    }
    millis.sort(null);
    result.put(engine + ".reopen_ms", millis.get(millis.size() / 2));
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / NANOS_PER_MILLI;
  }

  /**
   * Repeats something until it is warm, and measures it for a time.
   *
   * @param operations that one repetition counts as; more than one if it takes long
   */
  private void loop(
      StateWorkload workload, MeasuredStore store, long operations, Runnable operation)
      throws InterruptedException {
    warmUp(operations, operation);
    ProcessorWatch.awaitIdle();
    ProcessorWatch watch = ProcessorWatch.start();
    long done = repeat(watch, operations, operation);
    if (workload == StateWorkload.PUT || workload == StateWorkload.MODIFY) {
      store.commit(done);
    }
    watch.stop(workload, engine, done, result);
  }

  // A fixed time would not do. The reads of a store are compiled after hundreds of thousands of
  // them, for which a busy machine needs half a minute; native code is as fast from the beginning.
  private void warmUp(long operations, Runnable operation) {
    long compiled;
    long start;
    int rounds = 0;
    do {
      compiled = ProcessorWatch.compilationMillis();
      start = System.nanoTime();
      repeat(ProcessorWatch.start(), operations, operation);
      rounds++;
    } while (rounds < MOST_WARM_UPS
        && ProcessorWatch.compilationMillis() - compiled > WARM_SHARE * millisSince(start));
  }

  private long repeat(ProcessorWatch watch, long operations, Runnable operation) {
    int betweenLooks = operations > 1 ? 1 : BETWEEN_LOOKS;
    double seconds = parameters.number("seconds");
    long done = 0;
    do {
      for (int i = 0; i < betweenLooks; i++) {
        operation.run();
        done += operations;
      }
    } while (!watch.hasRun(seconds));
    return done;
  }

  /**
   * Reads an entry.
   *
   * @param version the newest that it may have; each older one is right, too
   */
  private void read(MeasuredStore store, long number, long version) {
    byte[] found = store.get(StateEntries.key(number));
    for (long each = 0; each <= version; each++) {
      if (entries.isValue(found, number, each)) {
        return;
      }
    }
    throw new IllegalStateException(engine + " has a wrong value of key " + number);
  }

  private void range(MeasuredStore store) {
    long first = random.nextLong(Math.max(1, count - RANGE_ENTRIES));
    long found = store.scan(StateEntries.key(first), StateEntries.key(first + RANGE_ENTRIES - 1));
    if (found != Math.min(count, RANGE_ENTRIES)) {
      throw new IllegalStateException(engine + " has " + found + " entries of a range");
    }
  }

  private void requireAll(MeasuredStore store) {
    long found = store.scan(null, null);
    if (found != count) {
      throw new IllegalStateException(engine + " has " + found + " entries, not " + count);
    }
  }
}
