package io.siltstone.kafka.streams.host;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.SharedResources;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
  private static final Logger LOG = LoggerFactory.getLogger(StoreDatabase.class);
  // The shorter it is, the less has to be restored from changelogs after a crash.
  private static final int FLUSH_MILLIS = 600_000;
  private static final long SWEEP_MINUTES = 10;
  private static final int MAX_NAME_LENGTH = 30;

  private final Path directory;
  private final Database database;
  private final ScheduledThreadPoolExecutor sweeper;

  private final DamagedTables damaged;

  // The keyspaces of tables that are open; guarded by this.
  private final Set<String> open = new HashSet<>();

  private StoreDatabase(Path directory, Database database, DamagedTables damaged) {
    this.directory = directory;
    this.database = database;
    this.damaged = damaged;
    sweeper =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "siltstone-sweep");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Opens or creates a database, and drops the tables whose markers are gone.
   *
   * @param directory of the database, with an absolute path
   * @param resources its memory and threads, not taken over
   */
  public static StoreDatabase open(Path directory, SharedResources resources) throws IOException {
    DamagedTables damaged = new DamagedTables();
    DatabaseOptions options =
        DatabaseOptions.builder()
            // A damaged table is restored by Kafka; the others are opened all the same.
            .lenient(true)
            .listener(damaged)
            .partitioner(Partitioner.BYTE_ORDERED)
            .sharedResources(resources)
            // Nothing is logged but changes of the tables themselves.
            .commitLog(
                CommitLogOptions.builder().bufferBytes(256 << 10).segmentBytes(1 << 20).build())
            .build();
    StoreDatabase opened = new StoreDatabase(directory, Database.open(directory, options), damaged);
    try {
      opened.sweep();
      var unused =
          opened.sweeper.scheduleWithFixedDelay(
              opened::sweepQuietly, SWEEP_MINUTES, SWEEP_MINUTES, TimeUnit.MINUTES);
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
    String marked = marker.read();
    if (marked != null) {
      String[] parts = marked.split(" ", 3);
      Table table =
          parts.length == 3 && parts[2].equals(store.format()) && !damaged.has(parts[0])
              ? database.findTable(parts[0], parts[1]).orElse(null)
              : null;
      if (table != null) {
        if (!open.add(parts[0])) {
          throw new IllegalStateException(store + " is open, and cannot be opened once more");
        }
        try {
          KeyValueStore entries = KeyValueStore.in(database, parts[0], parts[1]);
          return new StoreTable(this, store, parts[0], entries, lease);
        } catch (Throwable e) {
          open.remove(parts[0]);
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
            .comment(pathOf(marker))
            .build();
    KeyValueStore entries =
        KeyValueStore.createIn(database, keyspace, List.of(name), options).get(0);
    open.add(keyspace);
    try {
      marker.write(keyspace + " " + name + " " + store.format());
      return entries;
    } catch (Throwable e) {
      open.remove(keyspace);
      throw e;
    }
  }

  private static String plain(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    return plain.substring(0, Math.min(plain.length(), MAX_NAME_LENGTH));
  }

  // Relative to the directory that the database is in, so that both can be moved together.
  private String pathOf(Marker marker) {
    Path path = marker.path().toAbsolutePath().normalize();
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
   * directory that had the directory of the task is not there, as it may not be mounted.
   *
   * @return the number of tables that were dropped
   */
  public synchronized int sweep() throws IOException {
    int dropped = 0;
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
    String marked = marker.read();
    if (marked != null) {
      return !marked.startsWith(keyspace + " ");
    }
    return marker.hasApplication();
  }

  /** Closes the database; its tables must not be used any more. */
  @Override
  public void close() throws IOException {
    // Without an interrupt, which would close files; a sweep that is running is waited for.
    sweeper.shutdown();
    synchronized (this) {
      database.close();
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
