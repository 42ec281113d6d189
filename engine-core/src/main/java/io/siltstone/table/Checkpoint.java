package io.siltstone.table;

import io.siltstone.backup.SourceFile;
import io.siltstone.catalog.Catalog;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.io.Directory;
import io.siltstone.liveset.Snapshot;
import io.siltstone.liveset.View;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * A checkpoint: copies the tables of an open database, as they are at one moment, into another
 * directory, or holds its files for a backup.
 *
 * <p>Safe for all threads.
 */
public final class Checkpoint {
  private final Services services;
  private final CommitLog log;
  private final Directory logDirectory;
  private final Flusher flusher;

  /**
   * @param logDirectory the directory of the commit log
   * @param flusher flushes what is in memory at that moment
   */
  public Checkpoint(Services services, CommitLog log, Directory logDirectory, Flusher flusher) {
    this.services = services;
    this.log = log;
    this.logDirectory = logDirectory;
    this.flusher = flusher;
  }

  /**
   * Links or copies the SSTables of tables into other directories, as they are at one moment, with
   * all earlier writes. A copy may take long: reads, writes, flushes and compactions go on, and
   * only changes of the tables as a whole wait for it.
   *
   * @param data of the checkpoint: directories of keyspaces are created in it
   * @param progress is called with the number of bytes of each step of a copy
   */
  public void write(
      Collection<TableStore> tables, Directory data, Instant now, LongConsumer progress)
      throws IOException {
    List<TableStore> stores = new ArrayList<>(tables);
    stores.sort(Comparator.comparing(store -> store.id().id()));
    OrderedLocks changes = new OrderedLocks(stores.stream().map(store -> store.structure).toList());
    changes.lock();
    Map<TableStore, View> views = new LinkedHashMap<>();
    try {
      services.health().requireGood();
      services.guard().requireOwned();
      acquireFlushed(stores, views);
      for (Map.Entry<TableStore, View> each : views.entrySet()) {
        TableStore store = each.getKey();
        Directory keyspace = data.directory(store.id().keyspace());
        Directory target = keyspace.directory(Catalog.directoryName(store.schema()));
        Snapshot.write(
            store.liveSet().directory(),
            each.getValue(),
            target,
            store.schema().toCql(),
            now,
            progress);
        keyspace.sync();
      }
      data.sync();
    } finally {
      views.values().forEach(View::release);
      changes.unlock();
    }
  }

  /** Uses the files of a database while they are held. */
  @FunctionalInterface
  public interface Use<T> {
    /**
     * Reads the files, and returns a result.
     *
     * @param files of the database
     */
    T of(List<SourceFile> files) throws IOException;
  }

  /**
   * Holds the files of the database, as they are at one moment, for a backup: the SSTables, and the
   * commit log up to that moment, which has what is not in them. Only tables without a log are
   * flushed. Opened as a database, the files have all that was written before. Otherwise as {@link
   * #write}.
   */
  public <T> T hold(Collection<TableStore> tables, AutomaticTimestamps timestamps, Use<T> use)
      throws IOException {
    List<TableStore> stores = new ArrayList<>(tables);
    stores.sort(Comparator.comparing(store -> store.id().id()));
    OrderedLocks changes = new OrderedLocks(stores.stream().map(store -> store.structure).toList());
    changes.lock();
    try (HeldFiles held = new HeldFiles(services, log, logDirectory, flusher)) {
      services.health().requireGood();
      services.guard().requireOwned();
      held.hold(stores, timestamps);
      return use.of(held.files());
    } finally {
      changes.unlock();
    }
  }

  /**
   * Flushes the memtables as they are at one moment, and acquires the SSTables that contain all of
   * it.
   */
  private void acquireFlushed(List<TableStore> stores, Map<TableStore, View> views)
      throws IOException {
    OrderedLocks flushes = new OrderedLocks(stores.stream().map(store -> store.flushing).toList());
    flushes.lock();
    try {
      flusher.sealAndWrite(stores);
      for (TableStore store : stores) {
        views.put(store, store.liveSet().acquire());
      }
    } finally {
      flushes.unlock();
    }
  }
}
