package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** The table of a store that is open, and its database. Safe for use by all threads. */
public final class StoreTable implements Closeable {
  private final StoreDatabase database;
  private final StoreName store;
  private final String keyspace;
  private final KeyValueStore entries;
  private final Closeable lease;
  private final AtomicBoolean hasCommitted = new AtomicBoolean();
  // Added by the thread that opens the store.
  private final List<Closeable> repeated = new ArrayList<>();
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

  /** Returns the permits for restores by bulk loads, which all stores of the JVM share. */
  public Semaphore restores() {
    return database.restores();
  }

  /** Runs a task, which throws nothing, every few seconds until this is closed. */
  public void repeat(Runnable task, long seconds) {
    repeated.add(database.repeat(task, seconds));
  }

  /** Says that offsets were written, upon which a table that was never flushed is flushed soon. */
  public void committed() {
    if (!hasCommitted.getAndSet(true)) {
      database.flushFirst(entries.table());
    }
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
      for (Closeable task : repeated) {
        task.close();
      }
      database.release(keyspace);
    } finally {
      lease.close();
    }
  }
}
