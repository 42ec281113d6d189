package io.siltstone;

import io.siltstone.catalog.TableHome;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.history.PastCompaction;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.memory.MemoryBudget;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveSetChange;
import io.siltstone.table.Layout;
import io.siltstone.table.TableReads;
import io.siltstone.table.TableStore;
import io.siltstone.table.Writer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded store in one directory: tables of Cassandra's data model, whose files are Cassandra's
 * SSTables.
 *
 * <p>What a write has acknowledged is there after a crash, as the sync mode of the commit log
 * promises: always with {@code batch} and {@code group}, up to the last sync with {@code periodic}.
 * One process at a time has a database open for writing.
 *
 * <p>Of two writes of a value the one with the greater timestamp wins. Automatic timestamps are
 * those of the clock, in microseconds, and grow with each mutation that is begun and each entry of
 * a {@link KeyValueStore} that is put, also from one opening to the next if the clock was turned
 * back by up to a day meanwhile, and beyond what is imported from a clock that is ahead by as much.
 *
 * <p>Safe for all threads. An interrupt of a caller ends no call, and is kept for later. Closed by
 * its opener; then what is in memory is flushed, and what users have left open is closed. Any call
 * after that is an {@link IllegalStateException}, but for what it was opened with, its listeners
 * and another {@link #close}. Changes of a database that is open for reading only are {@link
 * IllegalStateException}s too, and changes after a failure that leaves unknown what is on the disk
 * are {@link ReadOnlyException}s.
 */
