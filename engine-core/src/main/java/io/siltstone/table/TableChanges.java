package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.TableHome;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.liveset.View;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of tables as a whole: creates, alters, truncates, imports into and drops them. Each
 * change holds the table's lock; reads go on.
 *
 * <p>Safe for all threads.
 */
public final class TableChanges {
  private static final Logger LOG = LoggerFactory.getLogger(TableChanges.class);

  /** Files that a table's directory may have before its definition. */
  public static final Set<String> PREPARED = Set.of(FlushedPositionStore.FILE);

  private final Services services;
  private final Catalog catalog;
  private final CommitLog log;
  private final AutomaticTimestamps timestamps;
  private final TableStores stores;
  private final TableCreation creation;
  private volatile boolean isTruncationLogged;

  /**
   * @param catalog whose changes the caller serializes
   * @param stores the open tables, to which created tables are added, and from which dropped ones
   *     are removed
   */
  public TableChanges(
      Services services,
      Catalog catalog,
      CommitLog log,
      AutomaticTimestamps timestamps,
      TableStores stores) {
    this.services = services;
    this.catalog = catalog;
    this.stores = stores;
    this.log = log;
    this.timestamps = timestamps;
    this.creation = new TableCreation(services, catalog, log, stores);
  }

  /** Returns whether the log contains, since it was opened, a truncation of existing data. */
  public boolean isTruncationLogged() {
    return isTruncationLogged;
  }

  /** Begins to log the changes of a table that no other thread knows yet. */
  public void begin(TableStore store) {
    creation.begin(store);
  }

  /** Opens a table that no other thread knows yet. */
  @FunctionalInterface
  public interface Opener {
    /** Opens the table in a directory. */
    TableStore open(TableHome home) throws IOException;
  }

  /**
   * Creates tables and adds them to the open ones. If that fails, there is none of them, and others
   * of the same names can be created; after a crash meanwhile there may be some of them.
   *
   * @param schemas with ids, each of another table that is not there
   * @param givenIds those ids that were given by the user, so that a dropped table may have had
   *     one, and the log may contain rows of that table
   * @param parallel runs the steps of several tables
   * @return the tables, in the order of their definitions
   * @throws FileAlreadyExistsException if there is a table with one of the ids
   * @throws SchemaException if CQL cannot express one
   */
  public List<TableStore> create(
      List<TableSchema> schemas, Set<UUID> givenIds, Opener opener, ParallelSteps parallel)
      throws IOException {
    requireChangeable();
    if (!givenIds.isEmpty()) {
      isTruncationLogged = true;
    }
    return creation.create(schemas, givenIds, opener, parallel);
  }

  /**
   * Replaces the definition of a table; data written before keeps its form.
   *
   * @param change returns the new definition for the present one. No write happens between its call
   *     and the alteration: so the time at which a column is dropped lies after all that is written
   *     with the column and before all that is written later
   */
  public void alter(TableStore store, UnaryOperator<TableSchema> change) throws IOException {
    TableSchema before;
    TableSchema altered;
    store.structure.lock();
    try {
      requirePresent(store);
      requireChangeable();
      before = store.schema();
      store.lockShards();
      try {
        altered = change.apply(before);
        // The time at which a column is dropped is an automatic timestamp, too.
        timestamps.cover();
        // Fails if the log would refuse the definition.
        TableDefinition definition = TableDefinition.of(altered, services).withLog(log);
        Catalog.requireReadable(altered);
        alter(store, altered, definition);
      } finally {
        store.unlockShards();
        services.health().notifyListener();
      }
    } finally {
      store.structure.unlock();
    }
    services.listener().tableAltered(new EngineListener.TableAltered(store.id(), before, altered));
  }

  private void alter(TableStore store, TableSchema altered, TableDefinition definition)
      throws IOException {
    try {
      // The definition is written first, as the log may only name columns that the table has when
      // it is replayed.
      TableHome home = catalog.alter(store.home(), altered);
      store.alter(home, definition, log.position());
    } catch (IOException | RuntimeException | Error e) {
      if (!Retryable.is(e)) {
        services.health().failUntold("It is not known whether %s was altered", store, e);
      }
      throw e;
    }
  }

  /**
   * Removes all rows. A truncation is logged before the SSTables are dropped, so that after a crash
   * all of them are gone or none. No write happens meanwhile, so no write depends on rows that are
   * removed.
   */
  public void truncate(TableStore store) throws IOException {
    OrderedLocks locks = locks(List.of(store));
    locks.lock();
    try {
      requirePresent(store);
      requireChangeable();
      requireNothingAside(store);
      LiveSetChange change;
      store.lockShards();
      try {
        change = removeAll(store);
      } finally {
        store.unlockShards();
        services.health().notifyListener();
      }
      store.liveSet().notifyObserver(change);
    } finally {
      locks.unlock();
    }
  }

