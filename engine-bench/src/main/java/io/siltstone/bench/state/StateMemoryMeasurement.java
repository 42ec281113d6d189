package io.siltstone.bench.state;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Measures the memory and the threads of a process with many stores, which were written to and
 * read, and of the same process without them.
 *
 * <pre>
 *   directory     for the files, empty
 *   peer          name of the engine, or {@link #NONE}
 *   stores        number of stores, with an entry of all in turn
 *   entries       number of entries of each
 *   value_bytes   length of each value
 * </pre>
 *
 * Returns {@code threads}, {@code most_threads} (under load), {@code heap_mb} (in use after a
 * collection), {@code resident_mb} (of the process, 0 where the system does not say) and {@code
 * reported_mb} (according to the metrics of the stores). The JVM is to have a heap of a fixed size
 * that is resident from the beginning.
 */
public final class StateMemoryMeasurement implements Measurement {
  /** The name of a process without stores. */
  public static final String NONE = "no stores";

  private static final double MB = 1e6;
  private static final int COLLECTIONS = 3;
  private static final int BETWEEN_LOOKS = 16;

  private long mostThreads;

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    String peer = parameters.text("peer");
    StateStores stores =
        peer.equals(NONE)
            ? new NoStores()
            : StateStorePeers.named(peer).open(Path.of(parameters.text("directory")));
    StateEntries entries = new StateEntries((int) parameters.whole("value_bytes"));
    try (OpenStores open = new OpenStores(stores, (int) parameters.whole("stores"))) {
      use(open.all(), entries, parameters.whole("entries"));
      ProcessorWatch.awaitIdle();
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
      }
      ProcessMemory memory = ProcessMemory.now();
      return new NamedValues()
          .put("threads", memory.threads())
          .put("most_threads", mostThreads)
          .put("resident_mb", memory.residentBytes() / MB)
          .put("heap_mb", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MB)
          .put("reported_mb", stores.reportedBytes() / MB);
    }
  }

  private void use(List<MeasuredStore> stores, StateEntries entries, long count)
      throws IOException {
    for (long i = 0; i < count; i++) {
      for (MeasuredStore store : stores) {
        store.put(StateEntries.key(i), entries.value(i, 0));
      }
      if (i % BETWEEN_LOOKS == 0) {
        lookAtThreads();
      }
    }
    SplittableRandom random = new SplittableRandom(1);
    for (MeasuredStore store : stores) {
      store.commit(count);
      for (long i = 0; i < count; i++) {
        if (store.get(StateEntries.key(random.nextLong(count))) == null) {
          throw new IllegalStateException("an entry is missing");
        }
      }
      store.scan(null, null);
      lookAtThreads();
    }
  }

  private void lookAtThreads() throws IOException {
    mostThreads = Math.max(mostThreads, ProcessMemory.now().threads());
  }

  /** Stores that keep nothing. */
  private static final class NoStores implements StateStores, MeasuredStore {
    private static final byte[] FOUND = new byte[1];

    @Override
    public MeasuredStore open(int partition) {
      return this;
    }

    @Override
    public long reportedBytes() {
      return 0;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      // Kept nowhere.
    }

    @Override
    public byte[] get(byte[] key) {
      return FOUND;
    }

    @Override
    public long scan(byte @Nullable [] from, byte @Nullable [] to) {
      return 0;
    }

    @Override
    public void restore(List<byte[]> keys, List<byte[]> values) {
      // Kept nowhere.
    }

    @Override
    public void commit(long offset) {
      // Kept nowhere.
    }

    @Override
    public void close() throws IOException {
      // Holds nothing.
    }
  }
}
