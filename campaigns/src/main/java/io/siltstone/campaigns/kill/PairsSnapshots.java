package io.siltstone.campaigns.kill;

import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The snapshot that a thread holds while it writes, and its expected content. */
final class PairsSnapshots implements Closeable {
  private final byte[] prefix;
  private final Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
  private @Nullable KeyValueSnapshot snapshot;

  PairsSnapshots(int thread) {
    prefix = new byte[] {(byte) thread};
  }

  /** Compares the present snapshot with its expected content, and takes another. */
  void exchange(KeyValueStore store, PairsState present) throws IOException {
    close();
    expected.clear();
    expected.putAll(present.entries());
    snapshot = store.snapshot();
  }

  @Override
  public void close() throws IOException {
    KeyValueSnapshot held = snapshot;
    snapshot = null;
    if (held != null) {
      try (held;
          KeyValueIterator entries = held.iteratorOfPrefix(prefix)) {
        requireEntries(entries, expected);
      }
    }
  }

  /** Fails unless an iterator returns exactly these entries. */
  static void requireEntries(KeyValueIterator found, Map<byte[], byte[]> expected)
      throws IOException {
    Iterator<Map.Entry<byte[], byte[]>> wanted = expected.entrySet().iterator();
    found.seekToFirst();
    while (found.isValid()) {
      if (!wanted.hasNext()) {
        throw new AssertionError("more entries than expected: " + Arrays.toString(found.key()));
      }
      Map.Entry<byte[], byte[]> next = wanted.next();
      if (!Arrays.equals(found.key(), next.getKey())
          || !Arrays.equals(found.value(), next.getValue())) {
        throw new AssertionError(
            "expected the entry "
                + Arrays.toString(next.getKey())
                + " of "
                + next.getValue().length
                + " bytes, found "
                + Arrays.toString(found.key())
                + " of "
                + found.value().length);
      }
      found.next();
    }
    if (wanted.hasNext()) {
      throw new AssertionError("missing: " + Arrays.toString(wanted.next().getKey()));
    }
  }
}
