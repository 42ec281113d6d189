package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.catalog.TableHome;
import io.siltstone.commitlog.segment.HeldLog;
import io.siltstone.commitlog.segment.LogEnd;
import io.siltstone.commitlog.segment.ReplayVisitor;
import io.siltstone.io.Directory;
import io.siltstone.liveset.View;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database that is open for reading only: opens them, and refreshes them while
 * another process writes.
 *
 * <p>A refresh opens the database once more beside what is open, as {@link ReadOnlyOpening} does,
 * and then takes over what that has found, table by table. SSTables that are still live are not
 * opened again. An example: the writer has flushed the memtable and merged SSTables 1 and 2 to 3,
 * and goes on writing.
 *
 * <pre>
 *   open      SSTables 1, 2, and a memtable of what the log had
 *   found     SSTables 3, 4, and a memtable of what the log has beyond 4
 *   refresh   reads that begin now see 3, 4 and the new memtable; those under way keep 1, 2 and the
 *             old one, whose memory and files are released with the last of them
 * </pre>
 *
 * <p>If the commit log has only grown since the last refresh, and nothing else has changed, only
 * what it has grown by is replayed, into the memtables that are open ({@link TailReplay}). If
 * nothing has changed on the disk, no refresh is made: {@link StoredState}. After a failure all is
 * as before.
 *
 * <p>Safe for all threads; called inside the database's gate.
 */
public final class ReadOnlyTables {
  private final Services services;
  private final TableStores stores;
  private final Source source;

  // Guarded by this. Null before the first refresh.
  private @Nullable StoredState seen;
  // The end of the log up to which the memtables have it, beside the tables that seen has. Null if
  // the log has to be replayed from its beginning.
  private @Nullable LogEnd replayed;
  private boolean isRefreshing;

  private ReadOnlyTables(Services services, TableStores stores, Source source) {
    this.services = services;
    this.stores = stores;
    this.source = source;
  }

  /** The database or table that is opened at first, and again by each refresh. */
  private interface Source {
    /**
     * Opens all tables.
     *
     * @return the end of the log that was replayed, if {@link #follow} can continue there
     */
    Optional<LogEnd> open(TableStores into, TableChanges.Opener opener) throws IOException;

    /**
     * Replays what the log has after an end.
     *
     * @param tables the state of the tables to which the changes are to be added
     * @return the new end of the log; empty if the tables have changed or something was left out
     */
    Optional<LogEnd> follow(LogEnd from, String tables, ReplayVisitor visitor) throws IOException;

    /** Returns whether the tables on the disk are still in a state. */
    boolean isStill(String tables) throws IOException;

    /** Returns what is on the disk now, as far as it shows whether anything has changed. */
    StoredState state() throws IOException;

    /** Returns the path, for messages. */
    String path();
  }

  /**
   * Creates the tables of a database.
   *
   * @param stores has no tables yet; its owner closes them
   */
  public static ReadOnlyTables of(
      DatabaseLayout databaseLayout, Services services, TableStores stores) {
    return new ReadOnlyTables(services, stores, new WholeDatabase(databaseLayout, services));
  }

  /**
   * Creates the one table of a directory.
   *
   * @param home of the table
   * @param isDefinitionRead whether the definition comes from the directory, so that a refresh
   *     reads it again
   * @param stores has no tables yet; its owner closes them
   */
  public static ReadOnlyTables of(
      TableHome home, boolean isDefinitionRead, Services services, TableStores stores) {
    return new ReadOnlyTables(services, stores, new OneTable(home, isDefinitionRead));
  }

  private record WholeDatabase(DatabaseLayout databaseLayout, Services services) implements Source {
    @Override
    public Optional<LogEnd> open(TableStores into, TableChanges.Opener opener) throws IOException {
      return new ReadOnlyOpening(databaseLayout, services, into, opener).run();
    }

    @Override
    public Optional<LogEnd> follow(LogEnd from, String tables, ReplayVisitor visitor)
        throws IOException {
      Optional<Directory> directory = databaseLayout.existingCommitLog();
      if (directory.isEmpty()) {
        return Optional.empty();
      }
      try (HeldLog log = HeldLog.after(from, directory.get())) {
        // All that the log refers to was in a definition before. What is flushed from here on is
        // in the segments that are open.
        return isStill(tables)
            ? log.replayAfter(from, LogReplay.optionsOf(services), visitor).continuation()
            : Optional.empty();
      }
    }

    @Override
    public boolean isStill(String tables) throws IOException {
      return StoredState.tablesOf(databaseLayout).equals(tables);
    }

    @Override
    public StoredState state() throws IOException {
      if (databaseLayout.assumption().isEmpty()) {
        requireSame(Identity.read(databaseLayout.root()));
      }
      return StoredState.of(databaseLayout);
    }

    private void requireSame(Optional<Identity> found) throws IOException {
      if (!found.equals(Optional.of(databaseLayout.identity()))) {
        throw new IOException(
            path()
                + " is not the database any more that was opened: it has "
                + found.map(other -> "the host id " + other.hostId()).orElse("no identity")
                + ", expected was "
                + databaseLayout.identity().hostId()
                + "; open it again");
      }
    }

    @Override
    public String path() {
      return databaseLayout.root().path();
    }
  }

  private record OneTable(TableHome home, boolean isDefinitionRead) implements Source {
    @Override
    public Optional<LogEnd> open(TableStores into, TableChanges.Opener opener) throws IOException {
      TableHome present = isDefinitionRead ? Catalog.read(home.directory()) : home;
      if (!present.id().equals(home.id())) {
        throw new IOException(
            path()
                + " is not the table any more that was opened: its id is "
                + present.id()
                + ", expected was "
                + home.id()
                + "; open it again");
      }
      into.open(present.withCommitted(home.committed()), opener);
      return Optional.empty();
    }