public final class Database implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final Engine engine;

  /** Serializes changes of the catalog. */
  private final Object definitions = new Object();

  private Database(Engine engine) {
    this.engine = engine;
  }

  /** Opens a database with {@link DatabaseOptions#DEFAULT}. */
  public static Database open(Path path) throws IOException {
    return open(path, DatabaseOptions.DEFAULT);
  }

  /**
   * Opens the database in a directory, recovers what a crash has left, and replays its commit log.
   *
   * @throws NoSuchFileException if there is none, and it is not to be created
   * @throws IOException if it is open elsewhere; if there is something else than a database; or if
   *     a file is damaged, naming it
   * @throws IllegalStateException if there is no compaction to be {@linkplain Compaction#found
   *     found}
   * @throws OutOfBudgetException if {@link DatabaseOptions#memoryBytes()}, or what the JVM allows
   *     off the heap, is too little for what is held of all SSTables, or for the largest change in
   *     the commit log (for reading only, for all of them together). It tells how much is needed;
   *     nothing is lost
   */
  public static Database open(Path path, DatabaseOptions options) throws IOException {
    boolean create = options.createIfMissing() && !options.isReadOnly();
    return open(
        create
            ? NioDirectory.open(path, options.files())
            : NioDirectory.openExisting(path, options.files()),
        options);
  }

  /** As the other, through any file system; {@link DatabaseOptions#files} is not looked at. */
  public static Database open(Directory root, DatabaseOptions options) throws IOException {
    return new Database(Engine.open(root, options));
  }

  /**
   * Opens the SSTables of one table in a directory that has no {@code schema.cql}, such as the
   * table's directory of a Cassandra node.
   *
   * @param schema of the table; columns that it lacks are not read
   * @param options for {@linkplain DatabaseOptions#isReadOnly() reading only}
   * @throws NoSuchFileException if there is no such directory
   * @throws IOException if an SSTable is damaged or does not fit, naming it
   * @throws OutOfBudgetException as {@link #open(Path, DatabaseOptions)}
   */
  public static Database openTable(Path path, TableSchema schema, DatabaseOptions options)
      throws IOException {
    return openTable(NioDirectory.openExisting(path, options.files()), schema, options);
  }

  /** As the other, through any file system; {@link DatabaseOptions#files} is not looked at. */
  public static Database openTable(Directory directory, TableSchema schema, DatabaseOptions options)
      throws IOException {
    if (!options.isReadOnly()) {
      throw new IllegalArgumentException(
          directory.path() + " is the directory of a table: it is opened for reading only");
    }
    return new Database(Engine.openTable(TableHome.of(directory, schema), options));
  }

  Engine engine() {
    return engine;
  }

  /** Where it is. */
  public String path() {
    return engine.path;
  }

  /** That orders the partitions of all its tables. */
  public Partitioner partitioner() {
    return engine.services.partitioner();
  }

  // Tables.

  /**
   * Creates a table, durably. With {@code IF NOT EXISTS} a table of this name that is there is
   * returned as it is, whatever its definition, also if the database is open for reading only. Of
   * threads that call it at once one creates the table.
   *
   * @param cql a {@code CREATE TABLE} statement that names the keyspace, with its options; before
   *     it {@code CREATE TYPE} statements for the types that it uses
   * @throws SchemaException if the text is wrong, with the place
   * @throws IllegalArgumentException if the text has no table or several; without {@code IF NOT
   *     EXISTS} if there is a table of this name; or if there is one with the id that is given
   */
  public Table createTable(String cql) throws IOException {
    Schema text = SchemaParser.parse(cql);
    text.warnings().forEach(warning -> LOG.warn("CREATE TABLE: {}", warning));
    TableSchema parsed = onlyTable(text);
    TableSchema schema =
        parsed.id().isPresent() ? parsed : parsed.toBuilder().id(UUID.randomUUID()).build();
    boolean ifMissing = !text.ifMissing().isEmpty();
    return engine.inside(() -> create(schema, parsed.id().isPresent(), ifMissing));
  }

  private static TableSchema onlyTable(Schema text) {
    try {
      return text.onlyTable();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private Table create(TableSchema schema, boolean isIdGiven, boolean ifMissing)
      throws IOException {
    engine.requireNotFlushing();
    TableStore store;
    synchronized (definitions) {
      Optional<TableStore> present = engine.stores.find(schema.keyspace(), schema.name());
      if (ifMissing && present.isPresent()) {
        return table(present.get());
      }
      Engine.Changes changes = engine.changes();
      engine.stores.requireNew(schema);
      engine.compactor().check(schema);
      store = changes.tables().create(schema, isIdGiven, engine::open);
    }
    engine
        .services
        .listener()
        .tableCreated(new EngineListener.TableCreated(store.id(), store.schema()));
    engine.compactor().onChange(store.id(), LiveSetChange.nothing(LiveSetChange.Cause.OPEN));
    return table(store);
  }

  /**
   * Changes columns or options of a table, durably. What is written from now on, and new SSTables,
   * take the new ones; SSTables that are there stay as they are. Who writes to the table meanwhile
   * waits.
   *
   * @param cql {@code ALTER TABLE} statements that name the keyspace, at least one
   * @throws SchemaException if the text is wrong, with the place
   * @throws IllegalArgumentException if there is no such table
   */
  public Table alterTable(String keyspace, String name, String cql) throws IOException {
    return alterTable(
        keyspace,
        name,
        schema -> {
          // Later than every automatic timestamp of what is written, so that all of a dropped
          // column goes.
          long now = engine.services.clock().nextTimestampMicros();
          return SchemaParser.alter(schema, cql, now);
        });
  }

  /** As the other. */
  Table alterTable(String keyspace, String name, UnaryOperator<TableSchema> change)
      throws IOException {
    return engine.inside(
        () -> {
          engine.requireNotFlushing();
          Engine.Changes changes = engine.changes();
          TableStore store;
          synchronized (definitions) {
            store = store(keyspace, name);
            changes
                .tables()
                .alter(
                    store,
                    schema -> {
                      TableSchema altered = change.apply(schema);
                      engine.compactor().check(altered);
                      return altered;
                    });
          }
          engine.compactor().onChange(store.id(), LiveSetChange.nothing(LiveSetChange.Cause.ALTER));
          return table(store);
        });
  }

  /**
   * Drops a table, durably, and deletes its files, if it is being compacted as soon as that has
   * given up; snapshots stay. Reads that are open go on, but an interrupt of a reader ends them.
   *
   * @throws IllegalArgumentException if there is no such table
   */
  public void dropTable(String keyspace, String name) throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          Engine.Changes changes = engine.changes();
          TableStore store;
          synchronized (definitions) {
            store = store(keyspace, name);
            changes.tables().drop(store);
          }
          engine.services.listener().tableDropped(new EngineListener.TableDropped(store.id()));
          engine.compactor().onChange(store.id(), LiveSetChange.nothing(LiveSetChange.Cause.DROP));
        });
  }

  /**
   * A table.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public Table table(String keyspace, String name) {
    return table(store(keyspace, name));
  }

  /** A table, if there is one of this name. */
  public Optional<Table> findTable(String keyspace, String name) {
    requireOpen();
    return engine.stores.find(keyspace, name).map(this::table);
  }

  /** All tables, by their names. */
  public List<Table> tables() {
    requireOpen();
    return engine.stores.sorted().stream().map(this::table).toList();
  }

  private TableStore store(String keyspace, String name) {
    requireOpen();
    return engine
        .stores
        .find(keyspace, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    engine.path + " has no table " + keyspace + "." + name));
  }

  private Table table(TableStore store) {
    return new Table(engine, store, new TableReads(store, engine.services, engine.handles));
  }

  private void requireOpen() {
    if (engine.gate.isClosed()) {
      throw new IllegalStateException(engine.path + " is closed");
    }
  }

  // Writes.

  /** Writes a mutation; see {@link Table#write}. */
  public void write(Mutation mutation) throws IOException {
    engine.run(
        () -> {
          Writer writer = engine.changes().writer();
          writer.awaitSynced(writer.write(mutation));
        });
  }

  /** Writes a batch: after a crash all of it is there or nothing. Otherwise as the other. */
  public void write(Batch batch) throws IOException {
    engine.run(
        () -> {
          Writer writer = engine.changes().writer();
          writer.awaitSynced(writer.write(batch.mutations()));
        });
  }

  /**
   * Writes a mutation, visible to readers on return; the stage is done when it is as durable as the
   * sync mode promises. May still wait for memory.
   */
  public CompletionStage<Void> writeAsync(Mutation mutation) throws IOException {
    return engine.inside(
        () -> {
          Writer writer = engine.changes().writer();
          return writer.synced(writer.write(mutation));
        });
  }

  /** As the other, of a batch. */
  public CompletionStage<Void> writeAsync(Batch batch) throws IOException {
    return engine.inside(
        () -> {
          Writer writer = engine.changes().writer();
          return writer.synced(writer.write(batch.mutations()));
        });
  }

  // The database as a whole.

  /**
   * Writes what all tables have in memory to SSTables, and returns when those are there.
   *
   * @throws IllegalStateException if a listener that is told of a flush calls it
   */
  public void flush() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          engine.changes().flusher().flushAll(engine.stores.all());
        });
  }

  /** Makes all that was written before durable, whatever the sync mode. */
  public void sync() throws IOException {
    engine.run(
        () -> {
          engine.changes().log().sync();
        });
  }

  /**
   * Makes a database of its own of what this one has now, all tables as they are at one moment, by
   * hard links. It opens here, and its tables in Cassandra's tools.
   *
   * @param target an empty directory, made if it is missing, of the same file system
   * @throws IOException if the target is not empty, or something failed: then it is empty again, if
   *     that is possible
   */
  public void checkpoint(Path target) throws IOException {
    engine.run(
        () -> {
          // Nothing is made where nothing can be written.
          engine.requireNotFlushing();
          Engine.Changes changes = engine.changes();
          checkpoint(NioDirectory.open(target, engine.options.files()), changes);
        });
  }

  /** As the other. */
  public void checkpoint(Directory target) throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          checkpoint(target, engine.changes());
        });
  }

  private void checkpoint(Directory target, Engine.Changes changes) throws IOException {
    synchronized (definitions) {
      if (!target.files().isEmpty() || !target.directories().isEmpty()) {
        throw new IOException(target.path() + " is not empty");
      }
      try {
        Instant now = engine.options.clock().instant();
        changes.tables().checkpoint(engine.stores.all(), Layout.dataOf(target), now);
        // Last, as it makes the directory a database.
        var unused = Layout.create(target, partitioner());
      } catch (Throwable e) {
        Layout.removeRemains(target, e);
        throw e;
      }
    }
  }

  /**
   * From now on tells one more listener what happens; see {@link DatabaseOptions#listener}, which
   * hears the opening too.
   */
  public void addListener(EngineListener listener) {
    engine.services.listener().add(Objects.requireNonNull(listener, "listener"));
  }

  /** Ends what {@link #addListener} began; an event that is being told may still come. */
  public void removeListener(EngineListener listener) {
    engine.services.listener().remove(listener);
  }

  /** Whether it is open for reading only. */
  public boolean isReadOnly() {
    return engine.options.isReadOnly();
  }

  /**
   * What compactions have done since the database was made, the oldest first: the last 5,000 at
   * least. Empty of the directory of a single table.
   */
  public List<PastCompaction> compactionHistory() throws IOException {
    return engine.inside(engine.history::compactions);
  }

  /** What it holds. */
  public DatabaseStatistics statistics() throws IOException {
    return engine.inside(
        () -> {
          MemoryBudget budget = engine.services.budget();
          Map<MemoryKind, Long> kinds = new EnumMap<>(MemoryKind.class);
          for (MemoryKind kind : MemoryKind.values()) {
            kinds.put(kind, budget.used(kind));
          }
          return new DatabaseStatistics(
              budget.used(),
              budget.limit(),
              kinds,
              engine.services.space().used(),
              engine.services.space().limit(),
              engine.services.caches().chunks().statistics(),
              engine.services.caches().keys().statistics(),
              engine.options.isReadOnly() ? 0 : engine.changes().log().diskBytes(),
              engine.handles.count(),
              engine.services.health().reason());
        });
  }

  /**
   * Waits for what others are doing, flushes what is in memory, and closes it. What rows, cursors
   * and iterators are being asked for is given up; all else that was called goes on to its end,
   * {@link Table#get} and {@link Table#explain} too. A second call does nothing.
   *
   * @throws IOException if something failed; it is closed nevertheless, and what was acknowledged
   *     is in the commit log. So after any failure that had made it read-only
   * @throws IllegalStateException if a listener of the database calls it, on whatever thread, or
   *     one of {@link Table#explain}, or what follows a {@link #writeAsync}
   */
  @Override
  public void close() throws IOException {
    engine.close();
  }

  @Override
  public String toString() {
    return engine.path;
  }
}