  /**
   * Refuses a truncation if SSTables are quarantined: they would stay, and their rows would be back
   * after a repair.
   */
  private static void requireNothingAside(TableStore store) {
    List<EngineListener.CorruptionFound> aside = store.liveSet().report().quarantined();
    if (!aside.isEmpty()) {
      throw new IllegalStateException(
          store
              + " cannot be truncated: "
              + aside.get(0).path()
              + " is quarantined as damaged and would stay; scrub the table, or move that SSTable"
              + " away, and open the database again");
    }
  }

  private LiveSetChange removeAll(TableStore store) throws IOException {
    AtomicBoolean isNoted = new AtomicBoolean();
    try {
      LiveSetChange change =
          store
              .liveSet()
              .truncation()
              .dropAll(
                  generation -> {
                    isNoted.set(true);
                    logTruncation(store, generation);
                  });
      for (TableMemtables.Sealed next = store.memory().oldestSealed();
          next != null;
          next = store.memory().oldestSealed()) {
        log.discard(store.id().id(), next.intervals().upperBound());
        store.memory().removeSealed(next);
      }
      if (!store.definition().isLogged()) {
        // No memtable covers the record of the truncation, which would keep its segment.
        log.discard(store.id().id(), log.position());
      }
      noteTruncation(store);
      return change;
    } catch (IOException | RuntimeException | Error e) {
      if (!isNoted.get() && Retryable.is(e)) {
        throw e;
      }
      // The logged truncation may be replayed after a crash, and would then remove what is written
      // now. And a memtable that was to be removed must not be flushed.
      services.health().failUntold("It is not known whether %s was truncated", store, e);
      throw e;
    }
  }

  /** Keeps the position of the truncation, so that a replay does not repeat it. */
  private void noteTruncation(TableStore store) {
    try {
      store.liveSet().flushed().keep(services.hostId(), log.position());
    } catch (IOException e) {
      LOG.warn("{} was truncated, and is so once more when the log is replayed", store, e);
    }
  }

  private void logTruncation(TableStore store, long generation) throws IOException {
    isTruncationLogged = true;
    appendTruncation(Objects.requireNonNull(store.definition().log()), generation);
    store.sealForTruncation(log.position(), generation);
    log.sync();
  }

  /**
   * Raises the retention floor of a table; see {@link io.siltstone.Table#raiseRetentionFloor}.
   *
   * @return false if it is as great already
   */
  public boolean raiseFloor(TableStore store, Object value) throws IOException {
    boolean isRaised;
    RetentionFloor floor = RetentionFloor.of(store.schema(), value);
    @Nullable RetentionFloor before;
    store.structure.lock();
    try {
      requirePresent(store);
      requireChangeable();
      before = store.liveSet().retention().present();
      isRaised = store.liveSet().retention().raise(floor);
    } finally {
      store.structure.unlock();
    }
    if (isRaised) {
      services
          .listener()
          .retentionRaised(
              new EngineListener.RetentionRaised(
                  store.id(), before == null ? null : before.value(), floor.value()));
      // SSTables that are hidden as a whole can be dropped now.
      store.liveSet().notifyObserver(LiveSetChange.nothing(LiveSetChange.Cause.RETENTION));
    }
    return isRaised;
  }

  private void appendTruncation(LogTable table, long generation) throws IOException {
    byte[] body = LogReplay.truncation(generation);
    log.append(new LogRecord().begin(RecordType.TRUNCATION).add(table, body, 0, body.length));
  }

  /**
   * Imports the SSTables of a directory after they were checked for damage. Reports if they contain
   * data that is newer than the clock, or so old that purged tombstones may be missing.
   */
  public List<Descriptor> importTables(TableStore store, Directory source, VerificationLevel level)
      throws IOException {
    return addTables(store, () -> store.liveSet().importTables(source, level, false));
  }

  /**
   * Commits a bulk load, and reports as {@link #importTables} does.
   *
   * @param load begun by {@link io.siltstone.liveset.LiveSet#beginLoad}, closed by the caller
   * @param written its outputs
   */
  public void commitLoad(TableStore store, Claim load, List<Descriptor> written)
      throws IOException {
    var unused =
        addTables(
            store,
            () -> {
              // The timestamps may be automatic ones, which the log does not have.
              timestamps.cover();
              load.commit(0);
              return written;
            });
  }

