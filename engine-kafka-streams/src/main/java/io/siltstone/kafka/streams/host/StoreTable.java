package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;

/** The table of a store that is open, and its database. Safe for use by all threads. */
public final class StoreTable implements Closeable {
  private final StoreDatabase database;
  private final StoreName store;
  private final String keyspace;
  private final KeyValueStore entries;
  private final Closeable lease;
  private boolean isClosed;

  StoreTable(
      StoreDatabase database,
      StoreName store,
      String keyspace,
      KeyValueStore entries,
      Closeable lease) {
    this.database = database;
    this.store = store;
    this.keyspace = keyspace;
    this.entries = entries;
    this.lease = lease;
  }

  /** Returns the entries. */
  public KeyValueStore entries() {
    return entries;
  }

  /** Returns the database that the table belongs to. */
  public Database database() {
    return database.database();
  }

  /**
   * Gives up the table because it is damaged: the next opening of the store begins with an empty
   * one, which Kafka restores.
   */
  public void giveUp() throws IOException {
    Marker.of(store).delete();
  }

  /** Ends the use. The database is closed with the last of its tables, if it belongs to nobody. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    try {
      database.release(keyspace);
    } finally {
      lease.close();
    }
  }
}