    @Override
    public Optional<LogEnd> follow(LogEnd from, String tables, ReplayVisitor visitor) {
      return Optional.empty();
    }

    @Override
    public boolean isStill(String tables) {
      return false;
    }

    @Override
    public StoredState state() throws IOException {
      return StoredState.of(home.directory());
    }

    @Override
    public String path() {
      return home.directory().path();
    }
  }

  /** Opens the tables, replays the log, and reports what was assumed and what was skipped. */
  public void open() throws IOException {
    var unused =
        source.open(stores, home -> TableStore.open(home, services, ReadOnlyTables::ignore, null));
  }

  private static void ignore(TableStore store, LiveSetChange change) {
    // No SSTables are replaced, and there is no compactor.
  }

  /**
   * Shows what is on the disk now.
   *
   * @return whether anything may have changed; false only if it is certain that nothing has
   * @throws OutOfBudgetException if there is no memory for what the log has, in addition to what is
   *     open
   * @throws IOException if a file is damaged, if files were changed during each of several
   *     attempts, or if there is another database at the path
   */
  public synchronized boolean refresh() throws IOException {
    if (isRefreshing) {
      throw new IllegalStateException(
          source.path() + " cannot be refreshed by a listener that its refresh notifies");
    }
    isRefreshing = true;
    try {
      return refreshOnce();
    } finally {
      isRefreshing = false;
    }
  }

  private boolean refreshOnce() throws IOException {
    @Nullable StoredState found = null;
    try {
      found = source.state();
      if (found.equals(seen)) {
        return false;
      }
    } catch (NoSuchFileException e) {
      // Something is being deleted at this moment, so that the state is not that of the last
      // refresh.
    }
    LogEnd from = replayed;
    StoredState before = seen;
    // After a failure the memtables may have hidden changes, and the log is replayed as a whole.
    replayed = null;
    seen = null;
    try {
      if (found != null && before != null && from != null && hasOnlyGrown(before, found)) {
        replayed = follow(from, found);
      }
      if (replayed == null) {
        replayed = openAgain(found);
      }
    } catch (OutOfBudgetException e) {
      throw new OutOfBudgetException(
          source.path()
              + " was not refreshed, and is shown as before. Until readers have released what was"
              + " open, a refresh needs memory for the changes in the commit log twice: "
              + e.getMessage(),
          e.usedBytes());
    }
    seen = found;
    return true;
  }

  private static boolean hasOnlyGrown(StoredState before, StoredState found) {
    return found.tables().equals(before.tables()) && found.hasGrownFrom(before);
  }

  /**
   * Adds what the log has grown by.
   *
   * @return the new end of the log; null if that was not possible
   */
  private @Nullable LogEnd follow(LogEnd from, StoredState found) {
    try (TailReplay tail = new TailReplay(services, stores)) {
      Optional<LogEnd> end = source.follow(from, found.tables(), tail);
      if (end.isPresent()) {
        at(tail.changed(), tail::publish);
      }
      return end.orElse(null);
    } catch (IOException e) {
      // What is damaged, deleted or truncated is reported by the replay of the whole log, unless
      // that finds it in SSTables.
      return null;
    }
  }

  /**
   * Opens the database once more, and takes over what was found.
   *
   * @param found state of the disk before; null if it is not known
   * @return the end of the log, if what follows it can be added to the memtables; otherwise null
   */
  private @Nullable LogEnd openAgain(@Nullable StoredState found) throws IOException {
    TableStores newer = new TableStores();
    try (Closeables closing = new Closeables()) {
      closing.add(() -> newer.all().forEach(TableStore::close));
      Optional<LogEnd> end = open(newer);
      boolean isOfState = end.isPresent() && found != null && isStill(found.tables());
      List<TableStore> present = List.copyOf(stores.all());
      at(present, () -> take(newer));
      return isOfState ? end.get() : null;
    }
  }

  private boolean isStill(String tables) throws IOException {
    try {
      return source.isStill(tables);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Changes what tables show, at one moment for snapshots of several tables.
   *
   * @param tables the locks of whose shards are held
   */
  private static void at(Collection<TableStore> tables, Runnable change) {
    OrderedLocks locks = TableSnapshots.locksOf(tables);
    locks.lock();
    try {
      change.run();
    } finally {
      locks.unlock();
    }
  }

  private Optional<LogEnd> open(TableStores newer) throws IOException {
    Map<UUID, View> held = new HashMap<>();
    try (Closeables closing = new Closeables()) {
      for (TableStore store : stores.all()) {
        View view = store.liveSet().acquire();
        closing.add(view::release);
        held.put(store.id().id(), view);
      }
      return source.open(
          newer,
          home -> TableStore.open(home, services, ReadOnlyTables::ignore, held.get(home.id())));
    }
  }

  /** Takes over what was found: nothing of this reads or writes files. */
  private void take(TableStores newer) {
    Set<UUID> found = new HashSet<>();
    newer.all().forEach(store -> found.add(store.id().id()));
    for (TableStore store : List.copyOf(stores.all())) {
      if (!found.contains(store.id().id())) {
        drop(store);
      }
    }
    for (TableStore store : List.copyOf(newer.all())) {
      Optional<TableStore> present = stores.findById(store.id().id());
      if (present.isPresent()) {
        present.get().refresh(store);
      } else {
        newer.remove(store);
        stores.add(store);
      }
    }
  }

  private void drop(TableStore store) {
    store.lockShards();
    try {
      store.markDropped();
    } finally {
      store.unlockShards();
    }
    stores.remove(store);
    store.close();
  }
}
