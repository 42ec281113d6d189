package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.TableHome;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.liveset.View;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of tables as wholes: creating, altering, truncating, importing, dropping. Each holds the
 * table's lock for that; those who read are not disturbed.
 *
 * <p>Safe for all threads.
 */
public final class TableChanges {
  private static final Logger LOG = LoggerFactory.getLogger(TableChanges.class);

  /** Files that a table may have before its definition. */
  public static final Set<String> PREPARED = Set.of(FlushedPositionStore.FILE);

  private final Services services;
  private final Catalog catalog;
  private final CommitLog log;
  private final Flusher flusher;
  private final AutomaticTimestamps timestamps;
  private final TableStores stores;
  private volatile boolean isTruncationLogged;

  /**
   * @param catalog whose changes its owner serializes
   * @param stores tables that are created come into it, and those that are dropped go
   */
  public TableChanges(
      Services services,
      Catalog catalog,
      CommitLog log,
      Flusher flusher,
      AutomaticTimestamps timestamps,
      TableStores stores) {
    this.services = services;
    this.catalog = catalog;
    this.stores = stores;
    this.log = log;
    this.flusher = flusher;
    this.timestamps = timestamps;
  }

  /** Whether the log has, since it was opened, a truncation of something that was there. */
  public boolean isTruncationLogged() {
    return isTruncationLogged;
  }

  /** Takes a table into use that nobody else knows yet. */
  public void begin(TableStore store) {
    store.begin(log, log.position());
  }

  /** Opens a table that nobody else knows yet. */
  @FunctionalInterface
  public interface Opener {
    /** Opens the table that lies there. */
    TableStore open(TableHome home) throws IOException;
  }

  /**
   * Creates a table, takes it into use, and adds it to the open ones. If that fails, there is none,
   * so that one of the same name may be created.
   *
   * @param isIdGiven whether a table that was dropped may have had its id, so that the log may have
   *     something of that one
   * @throws FileAlreadyExistsException if there is one with its id
   * @throws SchemaException if CQL cannot express it
   */
  public TableStore create(TableSchema schema, boolean isIdGiven, Opener opener)
      throws IOException {
    requireChangeable();
    Catalog.requireReadable(schema);
    logCreation(schema);
    if (isIdGiven) {
      isTruncationLogged = true;
    }
    Preparation preparation = new Preparation(schema, isIdGiven, opener);
    try {
      // Opened before it is there: nothing that can fail is left when it is.
      catalog.create(schema, preparation);
      TableStore store = Objects.requireNonNull(preparation.store);
      log.discard(store.id().id(), log.position());
      stores.add(store);
      return store;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) {
      TableStore opened = preparation.store;
      if (opened != null) {
        opened.close();
      }
      undoCreate(schema, e);
      throw e;
    }
  }

  /** What is done in the directory of a table before the table is there. */
  private final class Preparation implements Catalog.Preparation {
    private final TableSchema schema;
    private final boolean isIdGiven;
    private final Opener opener;
    private @Nullable TableStore store;

    Preparation(TableSchema schema, boolean isIdGiven, Opener opener) {
      this.schema = schema;
      this.isIdGiven = isIdGiven;
      this.opener = opener;
    }

    @Override
    public void prepare(Directory directory) throws IOException {
      if (isIdGiven) {
        // Also when the log is replayed from its beginning.
        FlushedPositionStore.keepIn(directory, services.hostId(), log.position());
      }
      TableStore opened = opener.open(new TableHome(directory, schema));
      store = opened;
      begin(opened);
    }
  }

  /**
   * Makes an end, durably, to what the log may have of a table that had this id and was dropped.
   */
  private void logCreation(TableSchema schema) throws IOException {
    LogTable table = Objects.requireNonNull(TableDefinition.of(schema, services, log).log());
    appendTruncation(table, 0);
    log.sync();
  }

