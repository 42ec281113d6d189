package io.siltstone;

import static java.util.Objects.requireNonNull;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.keyvalue.KeyBounds;
import io.siltstone.keyvalue.KeyValueTable;
import io.siltstone.keyvalue.KeyValueTableSnapshot;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.table.ValueChange;
import io.siltstone.threads.Closeables;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An embedded store of byte arrays, ordered by key as unsigned bytes. It is a table of a {@link
 * Database} with one key column and one value column.
 *
 * <pre>{@code
 * try (KeyValueStore store = KeyValueStore.open(Path.of("users"))) {
 *   store.put(key, value);
 *   byte[] found = store.get(key);   // null if there is none
 * }
 * }</pre>
 *
 * <p><b>Sizes.</b> A key has 1 to 65,535 bytes, since the SSTable format has no empty partition
 * keys and keeps their length in two bytes. A bound of a range of keys, or the target of a seek,
 * may be empty, which is before all keys, and has up to 65,536 bytes; a prefix may be empty, which
 * all keys begin with, and has up to 65,535. A value may be empty. An entry, or a batch as a whole,
 * may take up at most {@link CommitLogOptions#maxMutationBytes()}, 256 MiB by default, where each
 * change takes less than 64 bytes in addition to its key and value, and has to fit into the
 * off-heap memory. Anything outside of these limits is refused with an {@link
 * IllegalArgumentException}.
 *
 * <p><b>Writes</b> return when they are as durable as the sync mode of the commit log promises, as
 * those of a {@link Database} do. Of two writes to the same key the later one wins, whatever the
 * clock says: a store goes beyond the timestamps of all that its table has. If the table has data
 * with a timestamp so close to {@link Long#MAX_VALUE} that nothing can go beyond it, which only a
 * user of the table can have given, writes are refused with an {@link IllegalStateException}.
 *
 * <p><b>Threads and closing.</b> Safe for use by any number of threads. After the database was
 * closed or the table dropped every method throws an {@link IllegalStateException}, except {@link
 * #database}, {@link #table} and {@link #close}. Further errors are those of {@link Table#write}
 * and {@link Table#read}.
 *
 * <p>{@code get} allocates the array that it returns and less than 100 bytes in addition.
 */
public final class KeyValueStore implements Closeable {
  /** The keyspace of the table that {@link #open} creates. */
  public static final String KEYSPACE = "kv";

  /** The name of the table that {@link #open} creates. */
  public static final String TABLE = "pairs";

  /**
   * The options of the table that {@link #open(Path, DatabaseOptions)} creates: the defaults of a
   * table, except that {@code gc_grace_seconds} is 0. Deletions are then purged by the next
   * compaction that can do it, since no other node has to learn of them.
   */
  public static final TableOptions DEFAULT_TABLE_OPTIONS =
      TableOptions.builder().gcGraceSeconds(0).build();

  /** Returned by {@link #get(byte[], ByteBuffer)} if there is no entry. */
  public static final int MISSING = KeyValueTable.MISSING;

  private final Database database;
  private final Table table;
  private final Engine engine;
  private final KeyValueTable entries;
  private final boolean isOwner;

  private KeyValueStore(Database database, Table table, boolean isOwner) {
    this.database = database;
    this.table = table;
    this.engine = database.engine();
    this.entries =
        new KeyValueTable(table.store(), engine.services, () -> engine.writePath().writer());
    this.isOwner = isOwner;
  }

  /**
   * Opens or creates a store with default options. Otherwise as {@link #open(Path,
   * DatabaseOptions)}.
   */
  public static KeyValueStore open(Path path) throws IOException {
    return open(path, DatabaseOptions.DEFAULT);
  }

  /**
   * Opens or creates a store. If it exists, its table keeps its options; otherwise the table gets
   * {@link #DEFAULT_TABLE_OPTIONS}. Otherwise as {@link #open(Path, DatabaseOptions,
   * TableOptions)}.
   */
  public static KeyValueStore open(Path path, DatabaseOptions options) throws IOException {
    return open(Database.open(path, KeyValueOpening.ordered(options)), null);
  }

  /**
   * Opens or creates a database with one table, {@code kv.pairs (key blob PRIMARY KEY, value
   * blob)}. The database is closed with the store.
   *
   * @param options must not ask for another partitioner than {@link Partitioner#BYTE_ORDERED}
   * @param tableOptions compression, chunk length, compaction and so on. If the store exists, its
   *     table gets these options, which apply to what is written from now on. A store that is
   *     opened for reading only keeps its own options. {@code gc_grace_seconds} of ten days, the
   *     default of tables, counts as not given: a new store gets 0, an existing one keeps its value
   * @return the store, to be closed by the caller
   * @throws IllegalArgumentException if another partitioner is asked for, or if the database has a
   *     table {@code kv.pairs} of another form
   * @throws IOException as {@link Database#open(Path, DatabaseOptions)}; also if the database has
   *     another partitioner, or is opened for reading only and has no table {@code kv.pairs}
   */
  public static KeyValueStore open(Path path, DatabaseOptions options, TableOptions tableOptions)
      throws IOException {
    return open(Database.open(path, KeyValueOpening.ordered(options)), tableOptions);
  }

  /** Opens or creates a store in any file system; see {@link #open(Path, DatabaseOptions)}. */
  public static KeyValueStore open(Directory root, DatabaseOptions options) throws IOException {
    return open(Database.open(root, KeyValueOpening.ordered(options)), null);
  }

  /**
   * Opens or creates a store in any file system; see {@link #open(Path, DatabaseOptions,
   * TableOptions)}.
   */
  public static KeyValueStore open(
      Directory root, DatabaseOptions options, TableOptions tableOptions) throws IOException {
    return open(Database.open(root, KeyValueOpening.ordered(options)), tableOptions);
  }

  /** Takes over the database, which is closed if this throws. */
  private static KeyValueStore open(Database database, @Nullable TableOptions options)
      throws IOException {
    try {
      return new KeyValueStore(database, KeyValueOpening.openTable(database, options), true);
    } catch (Throwable e) {
      Closeables.closeAfter(database, e);
      throw e;
    }
  }

  /**
   * Uses a table of an open database as a store. The database is not taken over: closing the store
   * does nothing.
   *
   * @throws IllegalArgumentException if there is no such table, if it does not consist of exactly
   *     one key column and one other column, both of type blob, or if the database's partitioner is
   *     not {@link Partitioner#BYTE_ORDERED}, which is chosen with {@link
   *     DatabaseOptions#partitioner()} when a database is created
   */
  public static KeyValueStore in(Database database, String keyspace, String name) {
    return new KeyValueStore(database, database.table(keyspace, name), false);
  }

  /**
   * Uses tables of an open database as stores, as {@link #in} does; those that are missing are
   * created, all at once, as by {@link Database#createTables}.
   *
   * @param options of tables that are created; {@code gc_grace_seconds} of ten days counts as not
   *     given, and becomes 0
   * @return the stores in the order of the names
   * @throws IllegalArgumentException as {@link #in}; also if a name occurs twice
   */
  public static List<KeyValueStore> createIn(
      Database database, String keyspace, Collection<String> names, TableOptions options)
      throws IOException {
    KeyValueOpening.createTables(database, keyspace, names, options);
    return names.stream().map(name -> in(database, keyspace, name)).toList();
  }

  /** Returns the store's database, for flushes, syncs, checkpoints and statistics. */
  public Database database() {
    return database;
  }

  /** Returns the table that contains the entries, for statistics, compaction and truncation. */
  public Table table() {
    return table;
  }

  KeyValueTable entries() {
    return entries;
  }

  Engine engine() {
    return engine;
  }

  // Writes.

  /**
   * Puts an entry; an existing entry with the same key is replaced. The new entry expires after the
   * {@code default_time_to_live} of the table, if that is set.
   *
   * @throws IllegalArgumentException if the key or the entry exceeds the sizes given above
   * @throws OutOfBudgetException if there is no memory for the entry, even after flushes. Nothing
   *     is written then, and the write can be tried again
   */
  public void put(byte[] key, byte[] value) throws IOException {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    write(ValueChange.put(key, value));
  }

  /**
   * Puts an entry that expires. Otherwise as {@link #put(byte[], byte[])}.
   *
   * @param ttlSeconds seconds from now until it expires; 0 for never, at most 20 years
   */
  public void put(byte[] key, byte[] value, int ttlSeconds) throws IOException {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    write(ValueChange.put(key, value, ttlSeconds));
  }

  private void write(ValueChange change) throws IOException {
    engine.gate.enter();
    try {
      entries.write(change);
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Puts an entry if there is none with its key. No other write to the key can come between the
   * check and the put. Otherwise as {@link #put(byte[], byte[])}.
   *
   * @return whether the entry was put
   */
  public boolean putIfAbsent(byte[] key, byte[] value) throws IOException {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    ValueChange put = ValueChange.put(key, value);
    return engine.inside(() -> entries.putIfAbsent(put));
  }

  /**
   * Replaces the value of a key if it has the expected one. No other write to the key can come
   * between the check and the put. Otherwise as {@link #put(byte[], byte[])}.
   *
   * @return whether the value was replaced; false if the key has another value or none
   */
  public boolean replace(byte[] key, byte[] expected, byte[] value) throws IOException {
    requireNonNull(key, "key");
    requireNonNull(expected, "expected");
    requireNonNull(value, "value");
    ValueChange put = ValueChange.put(key, value);
    return engine.inside(() -> entries.replace(expected, put));
  }

  /** Deletes an entry, if there is one with this key. */
  public void delete(byte[] key) throws IOException {
    requireNonNull(key, "key");
    write(ValueChange.deletion(key));
  }

  /**
   * Writes a batch atomically: snapshots see all of it or nothing, and so does a store that is
   * opened after a crash. Changes that name no store are written to this one, others to theirs,
   * which must be of the same database. {@link KeyValueBatch} says who sees what.
   *
   * @throws IllegalArgumentException if the batch exceeds the size given above, or has changes of a
   *     store of another database; nothing is written then
   * @throws OutOfBudgetException as {@link #put(byte[], byte[])}
   */
  public void write(KeyValueBatch batch) throws IOException {
    engine.run(() -> engine.writePath().write(writer -> writer.write(batch.changesBy(this))));
  }

  /**
   * Writes a batch and returns as soon as readers can see it; the batch may then be changed again.
   * Otherwise as {@link #write}. For actions that are attached to the stage see {@link
   * Table#writeAsync}.
   *
   * @return completes when the batch is as durable as the sync mode promises
   */
  public CompletionStage<Void> writeAsync(KeyValueBatch batch) throws IOException {
    return engine.inside(
        () -> engine.writePath().writeAsync(writer -> writer.write(batch.changesBy(this))));
  }

  /**
   * Deletes a range of keys: all entries that it has now; entries that are put later stay. It is
   * one record of the commit log, however many entries there are, and atomic: snapshots, iterators
   * and stores that are opened after a crash show all of the range deleted, or nothing of it.
   * Returns when the deletion is as durable as the sync mode promises.
   *
   * <p>Its timestamp is greater than those of all earlier writes to the table, and less than those
   * of all later ones through a store. Nothing is written for each key, and the entries take their
   * space until a compaction has left them out. Until then, and until {@code gc_grace_seconds} are
   * over, the deletion is kept in the file {@code key_range_deletions} beside the SSTables, and in
   * memory, where it takes about 100 bytes and its bounds. Cassandra does not know it, and shows
   * the entries of SSTables that are copied while that file is there.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     longer than given above
   */
  public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    engine.run(() -> entries.deleteRange(from, to));
  }

  /**
   * Deletes a range of keys as {@link #deleteRange(byte[], byte[])}, with bounds as of {@link
   * #iterator(byte[], boolean, byte[], boolean)}.
   */
  public void deleteRange(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive)
      throws IOException {
    KeyBounds bounds = KeyBounds.of(from, fromInclusive, to, toInclusive);
    deleteRange(bounds.from(), bounds.to());
  }

  // Reads.

  /**
   * Returns a new array with the value of a key, or null if there is no entry.
   *
   * @throws OutOfBudgetException if there is no memory to read with. The read can be tried again
   */
  public byte @Nullable [] get(byte[] key) throws IOException {
    requireNonNull(key, "key");
    engine.gate.enter();
    try {
      return entries.get(key, 0, key.length);
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Returns the values of many keys as they are at one moment: faster than many calls of {@link
   * #get(byte[])}, since the keys are read in their order, and each chunk of a file once. The
   * result takes memory for all values.
   *
   * @param keys in any order; the same key may be there several times. The list must be one of
   *     random access, and neither it nor the keys may be changed meanwhile
   * @return for each key, in the order of the list, a new array, or null if there is no entry
   * @throws IllegalArgumentException if no entry can have one of the keys
   * @throws OutOfBudgetException if there is no memory to read with. The read can be tried again
   */
  public List<byte @Nullable []> multiGet(List<byte[]> keys) throws IOException {
    requireNonNull(keys, "keys");
    return engine.inside(
        () -> {
          try (KeyValueTableSnapshot present = entries.snapshot()) {
            return present.multiGet(keys);
          }
        });
  }

  /** Copies the value of a key into a buffer; see {@link #get(byte[], int, int, ByteBuffer)}. */
  public int get(byte[] key, ByteBuffer into) throws IOException {
    requireNonNull(key, "key");
    return get(key, 0, key.length, into);
  }

  /**
   * Copies the value of a key into a buffer, starting at the buffer's position. The position is
   * advanced by the number of bytes copied, which is the length of the value or what remains in the
   * buffer, whichever is less.
   *
   * @param key an array that contains the key
   * @param offset where the key begins in the array
   * @param length the length of the key in bytes
   * @param into receives the value
   * @return the length of the whole value, which may be more than was copied; {@link #MISSING} if
   *     there is no entry
   */
  public int get(byte[] key, int offset, int length, ByteBuffer into) throws IOException {
    requireNonNull(key, "key");
    requireNonNull(into, "into");
    engine.gate.enter();
    try {
      return entries.get(key, offset, length, into);
    } finally {
      engine.gate.leave();
    }
  }

  /** Returns whether there is an entry with this key. */
  public boolean contains(byte[] key) throws IOException {
    requireNonNull(key, "key");
    engine.gate.enter();
    try {
      return entries.contains(key, 0, key.length);
    } finally {
      engine.gate.leave();
    }
  }

  /**
   * Takes a snapshot of all entries as they are at this moment. While a snapshot is open, the
   * memtables that it needs stay in memory. If they take up nearly all memory, writes may be
   * refused with {@link OutOfBudgetException}.
   *
   * @return the snapshot, to be closed by the caller
   */
  public KeyValueSnapshot snapshot() throws IOException {
    return engine.inside(() -> KeyValueSnapshot.of(entries, entries.snapshot(), engine));
  }

  /** Returns an iterator over all entries; see {@link #iterator(byte[], byte[])}. */
  public KeyValueIterator iterator() throws IOException {
    return iterator(null, null);
  }

  /**
   * Returns an iterator over a range of keys. It shows the entries as they are at this moment.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @return the iterator, to be closed by the caller
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     longer than given above
   * @throws OutOfBudgetException if there is no memory to read with, now or at a later step. The
   *     read can be tried again
   */
  public KeyValueIterator iterator(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return engine.inside(
        () -> KeyValueIterator.over(entries, entries.cursor(from, to), engine.handles));
  }

  /**
   * Returns an iterator over a range of keys, each bound of which is part of it or not, as of
   * {@link java.util.NavigableMap#subMap(Object, boolean, Object, boolean)}. Otherwise as {@link
   * #iterator(byte[], byte[])}.
   *
   * @param from the first key; null for the first of all
   * @param fromInclusive whether an entry with that key is shown
   * @param to the last key; null for the last of all
   * @param toInclusive whether an entry with that key is shown
   */
  public KeyValueIterator iterator(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive)
      throws IOException {
    KeyBounds bounds = KeyBounds.of(from, fromInclusive, to, toInclusive);
    return iterator(bounds.from(), bounds.to());
  }

  /**
   * Returns an iterator over the keys that begin with a prefix. Otherwise as {@link
   * #iterator(byte[], byte[])}.
   *
   * @param prefix empty for all keys, at most 65,535 bytes
   * @throws IllegalArgumentException if it is longer
   */
  public KeyValueIterator iteratorOfPrefix(byte[] prefix) throws IOException {
    requireNonNull(prefix, "prefix");
    KeyBounds bounds = KeyBounds.ofPrefix(prefix);
    return iterator(bounds.from(), bounds.to());
  }

  /**
   * Estimates how many entries a range of keys has, and their bytes, as {@link Table#estimate}.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     longer than given above
   */
  public TableStatistics.Estimate estimate(byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    return table.estimate(KeyValueTable.range(from, to));
  }

  /**
   * Closes the database if {@link #open} opened it; does nothing if the store was made by {@link
   * #in}.
   */
  @Override
  public void close() throws IOException {
    if (isOwner) {
      database.close();
    }
  }

  /** Returns the keyspace and name of the table. */
  @Override
  public String toString() {
    return entries.toString();
  }
}
