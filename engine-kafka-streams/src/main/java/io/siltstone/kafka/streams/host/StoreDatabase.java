package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.SharedResources;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of an application instance, with a table for each store and partition.
 *
 * <p>Each table is in a keyspace of its own: it is flushed alone, as no two tables have to be of
 * the same moment. Its comment is the path of its {@link Marker}, so that the sweep finds tables
 * whose marker is gone. A table comes before its marker: what a crash leaves in between has none
 * and is dropped.
 *
 * <p>Safe for use by all threads.
 */
public final class StoreDatabase implements Closeable {
  // Stores are read by single keys for the most part, and less is decompressed for one of them in
  // a short chunk.
  private static final CompressionOptions COMPRESSION =
      CompressionOptions.fromMap(Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "4"));

  private static final Logger LOG = LoggerFactory.getLogger(StoreDatabase.class);
  // The shorter it is, the less has to be restored from changelogs after a crash.
  private static final int FLUSH_MILLIS = 600_000;
  private static final long SWEEP_SECONDS = 600;
  private static final int MAX_NAME_LENGTH = 30;
  // The paths of the markers of global stores begin with this.
  private static final String GLOBAL = DatabaseHome.GLOBAL + "/";

  private final Path directory;
  private final Database database;
  private final DamagedTables damaged;
  private final MaintenanceThread maintenance;
  private final Closeable sweeps;

  // The keyspaces of tables that are open; guarded by this.
  private final Set<String> open = new HashSet<>();
  // Guarded by this.
  private boolean isClosed;

  private StoreDatabase(
      Path directory, Database database, DamagedTables damaged, MaintenanceThread maintenance) {
    this.directory = directory;
    this.database = database;
    this.damaged = damaged;
    this.maintenance = maintenance;
    sweeps = maintenance.repeat(this::sweepQuietly, SWEEP_SECONDS);
  }

  /**
   * Opens or creates a database, and drops the tables whose markers are gone.
   *
   * @param directory of the database, with an absolute path
   * @param root the same directory
   * @param resources its memory and threads, not taken over
   * @param maintenance which maintains it until it is closed
   */
  static StoreDatabase open(
      Path directory, Directory root, SharedResources resources, MaintenanceThread maintenance)
      throws IOException {
    DamagedTables damaged = new DamagedTables();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .listener(damaged)
            .partitioner(Partitioner.BYTE_ORDERED)
            .sharedResources(resources)
            // Nothing is logged but changes of the tables themselves.
            .commitLog(
                CommitLogOptions.builder().bufferBytes(256 << 10).segmentBytes(1 << 20).build())
            .build();
    StoreDatabase opened =
        new StoreDatabase(directory, openDatabase(root, options), damaged, maintenance);
    try {
      opened.sweep();
      return opened;
    } catch (Throwable e) {
      try {
        opened.close();
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /**
   * Opens or creates the database. A damaged table is restored by Kafka, and the others are opened
   * all the same, by a lenient opening. That reads all components of all tables, so that it is made
   * only if a strict one fails.
   */
  private static Database openDatabase(Directory root, DatabaseOptions options) throws IOException {
    try {
      return Database.open(root, options);
    } catch (LockedException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("{} is opened without what is damaged", root, e);
      try {
        return Database.open(root, options.toBuilder().lenient(true).build());
      } catch (IOException | RuntimeException also) {
        also.addSuppressed(e);
        throw also;
      }
    }
  }

  /** Returns the database, for statistics, checkpoints and the like. */
  public Database database() {
    return database;
  }

  /**
   * Opens the table of a store, or creates it.
   *
   * @param lease closed with the table
   * @throws IllegalStateException if the store is open
   */
  public synchronized StoreTable openTable(StoreName store, Closeable lease) throws IOException {
    Marker marker = Marker.of(store);
    Marker.Content marked = marked(store, marker);
    if (marked != null) {
      Table table =
          marked.format().equals(store.format()) && !damaged.has(marked.keyspace())
              ? database.findTable(marked.keyspace(), marked.table()).orElse(null)
              : null;
      if (table != null) {
        if (!open.add(marked.keyspace())) {
          throw new IllegalStateException(store + " is open, and cannot be opened once more");
        }
        try {
          KeyValueStore entries = KeyValueStore.in(database, marked.keyspace(), marked.table());
          return new StoreTable(this, store, marked.keyspace(), entries, lease);
        } catch (Throwable e) {
          open.remove(marked.keyspace());
          throw e;
        }
      }
      LOG.info(
          "{} begins with an empty table, as {} has none of its format that is not damaged",
          store,
          directory);
    }
    String keyspace = "t" + plain(store.task()) + "_" + uniqueName();
    return new StoreTable(this, store, keyspace, create(store, marker, keyspace), lease);
  }

  private static Marker.@Nullable Content marked(StoreName store, Marker marker) {
    try {
      return marker.read();
    } catch (CorruptFileException e) {
      // The table that it named has no offsets that Kafka could know any more. Under exactly-once
      // Kafka wipes the task of a store without offsets, under at-least-once it restores the store.
      LOG.error("{} begins with an empty table, as its marker is damaged", store, e);
      return null;
    }
  }

  private static String uniqueName() {
    return UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  }

  private KeyValueStore create(StoreName store, Marker marker, String keyspace) throws IOException {
    String name = plain(store.name());
    TableOptions options =
        TableOptions.builder()
            .durableWrites(false)
            .memtableFlushPeriodInMs(FLUSH_MILLIS)
            .gcGraceSeconds(0)
            .compression(COMPRESSION)
            .comment(pathOf(marker))
            .build();
    KeyValueStore entries =
        KeyValueStore.createIn(database, keyspace, List.of(name), options).get(0);
    open.add(keyspace);
    try {
      marker.write(new Marker.Content(keyspace, name, store.format()));
      return entries;
    } catch (Throwable e) {
      open.remove(keyspace);
      try {
        // The next attempt creates another table.
        database.dropTable(keyspace, name);
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  private static String plain(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    return plain.substring(0, Math.min(plain.length(), MAX_NAME_LENGTH));
  }

  // Relative to the directory that the database is in, so that both can be moved together.
  private String pathOf(Marker marker) throws IOException {
    // The directory of the database has no symbolic links, but that of the task may.
    Path path = marker.realPath();
    Path parent = directory.getParent();
    return parent != null && path.startsWith(parent)
        ? parent.relativize(path).toString()
        : path.toString();
  }

  private @Nullable Marker markerOf(Table table) {
    String comment = table.schema().options().comment();
    if (comment.isEmpty()) {
      return null;
    }
    return Marker.at(directory.resolveSibling(comment));
  }

  /**
   * Flushes a table soon if it was never flushed. Without that, a crash in the time up to its first
   * flush would leave it without offsets, and under exactly-once Kafka would wipe its task, stores
   * that have much included.
   */
  void flushFirst(Table table) {
    maintenance.run(
        () -> {
          try {
            if (table.statistics().sstables().count() == 0) {
              table.flush();
            }
          } catch (IOException | RuntimeException e) {
            // It is flushed later, or closed or dropped already.
            LOG.debug("{} could not be flushed for the first time", table, e);
          }
        });
  }

  /** Runs a task every few seconds until the result is closed. */
  Closeable repeat(Runnable task, long seconds) {
    return maintenance.repeat(task, seconds);
  }

  /** Returns the permits for restores that need memory on the heap, of the JVM. */
  Semaphore restores() {
    return maintenance.restores();
  }

  synchronized void release(String keyspace) {
    open.remove(keyspace);
  }

  private void sweepQuietly() {
    try {
      sweep();
    } catch (IOException | RuntimeException e) {
      LOG.warn("tables of {} could not be swept", directory, e);
    }
  }

  /**
   * Drops the tables whose markers are gone, except those that are open. Tables stay if the
   * directory that had the directory of the task is not there, as it may not be mounted, and if
   * their marker is damaged.
   *
   * @return the number of tables that were dropped
   */
  public synchronized int sweep() throws IOException {
    int dropped = 0;
    if (isClosed) {
      return dropped;
    }
    for (Table table : database.tables()) {
      String keyspace = table.schema().keyspace();
      Marker marker = open.contains(keyspace) ? null : markerOf(table);
      if (marker != null && isGone(marker, keyspace)) {
        LOG.info("dropping {}, as its marker {} is gone", table, marker.path());
        database.dropTable(keyspace, table.schema().name());
        dropped++;
      }
    }
    return dropped;
  }

  private static boolean isGone(Marker marker, String keyspace) throws IOException {
    Marker.Content marked;
    try {
      marked = marker.read();
    } catch (CorruptFileException e) {
      // The store says so when it is opened, and replaces the marker.
      LOG.warn("a table is kept, as its marker is damaged", e);
      return false;
    }
    return marked == null ? marker.hasApplication() : !marked.keyspace().equals(keyspace);
  }

  /**
   * Returns whether a table is of a global store, of which Kafka deletes the directory at times.
   */
  synchronized boolean hasGlobalStores() {
    return database.tables().stream()
        .anyMatch(table -> table.schema().options().comment().startsWith(GLOBAL));
  }

  /** Closes the database; its tables must not be used any more. */
  @Override
  public void close() throws IOException {
    sweeps.close();
    synchronized (this) {
      // A sweep that was waiting for this finds it closed.
      isClosed = true;
      database.close();
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
