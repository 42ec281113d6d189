package io.siltstone;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaFormatter;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.Closer;
import io.siltstone.table.Entries;
import io.siltstone.table.EntriesSnapshot;
import io.siltstone.table.Writer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An embedded store of byte arrays, ordered by unsigned key: a table of a {@link Database} without
 * its data model.
 *
 * <pre>{@code
 * try (KeyValueStore store = KeyValueStore.open(Path.of("users"), DatabaseOptions.DEFAULT)) {
 *   store.put(key, value);
 *   byte[] found = store.get(key);   // null if there is none
 * }
 * }</pre>
 *
 * <p>Keys have 1 to 65,535 bytes: the SSTable format has no empty partition keys; others are an
 * {@link IllegalArgumentException}. Values may be empty. An entry, or all of a batch, has at most
 * half a segment of the commit log, where a change takes less than 64 bytes beside key and value:
 * 16 MiB, unless {@link CommitLogOptions#segmentBytes()} is changed; what is larger is an {@link
 * IllegalArgumentException}, too. Writes return when they are as durable as the sync mode of the
 * commit log promises, as those of a {@link Database}; of two writes of a key the later one wins.
 *
 * <p>Safe for all threads. Any call after the database was closed, or the table dropped, is an
 * {@link IllegalStateException}, but for {@link #database}, {@link #table} and {@link #close}.
 * Errors are those of {@link Table#write} and {@link Table#read}. {@code get} allocates the array
 * that it returns, and less than 100 bytes beside it.
 */
public final class KeyValueStore implements Closeable {
  /** The table of a store that {@link #open} makes. */
  public static final String KEYSPACE = "kv";

  /** The table's name. */
  public static final String TABLE = "pairs";

  /** What {@code get} into a buffer returns without an entry. */
  public static final int MISSING = Entries.MISSING;

  private final Database database;
  private final Table table;
  private final Engine engine;
  private final Entries entries;
  private final boolean isOwner;

  private KeyValueStore(Database database, Table table, boolean isOwner) {
    this.database = database;
    this.table = table;
    this.engine = database.engine();
    this.entries = new Entries(table.store(), engine.services);
    this.isOwner = isOwner;
  }

  /** Opens a store with the options that its table has, the defaults if it is created. */
  public static KeyValueStore open(Path path, DatabaseOptions options) throws IOException {
    return open(Database.open(path, ordered(options)), null);
  }

  /**
   * Opens or creates a database with the one table {@code kv.pairs (key blob PRIMARY KEY, value
   * blob)}, to be closed with the store.
   *
   * @param options whose partitioner is {@link Partitioner#BYTE_ORDERED}, or not given
   * @param tableOptions compression, chunk length, compaction and so on, for what is written from
   *     now on; of no effect on a store that is there if it is opened for reading only
   * @throws IllegalArgumentException if another partitioner is asked for, or the table has another
   *     form
   * @throws IOException as {@link Database#open(Path, DatabaseOptions)}; also if the database has
   *     another partitioner
   */
  public static KeyValueStore open(Path path, DatabaseOptions options, TableOptions tableOptions)
      throws IOException {
    return open(Database.open(path, ordered(options)), tableOptions);
  }

  /** As the other, through any file system. */
  public static KeyValueStore open(Directory root, DatabaseOptions options) throws IOException {
    return open(Database.open(root, ordered(options)), null);
  }

  /** As the other, through any file system. */
  public static KeyValueStore open(
      Directory root, DatabaseOptions options, TableOptions tableOptions) throws IOException {
    return open(Database.open(root, ordered(options)), tableOptions);
  }

  private static DatabaseOptions ordered(DatabaseOptions options) {
    Partitioner given = options.partitioner();
    if (given != null && given != Partitioner.BYTE_ORDERED) {
      throw new IllegalArgumentException(
          "partitioner "
              + given
              + " for a key-value store, allowed is "
              + Partitioner.BYTE_ORDERED);
    }
    return options.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
  }

  /** Takes over the database. */
  private static KeyValueStore open(Database database, @Nullable TableOptions options)
      throws IOException {
    try {
      return new KeyValueStore(database, openTable(database, options), true);
    } catch (Throwable e) {
      Closer.closeAfter(database, e);
      throw e;
    }
  }

  private static Table openTable(Database database, @Nullable TableOptions options)
      throws IOException {
    Table present = database.findTable(KEYSPACE, TABLE).orElse(null);
    if (present == null) {
      TableSchema schema =
          Entries.schema(KEYSPACE, TABLE, options == null ? TableOptions.DEFAULT : options);
      return database.createTable(SchemaFormatter.format(schema));
    }
    return options == null || database.isReadOnly() || options.equals(present.schema().options())
        ? present
        : database.alterTable(KEYSPACE, TABLE, schema -> schema.withOptions(options));
  }

  /**
   * A table of an open database as a store. Does not take over the database: to close the store
   * does nothing.
   *
   * @throws IllegalArgumentException if there is no such table; if it has not exactly one key
   *     column and one other column, of type blob; or if the partitioner is not {@link
   *     Partitioner#BYTE_ORDERED}, which {@link DatabaseOptions#partitioner()} says when the
   *     database is made
   */
  public static KeyValueStore in(Database database, String keyspace, String name) {
    return new KeyValueStore(database, database.table(keyspace, name), false);
  }

  /** What it is in: for flushes, syncs, checkpoints, statistics. */
  public Database database() {
    return database;
  }

  /** The table, for statistics, compaction, truncation. */
  public Table table() {
    return table;
  }

  // Writes.

  /**
   * Puts an entry, in place of the one with the same key. It expires after the {@code
   * default_time_to_live} of the table, if that is set.
   *
   * @throws IllegalArgumentException if the key has a length that it may not have, or key and value
   *     together are more than a segment of the log takes, as told above
   * @throws OutOfBudgetException if there is no memory for it and flushes bring none; nothing is
   *     written then, and it may be tried again
   */
  public void put(byte[] key, byte[] value) throws IOException {
    write(key, value, entries.defaultTtlSeconds());
  }

  /**
   * Puts an entry that expires.
   *
   * @param ttlSeconds from now on; 0 for never, at most 20 years
   */
  public void put(byte[] key, byte[] value, int ttlSeconds) throws IOException {
    write(key, value, ttlSeconds);
  }

  private void write(byte[] key, byte[] value, int ttlSeconds) throws IOException {
    engine.gate.enter();
    try {
      Writer writer = engine.changes().writer();
      writer.awaitSynced(entries.put(writer, key, value, ttlSeconds));
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Puts an entry, as {@link #put(byte[], byte[])} does, if there is none of its key: nobody else
   * writes to the key between the look and the put.
   *
   * @return whether it was put
   */
  public boolean putIfAbsent(byte[] key, byte[] value) throws IOException {
    return writeIf(writer -> entries.putIfAbsent(writer, key, value));
  }

  /**
   * Puts an entry, as {@link #put(byte[], byte[])} does, in place of one that has the expected
   * value: nobody else writes to the key between the look and the put.
   *
   * @return whether it was put; not if there is no entry of that key
   */
  public boolean replace(byte[] key, byte[] expected, byte[] value) throws IOException {
    return writeIf(writer -> entries.replace(writer, key, expected, value));
  }

  /** A change that is made or not. */
  @FunctionalInterface
  private interface Conditional {
    /** The position of what was written, or {@link Writer#NOT_WRITTEN}. */
    long write(Writer writer) throws IOException;
  }

  private boolean writeIf(Conditional change) throws IOException {
    return engine.inside(
        () -> {
          Writer writer = engine.changes().writer();
          long position = change.write(writer);
          if (position == Writer.NOT_WRITTEN) {
            return false;
          }
          writer.awaitSynced(position);
          return true;
        });
  }

  /** Deletes an entry, which need not be there. */
  public void delete(byte[] key) throws IOException {
    engine.gate.enter();
    try {
      Writer writer = engine.changes().writer();
      writer.awaitSynced(entries.delete(writer, key));
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Writes a batch: all of it at once, also for snapshots, and after a crash.
   *
   * @throws IllegalArgumentException if it is more than a segment of the log takes, as told above;
   *     nothing is written then
   * @throws OutOfBudgetException as {@link #put(byte[], byte[])}
   */
  public void write(KeyValueBatch batch) throws IOException {
    engine.run(
        () -> {
          Writer writer = engine.changes().writer();
          writer.awaitSynced(entries.write(writer, batch.changes()));
        });
  }

  /**
   * As {@link #write}, but returns before it is durable: then the stage is done. The batch may be
   * changed meanwhile. What is attached to the stage runs as after {@link Table#writeAsync}.
   */
  public CompletionStage<Void> writeAsync(KeyValueBatch batch) throws IOException {
    return engine.inside(
        () -> {
          Writer writer = engine.changes().writer();
          return writer.synced(entries.write(writer, batch.changes()));
        });
  }

  /**
   * Deletes the entries that are in a range of keys when it is called; what is put after that
   * stays. The entries are sought and deleted one by one, in batches of at most 1,024: of more than
   * that, some may be gone and others still there, for readers and after a crash. Returns when all
   * of them are as durable as the sync mode promises. Between two batches nothing is held, neither
   * memory nor files.
   *
   * <p>The moment of the call is a timestamp, which lies behind those of all writes of a store
   * before, and before those of all after. Of what is written through {@link #table()} the
   * timestamps decide as well: those that were given, or were taken when the mutation was built.
   * Entries with greater ones stay, as beside {@link #delete}.
   *
   * @param from the first key, or null for the beginning
   * @param to the first key behind, or null for the end
   * @throws IllegalArgumentException if {@code to} lies before {@code from}
   */
  public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    engine.run(
        () -> {
          Writer writer = engine.changes().writer();
          writer.awaitSynced(entries.deleteRange(writer, from, to));
        });
  }

  // Reads.

  /**
   * The value of a key in an array of its own, or null if there is none.
   *
   * @throws OutOfBudgetException if there is no memory to read with; it may be tried again
   */
  public byte @Nullable [] get(byte[] key) throws IOException {
    engine.gate.enter();
    try {
      return entries.get(key, 0, key.length);
    } finally {
      engine.gate.leave();
    }
  }

  /** As {@link #get(byte[], int, int, ByteBuffer)}, of a whole array. */
  public int get(byte[] key, ByteBuffer into) throws IOException {
    return get(key, 0, key.length, into);
  }

  /**
   * Copies the value of a key into a buffer: from its position on, which moves, as much as remains.
   *
   * @param key array in which the key lies, from {@code offset} on, {@code length} bytes long
   * @return how long the value is, which may be more than was copied; {@link #MISSING} if there is
   *     none
   */
  public int get(byte[] key, int offset, int length, ByteBuffer into) throws IOException {
    engine.gate.enter();
    try {
      return entries.get(key, offset, length, into);
    } finally {
      engine.gate.leave();
    }
  }

  /** Whether there is an entry of that key. */
  public boolean contains(byte[] key) throws IOException {
    engine.gate.enter();
    try {
      return entries.contains(key, 0, key.length);
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * All entries as they are at this moment, to be closed by the caller. What it holds of memtables
   * is not free for others, whose writes may be refused with {@link OutOfBudgetException} if that
   * is nearly all.
   */
  public KeyValueSnapshot snapshot() throws IOException {
    return engine.inside(() -> KeyValueSnapshot.of(toString(), entries.snapshot(), engine));
  }

  /** As the other, over all entries. */
  public KeyValueIterator iterator() throws IOException {
    return iterator(null, null);
  }

  /**
   * An iterator over a range of keys, which sees the entries as they are at this moment, to be
   * closed by the caller.
   *
   * @param from the first key, or null for the beginning; of any length
   * @param to the first key behind, or null for the end; of any length
   * @throws IllegalArgumentException if {@code to} lies before {@code from}
   * @throws OutOfBudgetException if there is no memory to read with, here or at a move; it may be
   *     tried again
   */
  public KeyValueIterator iterator(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return engine.inside(
        () -> {
          try (EntriesSnapshot present = entries.snapshot()) {
            return KeyValueIterator.over(toString(), present.cursor(from, to), engine.handles);
          }
        });
  }

  /**
   * As {@link #iterator(byte[], byte[])}, over the keys that begin with a prefix.
   *
   * @param prefix of any length; empty for all keys
   */
  public KeyValueIterator iteratorOfPrefix(byte[] prefix) throws IOException {
    return engine.inside(
        () -> {
          try (EntriesSnapshot present = entries.snapshot()) {
            return KeyValueIterator.over(
                toString(), present.cursorOfPrefix(prefix), engine.handles);
          }
        });
  }

  /** Closes the database, if {@link #open} opened it. */
  @Override
  public void close() throws IOException {
    if (isOwner) {
      database.close();
    }
  }

  /** Names of the table. */
  @Override
  public String toString() {
    return entries.toString();
  }
}
