package io.siltstone;

import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.table.Checkpoint;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  TableStore createOne(String cql) throws IOException {
    Schema text = SchemaParser.parse(cql);
    try {
      var unused = text.onlyTable();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return create(text).get(0);
  }

  /** Creates the tables of statements, see {@link Database#createTables}. */
  List<TableStore> createAll(String cql) throws IOException {
    Schema text = SchemaParser.parse(cql);
    if (text.tables().isEmpty()) {
      throw new IllegalArgumentException(
          "there is no CREATE TABLE statement, expected one or more");
    }
    return create(text);
  }

  /**
   * Creates the tables of a CQL text that are not there yet; all of them, or none if this throws.
   *
   * @return all tables of the text, in its order
   * @throws SchemaException if the text is not valid CQL
   * @throws IllegalArgumentException if a table exists already and {@code IF NOT EXISTS} is not
   *     given, or if two are of one name or id
   */
  List<TableStore> create(Schema text) throws IOException {
    text.warnings().forEach(warning -> LOG.warn("CREATE TABLE: {}", warning));
    engine.requireNotFlushing();
    List<TableStore> created = List.of();
    List<TableStore> all = new ArrayList<>();
    Set<TableSchema> ifMissing = Set.copyOf(text.ifMissing());
    synchronized (lock) {
      List<TableSchema> missing = new ArrayList<>();
      Set<UUID> givenIds = new HashSet<>();
      for (TableSchema parsed : text.tables()) {
        if (ifMissing.contains(parsed)
            && engine.stores.find(parsed.keyspace(), parsed.name()).isPresent()) {
          continue;
        }
        var unused = engine.writePath();
        parsed.id().ifPresent(givenIds::add);
        TableSchema schema =
            parsed.id().isPresent() ? parsed : parsed.toBuilder().id(UUID.randomUUID()).build();
        engine.stores.requireNew(schema);
        engine.compactor().check(schema);
        missing.add(schema);
      }
      if (!missing.isEmpty()) {
        requireDistinct(missing);
        created =
            engine.writePath().tables().create(missing, givenIds, engine::open, engine.parallel);
      }
      text.tables().forEach(table -> all.add(find(table.keyspace(), table.name())));
    }
    for (TableStore store : created) {
      engine
          .services
          .listener()
          .tableCreated(new EngineListener.TableCreated(store.id(), store.schema()));
      notifyCompactor(store, LiveSetChange.Cause.OPEN);
    }
    return all;
  }

  private static void requireDistinct(List<TableSchema> schemas) {
    Set<Object> seen = new HashSet<>();
    for (TableSchema schema : schemas) {
      String name = schema.keyspace() + "." + schema.name();
      if (!seen.add(name) || !seen.add(schema.id().orElseThrow())) {
        throw new IllegalArgumentException(
            "two tables of one name or id are to be created: " + name);
      }
    }
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
