package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.table.ValueChange;
import io.siltstone.text.CountText;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a {@link KeyValueStore} that are written atomically: after a crash all of them are
 * there or none, and a snapshot shows all or none. Of two changes of the same key the one added
 * later wins.
 *
 * <p>A batch may take up at most {@link
 * io.siltstone.commitlog.CommitLogOptions#maxMutationBytes()}, 256 MiB by default, where each
 * change takes less than 64 bytes in addition to its key and value, and has to fit into the
 * off-heap memory. A larger one is refused when it is written.
 *
 * <p>Keys and values are copied. A batch may be written several times. Not safe for use by several
 * threads.
 */
public final class KeyValueBatch {
  private final List<ValueChange> changes = new ArrayList<>();
  private long bytes;

  /** An empty batch. */
  public KeyValueBatch() {}

  /** Puts an entry, see {@link KeyValueStore#put(byte[], byte[])}. */
  public KeyValueBatch put(byte[] key, byte[] value) {
    return add(ValueChange.put(copy(key, "key"), copy(value, "value")));
  }

  /** Puts an entry that expires, see {@link KeyValueStore#put(byte[], byte[], int)}. */
  public KeyValueBatch put(byte[] key, byte[] value, int ttlSeconds) {
    return add(ValueChange.put(copy(key, "key"), copy(value, "value"), ttlSeconds));
  }

  /** Deletes an entry, see {@link KeyValueStore#delete}. */
  public KeyValueBatch delete(byte[] key) {
    return add(ValueChange.deletion(copy(key, "key")));
  }

  private static byte[] copy(byte[] bytes, String name) {
    return requireNonNull(bytes, name).clone();
  }

  private KeyValueBatch add(ValueChange change) {
    changes.add(change);
    bytes += change.dataBytes();
    return this;
  }

  List<ValueChange> changes() {
    return changes;
  }

  /** Returns the number of changes. */
  public int size() {
    return changes.size();
  }

  /**
   * Returns the size of all keys and values in bytes. The limit above applies to this and the
   * overhead.
   */
  public long dataBytes() {
    return bytes;
  }

  /** Returns the number of changes and their size. */
  @Override
  public String toString() {
    return CountText.of(changes.size(), "change") + " of " + CountText.of(bytes, "byte");
  }

  /** Removes all changes. */
  public void clear() {
    changes.clear();
    bytes = 0;
  }
}
