package io.siltstone;

import io.siltstone.keyvalue.KeyValueTable;
import io.siltstone.keyvalue.KeyValueTableSnapshot;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Snapshots of several {@linkplain KeyValueStore stores} of a database, taken at one moment: of
 * each batch they show all changes, of all these stores, or none.
 *
 * <pre>{@code
 * try (KeyValueSnapshots moment = KeyValueSnapshots.take(orders, totals)) {
 *   byte[] order = moment.of(orders).get(orderKey);
 *   byte[] total = moment.of(totals).get(totalKey);
 * }
 * }</pre>
 *
 * <p>Writes to these stores wait while the snapshots are taken, which reads nothing. Safe for use
 * by several threads. Closed by their opener, which closes each snapshot; one that is not needed
 * any more may be closed earlier.
 */
public final class KeyValueSnapshots implements Closeable {
  private final List<KeyValueStore> stores;
  private final List<KeyValueSnapshot> snapshots;

  private KeyValueSnapshots(List<KeyValueStore> stores, List<KeyValueSnapshot> snapshots) {
    this.stores = stores;
    this.snapshots = snapshots;
  }

  /** Takes snapshots of stores; see {@link #take(Collection)}. */
  public static KeyValueSnapshots take(KeyValueStore... stores) throws IOException {
    return take(Arrays.asList(stores));
  }

  /**
   * Takes snapshots of all entries of stores as they are at this moment. What else is true of
   * {@link KeyValueStore#snapshot} is true of each.
   *
   * @param stores at least one, all of one database
   * @return the snapshots, to be closed by the caller
   * @throws IllegalArgumentException if there is no store, or if they are of several databases
   */
  public static KeyValueSnapshots take(Collection<KeyValueStore> stores) throws IOException {
    List<KeyValueStore> distinct = new ArrayList<>();
    for (KeyValueStore store : stores) {
      if (indexOf(store, distinct) < 0) {
        distinct.add(store);
      }
    }
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException("snapshots of no store, allowed at least one");
    }
    Engine engine = distinct.get(0).engine();
    distinct.forEach(engine::requireOwn);
    return engine.inside(() -> taken(distinct, engine));
  }

  private static KeyValueSnapshots taken(List<KeyValueStore> stores, Engine engine) {
    List<KeyValueTableSnapshot> taken =
        KeyValueTable.snapshots(stores.stream().map(KeyValueStore::entries).toList());
    List<KeyValueSnapshot> snapshots = new ArrayList<>(taken.size());
    try {
      for (int i = 0; i < taken.size(); i++) {
        snapshots.add(KeyValueSnapshot.of(stores.get(i), taken.get(i), engine));
      }
      return new KeyValueSnapshots(stores, snapshots);
    } catch (Throwable e) {
      Closeables.closeAllAfter(snapshots, e);
      Closeables.closeAllAfter(taken, e);
      throw e;
    }
  }

  private static int indexOf(KeyValueStore store, List<KeyValueStore> stores) {
    for (int i = 0; i < stores.size(); i++) {
      if (stores.get(i).entries().isOfSameTable(store.entries())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the snapshot of a store, which is closed with this.
   *
   * @throws IllegalArgumentException if none was taken of it
   */
  public KeyValueSnapshot of(KeyValueStore store) {
    int index = indexOf(store, stores);
    if (index < 0) {
      throw new IllegalArgumentException(
          "no snapshot was taken of " + store + ", allowed " + stores);
    }
    return snapshots.get(index);
  }

  /** Closes all snapshots. */
  @Override
  public void close() throws IOException {
    Closeables.closeAll(snapshots);
  }

  @Override
  public String toString() {
    return "snapshots of " + stores;
  }
}
