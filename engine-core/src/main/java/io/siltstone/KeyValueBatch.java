package io.siltstone;

import io.siltstone.table.EntryChange;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a {@link KeyValueStore} that are written together: after a crash all of them are there
 * or none, and so for whoever looks at a snapshot. A later change of a key wins over an earlier
 * one.
 *
 * <p>All of it must fit into half a segment of the commit log, 16 MiB unless {@link
 * io.siltstone.commitlog.CommitLogOptions#segmentBytes()} is changed, where each change takes less
 * than 64 bytes beside key and value; it is refused when it is written.
 *
 * <p>Copies keys and values. May be written several times. Confined to one thread.
 */
public final class KeyValueBatch {
  private final List<EntryChange> changes = new ArrayList<>();
  private long bytes;

  /** An empty batch. */
  public KeyValueBatch() {}

  /** Puts an entry, see {@link KeyValueStore#put(byte[], byte[])}. */
  public KeyValueBatch put(byte[] key, byte[] value) {
    return add(EntryChange.put(key.clone(), value.clone()));
  }

  /** Puts an entry that expires, see {@link KeyValueStore#put(byte[], byte[], int)}. */
  public KeyValueBatch put(byte[] key, byte[] value, int ttlSeconds) {
    return add(EntryChange.put(key.clone(), value.clone(), ttlSeconds));
  }

  /** Deletes an entry, see {@link KeyValueStore#delete}. */
  public KeyValueBatch delete(byte[] key) {
    return add(EntryChange.deletion(key.clone()));
  }

  private KeyValueBatch add(EntryChange change) {
    changes.add(change);
    bytes += change.dataBytes();
    return this;
  }

  List<EntryChange> changes() {
    return changes;
  }

  /** How many changes it has. */
  public int size() {
    return changes.size();
  }

  /** Bytes of all keys and values; see above how many may be written. */
  public long dataBytes() {
    return bytes;
  }

  /** Forgets all changes. */
  public void clear() {
    changes.clear();
    bytes = 0;
  }
}
