package io.siltstone;

import io.siltstone.catalog.TableHome;
import io.siltstone.event.EngineListener;
import io.siltstone.event.ReadOnlyException;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.maintenance.PastCompaction;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.DatabaseLayout;
import io.siltstone.table.TableReads;
import io.siltstone.table.TableStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * An embedded store in one directory. It holds tables of Cassandra's data model, and its data files
 * are Cassandra SSTables.
 *
 * <p><b>Durability.</b> A write that has returned survives a crash as far as the sync mode of the
 * commit log promises: always with {@code batch} and {@code group}; up to the last sync with {@code
 * periodic}, the default. Writes to a table without {@link
 * io.siltstone.schema.TableOptions#durableWrites() durable_writes} survive it from the next flush
 * on; a flush of such a table flushes all of its keyspace that are so, atomically. Only one process
 * at a time can have a database open for writing.
 *
 * <p><b>Timestamps.</b> When two writes set the same value, the one with the greater timestamp
 * wins. Automatic timestamps are taken from the clock, in microseconds, and always increase: with
 * each mutation that is begun and with each entry that is put into a {@link KeyValueStore}. They
 * also increase from one opening of the database to the next, however far the clock was set back in
 * between. Timestamps that users give, and those of imported data, have no influence on them; an
 * opening that finds newer data than its clock says so ({@link EngineListener.ClockBehind}).
 *
 * <p><b>Threads.</b> Safe for use by any number of threads. Interrupting a thread does not end the
 * call that it is in; its interrupt status is kept.
 *
 * <p><b>Closing.</b> The opener of a database closes it. {@link #close} flushes what is in memory
 * and closes whatever users have left open. Afterwards every method throws an {@link
 * IllegalStateException}, except {@link #close}, {@link #path}, {@link #partitioner}, {@link
 * #isReadOnly}, {@link #state}, {@link #stoppedReason} and the methods that add and remove
 * listeners.
 *
 * <p><b>Errors.</b> A method that changes something throws an {@link IllegalStateException} if the
 * database is open for reading only. It throws a {@link ReadOnlyException} if an earlier failure
 * has left it unknown what is on the disk; {@link #state} is {@link DatabaseState#STOPPED} then,
 * and {@link #stoppedReason} tells which failure it was. After other failures, such as a full disk
 * before anything has changed, the change may be tried again.
 */
public final class Database implements Closeable {
  private final Engine engine;

  private final Definitions definitions;

  private Database(Engine engine) {
    this.engine = engine;
    this.definitions = new Definitions(engine);
  }

  /**
   * Opens the database in a directory with {@link DatabaseOptions#DEFAULT}, and creates it if it is
   * missing. See {@link #open(Path, DatabaseOptions)}.
   */
  public static Database open(Path path) throws IOException {
    return open(path, DatabaseOptions.DEFAULT);
  }

  /**
   * Opens the database in a directory. Changes that a crash has interrupted are completed or
   * undone, and the commit log is replayed.
   *
   * @param path the directory of the database; an empty or missing one becomes a new database if
   *     {@link DatabaseOptions#createIfMissing()} is set
   * @return the open database, to be closed by the caller
   * @throws NoSuchFileException if there is no database and none is to be created
   * @throws IOException if another process has the database open for writing, if the directory
   *     contains something other than a database, or if a file is damaged; the message names the
   *     file
   * @throws IllegalStateException if no compaction module can be {@linkplain Compaction#found
   *     found}
   * @throws OutOfBudgetException if the off-heap memory allowed by {@link
   *     DatabaseOptions#memoryBytes()} or by the JVM is too small. It must hold what is kept in
   *     memory of all SSTables, and the largest change in the commit log (for reading only, all
   *     changes in the log). The message tells how much is needed; no data is lost
   */
  public static Database open(Path path, DatabaseOptions options) throws IOException {
    if (options.createIfMissing() && !options.isReadOnly()) {
      return open(options.pathFiles().open(path), options);
    }
    Directory root;
    try {
      root = options.pathFiles().openExisting(path);
    } catch (NoSuchFileException e) {
      throw DatabaseLayout.missing(e.getFile(), options.isReadOnly());
    }
    return open(root, options);
  }

  /**
   * Opens the database in a directory of any file system, such as one in memory for tests. {@link
   * DatabaseOptions#files} and {@link DatabaseOptions#encryptionKeys} are ignored; otherwise as
   * {@link #open(Path, DatabaseOptions)}.
   */
  public static Database open(Directory root, DatabaseOptions options) throws IOException {
    return new Database(Engine.open(root, options));
  }

  /**
   * Opens the SSTables of one table in a directory that has no {@code schema.cql}, such as a
   * table's directory on a Cassandra node.
   *
   * @param path the directory that contains the SSTables
   * @param schema the table's definition; columns that are missing in it are not read
   * @param options must ask for {@linkplain DatabaseOptions#isReadOnly() reading only}
   * @return a database with this one table, to be closed by the caller
   * @throws IllegalArgumentException if the options do not ask for reading only
   * @throws NoSuchFileException if there is no such directory
   * @throws IOException if an SSTable is damaged or does not fit the schema; the message names it
   * @throws OutOfBudgetException as {@link #open(Path, DatabaseOptions)}
   */
  public static Database openTable(Path path, TableSchema schema, DatabaseOptions options)
      throws IOException {
    return openTable(options.pathFiles().openExisting(path), schema, options);
  }

  /**
   * Opens the SSTables of one table in a directory of any file system. {@link
   * DatabaseOptions#files} is ignored; otherwise as {@link #openTable(Path, TableSchema,
   * DatabaseOptions)}.
   */
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

  Definitions definitions() {
    return definitions;
  }

  /** Returns the path of the database's directory. */
  public String path() {
    return engine.path;
  }

  /**
   * Returns the partitioner, which decides the order of partitions in all tables of the database.
   */
  public Partitioner partitioner() {
    return engine.services.partitioner();
  }

  // Tables.

  /**
   * Creates a table. It is on disk when this returns.
   *
   * <p>With {@code IF NOT EXISTS}, a table of the same name that already exists is returned
   * unchanged, whatever its definition, even if the database is open for reading only. If several
   * threads call this at the same time, one of them creates the table.
   *
   * @param cql a {@code CREATE TABLE} statement that names the keyspace. {@code CREATE TYPE}
   *     statements for the user types in it go before it
   * @throws SchemaException if the text is not valid CQL; the message tells the line and column
   * @throws IllegalArgumentException if the text defines no table or more than one, if the table
   *     exists and {@code IF NOT EXISTS} is not given, or if the statement gives an id that another
   *     table has
   */
  public Table createTable(String cql) throws IOException {
    return engine.inside(() -> table(definitions.createOne(cql)));
  }

  /**
   * Creates any number of tables at once, which costs much less than one after the other: their
   * definitions are synced together. They are on disk when this returns; if it throws, none of them
   * is there. After a crash meanwhile some of them may be there, complete and empty; the same text
   * with {@code IF NOT EXISTS} creates the others.
   *
   * @param cql {@code CREATE TABLE} statements that name the keyspace, and {@code CREATE TYPE}
   *     statements before them
   * @return the tables in the order of the statements; those that exist already are returned
   *     unchanged if their statement has {@code IF NOT EXISTS}
   * @throws SchemaException if the text is not valid CQL; the message tells the line and column
   * @throws IllegalArgumentException if the text defines no table or two of one name, or otherwise
   *     as {@link #createTable}
   */
  public List<Table> createTables(String cql) throws IOException {
    return engine.inside(() -> definitions.createAll(cql).stream().map(this::table).toList());
  }

  /**
   * Changes the columns or options of a table. The change is on disk when this returns. It holds
   * for what is written from now on and for new SSTables; existing SSTables stay as they are.
   * Writes to the table wait in the meantime.
   *
   * @param cql one or more {@code ALTER TABLE} statements that name the keyspace
   * @return the altered table
   * @throws SchemaException if the text is not valid CQL; the message tells the line and column
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

  /** Replaces a table's definition by a function of it; see the public method. */
  Table alterTable(String keyspace, String name, UnaryOperator<TableSchema> change)
      throws IOException {
    return engine.inside(() -> table(definitions.alter(keyspace, name, change)));
  }

  /**
   * Drops a table and deletes its files; snapshots stay. The drop is on disk when this returns. If
   * the table is being compacted, its files are deleted as soon as the compaction has stopped.
   * Reads that are already open can continue, but interrupting the reading thread ends them.
   *
   * @throws IllegalArgumentException if there is no such table
   */
  public void dropTable(String keyspace, String name) throws IOException {
    engine.run(() -> definitions.drop(keyspace, name));
  }

  /**
   * Returns a table.
   *
   * @throws IllegalArgumentException if there is no table of this name
   */
  public Table table(String keyspace, String name) {
    requireOpen();
    return table(definitions.find(keyspace, name));
  }

  /** Returns a table, or empty if there is none of this name. */
  public Optional<Table> findTable(String keyspace, String name) {
    requireOpen();
    return engine.stores.find(keyspace, name).map(this::table);
  }

  /** Returns all tables, sorted by keyspace and name. */
  public List<Table> tables() {
    requireOpen();
    return engine.stores.sorted().stream().map(this::table).toList();
  }

  private Table table(TableStore store) {
    return new Table(engine, store, TableReads.of(store, engine.handles));
  }

  private void requireOpen() {
    if (engine.gate.isClosed()) {
      throw new IllegalStateException(engine.path + " is closed");
    }
  }

  // Writes.

  /** Writes a mutation to the table that it was made for. See {@link Table#write}. */
  public void write(Mutation mutation) throws IOException {
    engine.run(() -> engine.writePath().write(writer -> writer.write(mutation)));
  }

  /**
   * Writes a batch atomically: after a crash either all of its mutations are there or none. Of
   * those to tables without {@link io.siltstone.schema.TableOptions#durableWrites() durable_writes}
   * this holds for each keyspace by itself, and they may be missing while the others are there.
   * Otherwise as {@link #write(Mutation)}.
   */
  public void write(Batch batch) throws IOException {
    engine.run(() -> engine.writePath().write(writer -> writer.write(batch.mutations())));
  }

  /**
   * Writes a mutation and returns as soon as readers can see it. May still wait for memory. See
   * {@link Table#writeAsync}.
   *
   * @return completes when the mutation is as durable as the sync mode promises
   */
  public CompletionStage<Void> writeAsync(Mutation mutation) throws IOException {
    return engine.inside(() -> engine.writePath().writeAsync(writer -> writer.write(mutation)));
  }

  /**
   * Writes a batch and returns as soon as readers can see all of it. Otherwise as {@link
   * #writeAsync(Mutation)}.
   */
  public CompletionStage<Void> writeAsync(Batch batch) throws IOException {
    return engine.inside(
        () -> engine.writePath().writeAsync(writer -> writer.write(batch.mutations())));
  }

  // The database as a whole.

  /**
   * Writes the memtables of all tables to SSTables, and returns when these are live. After a crash
   * meanwhile, tables of one keyspace without {@link
   * io.siltstone.schema.TableOptions#durableWrites() durable_writes} are either all as they were
   * flushed now or all as they were flushed before.
   *
   * @throws IllegalStateException if called by a listener that is being notified of a flush
   */
  public void flush() throws IOException {
    engine.run(
        () -> {
          engine.requireNotFlushing();
          engine.writePath().flusher().flushAll(engine.stores.all());
        });
  }

  /**
   * Makes all writes that have returned durable, whatever the sync mode, except those to tables
   * without {@link io.siltstone.schema.TableOptions#durableWrites() durable_writes}, which {@link
   * #flush} makes durable.
   */
  public void sync() throws IOException {
    engine.run(() -> engine.writePath().log().sync());
  }

  /**
   * Copies the database, with all tables as they are at one moment, into another directory.
   * Otherwise as {@link #checkpoint(Path, LongConsumer)}.
   */
  public void checkpoint(Path target) throws IOException {
    checkpoint(target, bytes -> {});
  }

  /**
   * Copies the database, with all tables as they are at one moment, into another directory. The
   * copy is a database of its own: Siltstone can open it, and Cassandra's tools can read its
   * tables.
   *
   * <p>SSTables are hard-linked, which takes the time of a flush and no space. Where that is not
   * possible, since the target is on another volume, they are copied and synced. Reads, writes,
   * flushes and compactions go on during a copy; tables cannot be created, altered, truncated,
   * dropped or imported into until it has ended, and closing the database waits for it.
   *
   * <p>The copy of a database whose directory encrypts, is encrypted with the same keys.
   *
   * @param target an empty or missing directory
   * @param progress is told the bytes that have been copied, from time to time, by the calling
   *     thread; never if files are linked
   * @throws IOException if the target is not empty, or if something failed; in the latter case the
   *     target is emptied again if that is possible
   */
  public void checkpoint(Path target, LongConsumer progress) throws IOException {
    Objects.requireNonNull(progress, "progress");
    engine.run(
        () -> {
          // No directory is created if nothing can be written.
          engine.requireNotFlushing();
          var unused = engine.writePath();
          // The files of an encrypted database are encrypted in the checkpoint, too.
          Directory files = NioDirectory.open(target, engine.options.files());
          definitions.checkpoint(engine.root.rewrap(files), progress);
        });
  }

  /**
   * Copies the database into a directory of any file system, which is used as it is: what is
   * encrypted here is written in plain text unless that directory encrypts. Otherwise as {@link
   * #checkpoint(Path, LongConsumer)}.
   */
  public void checkpoint(Directory target) throws IOException {
    engine.run(() -> definitions.checkpoint(target, bytes -> {}));
  }

  /**
   * Shows what is on the disk now, in a database that is open for reading only while another
   * process writes to it: all changes that the writer has logged or flushed before this call are
   * seen by reads that begin after it. These are new SSTables and the content of the commit log,
   * and also tables that were created, altered or dropped. What was written without the log ({@link
   * io.siltstone.schema.TableOptions#durableWrites() durable_writes} = false) is seen once it is
   * flushed.
   *
   * <p>Each table is shown as it was at one moment during the refresh, and changes at once: a read
   * sees it either as before or as after. Reads of several tables that begin during a refresh may
   * see some of them as before; a {@link KeyValueSnapshots} shows all of its stores as one or the
   * other. Rows, cursors, iterators and snapshots that are open stay as they are, even if the
   * writer deletes the files that they read. {@link Table} objects stay valid; those of dropped
   * tables throw an {@link IllegalStateException}.
   *
   * <p>A refresh costs what has changed. If the commit log has only grown since the last refresh,
   * what it has grown by is replayed, and memory is needed for that. If nothing has changed, only
   * directories are listed. Otherwise, and at the first refresh, SSTables that are open are not
   * opened again, but the commit log is read as a whole, and memory is needed for all that it has,
   * beside what reads still hold. If this fails, the database stays as it was before, and can be
   * refreshed again.
   *
   * @return whether anything may have changed; false only if it is certain that nothing has
   * @throws IllegalStateException if the database is open for writing
   * @throws OutOfBudgetException if there is not enough memory
   * @throws IOException if a file is damaged, if the writer changed files during each of several
   *     attempts, or if there is another database or none at the path
   */
  public boolean refresh() throws IOException {
    return engine.inside(engine::refresh);
  }

  /**
   * Adds a listener, which is notified of events from now on. To be notified of the opening too,
   * use {@link DatabaseOptions#listener}.
   */
  public void addListener(EngineListener listener) {
    engine.services.listener().add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Removes a listener that was added with {@link #addListener}. It may still receive an event that
   * is being delivered at this moment.
   */
  public void removeListener(EngineListener listener) {
    engine.services.listener().remove(listener);
  }

  /**
   * Returns whether the database was opened for reading only, which does not change. A database
   * that has stopped taking changes after a failure was not: ask for its {@link #state}.
   */
  public boolean isReadOnly() {
    return engine.options.isReadOnly();
  }

  /** Returns whether the database can be read and changed at this moment. */
  public DatabaseState state() {
    return engine.state();
  }

  /**
   * Returns why the database takes no more changes since a failure, or empty if it takes them or
   * was opened for reading only. The reason stays when the database is closed.
   */
  public Optional<String> stoppedReason() {
    return Optional.ofNullable(engine.services.health().reason());
  }

  /**
   * Returns the compactions of the database, oldest first: at least the last 5,000. Empty if a
   * single table's directory is open.
   */
  public List<PastCompaction> compactionHistory() throws IOException {
    return engine.inside(engine.history::compactions);
  }

  /** Returns memory use, cache statistics and the size of the commit log at this moment. */
  public DatabaseStatistics statistics() throws IOException {
    return engine.inside(() -> DatabaseStatistics.of(engine));
  }

  /**
   * Waits for calls that are running, flushes what is in memory, and closes the database. Rows,
   * cursors and iterators that are still open are closed; a step that one of them is making is
   * abandoned. All other calls run to their end, {@link Table#get} and {@link Table#explain}
   * included. A second call does nothing.
   *
   * @throws IOException if something failed, or if an earlier failure had made the database
   *     read-only. The database is closed nevertheless, and acknowledged writes are in the commit
   *     log
   * @throws IllegalStateException if called from a listener of the database, on whatever thread,
   *     from a listener of {@link Table#explain}, or from an action that is attached to the stage
   *     of {@link Table#writeAsync} or {@link Table#compact} and runs on a thread of the database
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