  /** Adds SSTables to a table, and returns their names. */
  @FunctionalInterface
  private interface AddingTables {
    List<Descriptor> run() throws IOException;
  }

  private List<Descriptor> addTables(TableStore store, AddingTables adding) throws IOException {
    List<Descriptor> added;
    long before;
    boolean isNewer;
    store.structure.lock();
    try {
      requirePresent(store);
      requireChangeable();
      before = store.newestWritten();
      long newestBefore = store.newestTimestamp();
      added = adding.run();
      isNewer = store.newestTimestamp() > newestBefore;
    } finally {
      store.structure.unlock();
    }
    if (isNewer) {
      timestamps.notifyOfNewerData(List.of(store), services.listener(), false);
    }
    notifyOfOldData(store, added, before);
    return added;
  }

  /**
   * Reports data that is older than tombstones that may have been purged already.
   *
   * @param newest the greatest timestamp that the store had before
   */
  private void notifyOfOldData(TableStore store, List<Descriptor> imported, long newest) {
    if (DeletionTime.isLive(newest) || !store.isKeyValueTable()) {
      return;
    }
    long grace = TimeUnit.SECONDS.toMicros(store.schema().options().gcGraceSeconds());
    List<Descriptor> older = new ArrayList<>();
    long oldest = Long.MAX_VALUE;
    View view = store.acquire();
    try {
      for (SSTable table : view.byFirstKey()) {
        long least = table.statistics().stats().minTimestamp();
        if (imported.contains(table.descriptor()) && least < newest - grace) {
          older.add(table.descriptor());
          oldest = Math.min(oldest, least);
        }
      }
    } finally {
      view.release();
    }
    if (!older.isEmpty()) {
      LOG.warn(
          "{} SSTables imported into {} have timestamps from {} on, and the store up to {}: what was"
              + " deleted there since, and purged, may be there again",
          older.size(),
          store,
          oldest,
          newest);
      services
          .listener()
          .oldDataImported(new EngineListener.OldDataImported(store.id(), older, oldest));
    }
  }

  /** Drops a table; its files are deleted once no compaction of it is running; snapshots stay. */
  public void drop(TableStore store) throws IOException {
    OrderedLocks locks = locks(List.of(store));
    locks.lock();
    try {
      requirePresent(store);
      requireChangeable();
      store.lockShards();
      try {
        store.markDropped();
      } finally {
        store.unlockShards();
      }
      try {
        catalog.drop(store.home());
      } catch (IOException | RuntimeException | Error e) {
        if (Retryable.is(e)) {
          store.markPresent();
        } else {
          services.health().fail("It is not known whether %s was dropped", store, e);
        }
        throw e;
      }
      logDrop(store);
      closeDropped(store);
    } finally {
      locks.unlock();
    }
  }

  /**
   * Logs that the table was dropped, before its directory, which says so by its mark, is deleted.
   * Otherwise a replay would quarantine segments with changes of an unknown table.
   */
  private void logDrop(TableStore store) {
    try {
      appendTruncation(Objects.requireNonNull(store.definition().log()), LogReplay.DROPPED);
      log.sync();
    } catch (IOException e) {
      LOG.warn("{} was dropped, which the commit log does not tell", store, e);
    }
  }

  private void closeDropped(TableStore store) {
    try {
      View last = store.acquire();
      try {
        store.close();
      } finally {
        last.release();
      }
      last.openFilesInUse();
      log.discard(store.id().id(), log.position());
      // A compaction may still write files, and remove them again: until it has stopped, the
      // directory must stay.
      store.liveSet().whenUnclaimed(() -> removeFiles(store));
    } finally {
      stores.remove(store);
    }
  }

  private void removeFiles(TableStore store) {
    try {
      services.guard().requireOwned();
      catalog.removeDropped(store.home());
    } catch (IOException | RuntimeException e) {
      LOG.warn("files of {} are left, until the database is opened again", store, e);
    }
  }

  /**
   * Returns the locks that exclude other changes and flushes of tables, which are in the order of
   * their ids.
   */
  private static OrderedLocks locks(List<TableStore> stores) {
    return new OrderedLocks(
        stores.stream().flatMap(store -> Stream.of(store.structure, store.flushing)).toList());
  }

  private void requireChangeable() throws IOException {
    services.health().requireGood();
    services.guard().requireOwned();
  }

  private static void requirePresent(TableStore store) {
    if (store.isDropped()) {
      throw new IllegalStateException(store + " was dropped");
    }
  }
}