  private void undoCreate(TableSchema schema, Throwable failure) {
    try {
      catalog.undoCreate(schema);
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e);
      if (Retryable.is(failure) && Retryable.is(e)) {
        // There is no definition, and what is left goes when the database is opened.
        return;
      }
      String name = schema.keyspace() + "." + schema.name();
      services.health().fail("It is not known whether %s was created", name, e);
    }
  }

  /**
   * Gives a table another definition; what was written before keeps its form.
   *
   * @param change makes the other definition of the present one. Called while nobody writes to the
   *     table, nor before the other one holds: so the time at which a column is dropped lies
   *     between all that is written with the column and all that is written later
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
        // What the log would refuse is refused here.
        TableDefinition definition = TableDefinition.of(altered, services, log);
        Catalog.requireReadable(altered);
        alter(store, altered, definition);
      } finally {
        store.unlockShards();
        services.health().tell();
      }
    } finally {
      store.structure.unlock();
    }
    services.listener().tableAltered(new EngineListener.TableAltered(store.id(), before, altered));
  }

  private void alter(TableStore store, TableSchema altered, TableDefinition definition)
      throws IOException {
    try {
      // On disk first: the log may only speak of columns that the table knows when it is replayed.
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
   * Removes all rows. A record in the log says so before the SSTables go, so that after a crash all
   * of them are gone or none. Nobody writes to the table meanwhile, so that no write depends on
   * rows that go.
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
        services.health().tell();
      }
      store.liveSet().tell(change);
    } finally {
      locks.unlock();
    }
  }

  /** What is set aside is not dropped: its rows would be back when it is mended. */
  private static void requireNothingAside(TableStore store) {
    List<EngineListener.CorruptionFound> aside = store.liveSet().report().setAside();
    if (!aside.isEmpty()) {
      throw new IllegalStateException(
          store
              + " cannot be truncated: "
              + aside.get(0).path()
              + " is set aside as damaged and would stay; scrub the table, or move that SSTable"
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
        store.memory().forget(next);
      }
      noteTruncation(store);
      return change;
    } catch (IOException | RuntimeException | Error e) {
      if (!isNoted.get() && Retryable.is(e)) {
        throw e;
      }
      // What the log says may hold after a crash, and would then hold for what is written now; and
      // what was not forgotten must not be flushed.
      services.health().failUntold("It is not known whether %s was truncated", store, e);
      throw e;
    }
  }

  /** So that it is not done again when the log is replayed. */
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

  private void appendTruncation(LogTable table, long generation) throws IOException {
    byte[] body = LogReplay.truncation(generation);
    log.append(new LogRecord().begin(RecordType.TRUNCATION).add(table, body, 0, body.length));
  }

  /**
   * Takes in the SSTables of a directory, after they were checked for damage, and tells if they are
   * newer or older than they may be.
   */
  public List<Descriptor> importTables(TableStore store, Directory source, VerificationLevel level)
      throws IOException {
    List<Descriptor> imported;
    long before;
    boolean isNewer;
    store.structure.lock();
    try {
      requirePresent(store);
      requireChangeable();
      before = store.newestWritten();
      long newestBefore = store.newestTimestamp();
      imported = store.liveSet().importTables(source, level);
      isNewer = store.newestTimestamp() > newestBefore;
    } finally {
      store.structure.unlock();
    }
    if (isNewer) {
      timestamps.tellOfNewerData(List.of(store), services.listener(), false);
    }
    tellOfOldData(store, imported, before);
    return imported;
  }

  /**
   * Tells of data that deletions may have removed of which nothing is left.
   *
   * @param newest the greatest timestamp that the store had before
   */
  private void tellOfOldData(TableStore store, List<Descriptor> imported, long newest) {
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

  /** Drops a table, and its files once no compaction of it runs; snapshots stay. */
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
      forget(store);
    } finally {
      locks.unlock();
    }
  }

  /**
   * Says in the log that what it has of the table is not wanted any more, before the directory goes
   * that says so as long as it is there. A replay keeps aside what is of an unknown table
   * otherwise.
   */
  private void logDrop(TableStore store) {
    try {
      appendTruncation(Objects.requireNonNull(store.definition().log()), LogReplay.DROPPED);
      log.sync();
    } catch (IOException e) {
      LOG.warn("{} was dropped, which the commit log does not tell", store, e);
    }
  }

  private void forget(TableStore store) {
    try {
      store.close();
      log.discard(store.id().id(), log.position());
      // What compacts it may still write, and remove what it has written: until it has given up,
      // the directory is nobody else's.
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

  /** Keep other changes and flushes away, of tables in the order of their ids. */
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
