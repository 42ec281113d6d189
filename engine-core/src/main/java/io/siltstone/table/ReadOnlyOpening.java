package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.CatalogContent;
import io.siltstone.catalog.TableHome;
import io.siltstone.commitlog.segment.HeldLog;
import io.siltstone.commitlog.segment.LogEnd;
import io.siltstone.commitlog.segment.ReplayedLog;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.liveset.AtomicFlushes;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens a database for reading only, while another process may be writing to it: opens the tables
 * and replays the commit log into memtables, without changing anything. The result is what log and
 * SSTables contain at one moment of the opening.
 *
 * <p>Tables that are flushed together are seen as they were after the same flush: if they were
 * flushed while they were being opened, all is repeated.
 *
 * <p>The log's files are opened before SSTables are listed, and followed to their end afterwards.
 * What is flushed meanwhile is in one of the two, or in both; replay skips what is in SSTables. If
 * that is not enough, all is repeated: if a table was created, altered or dropped meanwhile, or if
 * the log has moved on so far that a part of it was written and deleted again.
 *
 * <p>Used once, by one thread.
 */
public final class ReadOnlyOpening {
  // The maximum number of attempts while another process changes the database.
  private static final int ATTEMPTS = 20;

  private final DatabaseLayout databaseLayout;
  private final Services services;
  private final TableStores stores;
  private final TableChanges.Opener opener;
  private List<RecoveryAssumed> assumptions = List.of();

  /**
   * @param stores has no tables yet; those that it has at the end are closed by its owner, even
   *     after a failure
   */
  public ReadOnlyOpening(
      DatabaseLayout databaseLayout,
      Services services,
      TableStores stores,
      TableChanges.Opener opener) {
    this.databaseLayout = databaseLayout;
    this.services = services;
    this.stores = stores;
    this.opener = opener;
  }

  /** Another process has changed what was being read. */
  private static final class ChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    ChangedException(String message) {
      super(message);
    }
  }

  /**
   * Opens the tables, replays the log, and reports what was assumed and what was skipped.
   *
   * @return the end of the log, if what follows it can be replayed later
   * @throws IOException if a file is damaged, or was changed during each of several attempts
   */
  public Optional<LogEnd> run() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Optional<ReplayedLog> replayed = attempt();
        assumptions.forEach(services.listener()::recoveryAssumed);
        replayed.ifPresent(log -> LogReplay.reportDamage(log, services));
        return replayed.flatMap(ReplayedLog::continuation);
      } catch (NoSuchFileException | ChangedException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        closeTables();
      }
    }
  }

  private Optional<ReplayedLog> attempt() throws IOException {
    Optional<Directory> directory = databaseLayout.existingCommitLog();
    if (directory.isEmpty()) {
      openTables(begin(committed()));
      return Optional.empty();
    }
    try (HeldLog log = HeldLog.of(directory.get())) {
      Set<String> committed = committed();
      List<TableHome> homes = begin(committed);
      openTables(homes);
      requireNotFlushed(committed);
      log.follow();
      requireUnchanged(homes);
      LogReplay replay = new LogReplay(services, stores.all(), null);
      ReplayedLog replayed = log.replay(LogReplay.optionsOf(services), replay);
      replay.end(0);
      return Optional.of(replayed);
    }
  }

  private Set<String> committed() throws IOException {
    try {
      return AtomicFlushes.committed(databaseLayout.root());
    } catch (CorruptFileException e) {
      if (!services.settings().isLenient()) {
        throw e;
      }
      return Set.of();
    }
  }

  /**
   * Checks that no tables were flushed together while they were opened: some of them would have
   * what was flushed, and others not.
   */
  private void requireNotFlushed(Set<String> committed) throws IOException {
    if (!committed().equals(committed)) {
      throw new ChangedException(
          databaseLayout.root().path()
              + ": tables were flushed together each time that it was being opened");
    }
  }

  private List<TableHome> begin(Set<String> committed) throws IOException {
    CatalogContent content = content();
    assumptions = content.assumptions();
    return content.tables().stream().map(home -> home.withCommitted(committed)).toList();
  }

  private List<TableHome> tables() throws IOException {
    return content().tables();
  }

  private CatalogContent content() throws IOException {
    Optional<Directory> data = databaseLayout.existingData();
    return data.isEmpty()
        ? new CatalogContent(List.of(), Set.of(), List.of(), 0)
        : Catalog.openReadOnly(
                data.get(), databaseLayout.definitions(services.settings().isLenient()))
            .content();
  }

  private void openTables(List<TableHome> homes) throws IOException {
    for (TableHome home : homes) {
      try {
        stores.open(home, opener);
      } catch (IOException e) {
        // A file that is missing or seems damaged may belong to a table that is being dropped.
        requireUnchanged(homes);
        throw e;
      }
    }
  }

  /**
   * Checks that no definition has changed: all that the log refers to was in a definition before.
   */
  private void requireUnchanged(List<TableHome> homes) throws IOException {
    if (!schemas(tables()).equals(schemas(homes))) {
      throw new ChangedException(
          databaseLayout.root().path()
              + ": tables were created, altered or dropped each time that it was being opened");
    }
  }

  private static List<TableSchema> schemas(List<TableHome> homes) {
    return homes.stream().map(TableHome::schema).toList();
  }

  private void closeTables() {
    for (TableStore store : List.copyOf(stores.all())) {
      stores.remove(store);
      store.close();
    }
  }
}
