package io.siltstone;

import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.table.Checkpoint;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, alters and drops tables, and makes checkpoints and backups, one at a time. Listeners and
 * the compactor are notified when the change is durable, without the lock held.
 *
 * <p>Safe for all threads; called inside the database's gate.
 */
final class Definitions {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final Engine engine;

  /** Serializes changes of the catalog. */
  private final Object lock = new Object();

  Definitions(Engine engine) {
    this.engine = engine;
  }

  /**
   * Returns a table.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  TableStore find(String keyspace, String name) {
    return engine
        .stores
        .find(keyspace, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    engine.path + " has no table " + keyspace + "." + name));
  }

  /** Creates the table of a statement, see {@link Database#createTable}. */
  TableStore create(String cql) throws IOException {
    Schema text = SchemaParser.parse(cql);
    text.warnings().forEach(warning -> LOG.warn("CREATE TABLE: {}", warning));
    TableSchema parsed = onlyTable(text);
    TableSchema schema =
        parsed.id().isPresent() ? parsed : parsed.toBuilder().id(UUID.randomUUID()).build();
    return create(schema, parsed.id().isPresent(), !text.ifMissing().isEmpty());
  }

  private static TableSchema onlyTable(Schema text) {
    try {
      return text.onlyTable();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Creates a table.
   *
   * @param isIdGiven whether the statement gave the table its id
   * @param ifMissing whether a table of that name is returned if there is one
   */
  TableStore create(TableSchema schema, boolean isIdGiven, boolean ifMissing) throws IOException {
    engine.requireNotFlushing();
    TableStore store;
    synchronized (lock) {
      Optional<TableStore> present = engine.stores.find(schema.keyspace(), schema.name());
      if (ifMissing && present.isPresent()) {
        return present.get();
      }
      WritePath writePath = engine.writePath();
      engine.stores.requireNew(schema);
      engine.compactor().check(schema);
      store = writePath.tables().create(schema, isIdGiven, engine::open);
    }
    engine
        .services
        .listener()
        .tableCreated(new EngineListener.TableCreated(store.id(), store.schema()));
    notifyCompactor(store, LiveSetChange.Cause.OPEN);
    return store;
  }

  /** Replaces the definition of a table by a function of it, and returns the table. */
  TableStore alter(String keyspace, String name, UnaryOperator<TableSchema> change)
      throws IOException {
    engine.requireNotFlushing();
    WritePath writePath = engine.writePath();
    TableStore store;
    boolean wasLogged;
    synchronized (lock) {
      store = find(keyspace, name);
      wasLogged = store.schema().options().durableWrites();
      if (!wasLogged) {
        // If the table is logged from now on, the log must not have changes that come after others
        // that a crash would lose.
        writePath.flusher().flushAll(List.of(store));
      }
      writePath
          .tables()
          .alter(
              store,
              schema -> {
                TableSchema altered = change.apply(schema);
                engine.compactor().check(altered);
                return altered;
              });
    }
    if (store.schema().options().durableWrites() != wasLogged) {
      // Writes before and during the alteration may have been made without the log. They are
      // durable
      // when this method returns.
      writePath.flusher().flushAll(List.of(store));
    }
    notifyCompactor(store, LiveSetChange.Cause.ALTER);
    return store;
  }

  /** Drops a table. */
  void drop(String keyspace, String name) throws IOException {
    engine.requireNotFlushing();
    WritePath writePath = engine.writePath();
    TableStore store;
    synchronized (lock) {
      store = find(keyspace, name);
      writePath.tables().drop(store);
    }
    engine.services.listener().tableDropped(new EngineListener.TableDropped(store.id()));
    notifyCompactor(store, LiveSetChange.Cause.DROP);
  }

  private void notifyCompactor(TableStore store, LiveSetChange.Cause cause) {
    engine.compactor().onChange(store.id(), LiveSetChange.nothing(cause));
  }

  /**
   * Copies the database into an empty directory, which is emptied again after a failure.
   *
   * @param progress is called with the number of bytes that have been copied
   */
  void checkpoint(Directory target, LongConsumer progress) throws IOException {
    engine.requireNotFlushing();
    WritePath writePath = engine.writePath();
    synchronized (lock) {
      if (!target.files().isEmpty() || !target.directories().isEmpty()) {
        throw new IOException(target.path() + " is not empty");
      }
      AtomicLong copied = new AtomicLong();
      try {
        Instant now = engine.options.clock().instant();
        writePath
            .checkpoint()
            .write(
                engine.stores.all(),
                DatabaseLayout.dataOf(target),
                now,
                bytes -> progress.accept(copied.addAndGet(bytes)));
        writePath.timestamps().copyTo(target);
        // Last, as it makes the directory a database.
        var unused = DatabaseLayout.create(target, engine.services.partitioner());
      } catch (Throwable e) {
        DatabaseLayout.removeRemains(target, e);
        throw e;
      }
    }
  }

  /**
   * Holds the files of the database as they are at one moment, while they are used. Tables cannot
   * be created, altered or dropped meanwhile.
   */
  <T> T hold(Checkpoint.Use<T> use) throws IOException {
    engine.requireNotFlushing();
    WritePath writePath = engine.writePath();
    synchronized (lock) {
      return writePath.checkpoint().hold(engine.stores.all(), writePath.timestamps(), use);
    }
  }
}
