package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.TableHome;
import io.siltstone.commitlog.segment.CommitLog;
import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.LogTable;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.schema.TableSchema;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The creation of tables, many at once: their definitions are synced together. An example: tables A
 * and B are created, and the power is lost.
 *
 * <pre>
 *   before the definition of A is renamed     neither table exists; the next opening removes remains
 *   between A and B                           A exists, complete and empty
 *   after B                                   both exist
 * </pre>
 *
 * <p>The caller serializes changes of the catalog.
 */
final class TableCreation {
  // The most tables in one record of the log: the smallest record allowed has room for that many.
  private static final int MOST_CREATIONS = 8;

  private final Services services;
  private final Catalog catalog;
  private final CommitLog log;
  private final TableStores stores;

  TableCreation(Services services, Catalog catalog, CommitLog log, TableStores stores) {
    this.services = services;
    this.catalog = catalog;
    this.log = log;
    this.stores = stores;
  }

  /** Begins to log the changes of a table that no other thread knows yet. */
  void begin(TableStore store) {
    store.begin(log, log.position());
  }

  /** Creates tables and adds them to the open ones; see {@link TableChanges#create}. */
  List<TableStore> create(
      List<TableSchema> schemas,
      Set<UUID> givenIds,
      TableChanges.Opener opener,
      ParallelSteps parallel)
      throws IOException {
    schemas.forEach(Catalog::requireReadable);
    logCreation(schemas, givenIds);
    Map<UUID, TableStore> opened = new ConcurrentHashMap<>();
    try {
      // Each table is opened before it exists, so that nothing can fail afterwards.
      List<TableHome> homes =
          catalog.create(
              schemas,
              home -> {
                if (givenIds.contains(home.id())) {
                  // Holds even if the log is replayed from its beginning.
                  FlushedPositionStore.keepIn(home.directory(), services.hostId(), log.position());
                }
                TableStore store = opener.open(home);
                opened.put(home.id(), store);
                begin(store);
              },
              parallel);
      List<TableStore> created =
          homes.stream().map(home -> Objects.requireNonNull(opened.get(home.id()))).toList();
      created.forEach(store -> log.discard(store.id().id(), log.position()));
      created.forEach(stores::add);
      return created;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (Throwable e) {
      opened.values().forEach(TableStore::close);
      schemas.forEach(schema -> undoCreate(schema, e));
      throw e;
    }
  }

  /**
   * Logs truncations, durably: the log may contain rows of dropped tables with the same ids.
   * Records have several tables, within the limit of their size. A table without a log whose id is
   * new needs no record, as the log has nothing of it.
   */
  private void logCreation(List<TableSchema> schemas, Set<UUID> givenIds) throws IOException {
    List<TableSchema> logged =
        schemas.stream()
            .filter(
                schema ->
                    schema.options().durableWrites()
                        || givenIds.contains(schema.id().orElseThrow()))
            .toList();
    if (logged.isEmpty()) {
      return;
    }
    byte[] body = LogReplay.truncation(0);
    LogRecord record = new LogRecord().begin(RecordType.TRUNCATION);
    for (TableSchema schema : logged) {
      LogTable table =
          Objects.requireNonNull(TableDefinition.of(schema, services).withLog(log).log());
      if (record.parts() == MOST_CREATIONS) {
        log.append(record);
        record.begin(RecordType.TRUNCATION);
      }
      record.add(table, body, 0, body.length);
    }
    log.append(record);
    log.sync();
  }

  private void undoCreate(TableSchema schema, Throwable failure) {
    try {
      catalog.undoCreate(schema);
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e);
      if (Retryable.is(failure) && Retryable.is(e)) {
        // There is no definition, so the remains are removed when the database is opened.
        return;
      }
      String name = schema.keyspace() + "." + schema.name();
      services.health().fail("It is not known whether %s was created", name, e);
    }
  }
}
