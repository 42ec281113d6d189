package io.siltstone.keyvalue;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.table.Gate;
import io.siltstone.table.KeyValueForm;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.Services;
import io.siltstone.table.TableSnapshots;
import io.siltstone.table.TableStore;
import io.siltstone.table.ValueBatch;
import io.siltstone.table.ValueChange;
import io.siltstone.table.read.ReadSources;
import io.siltstone.table.read.TableSnapshot;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.StripedPool;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table as an ordered map of byte arrays, for {@code KeyValueStore}. The key of a partition is
 * the key of an entry; the one column of its one row is the value. An entry exists as long as that
 * column has a live value.
 *
 * <p>Safe for all threads; called inside the database's {@link Gate}. A write goes down to {@link
 * MutationWriter} as a {@link ValueChange}. A read allocates its cursor and its result.
 */
public final class KeyValueTable {
  /** Returned by {@link #get(byte[], int, int, ByteBuffer)} if there is no entry. */
  public static final int MISSING = -1;

  /**
   * The number of deleted entries passed over of which one key is noted. The message of a timeout
   * shows the key that was noted last.
   */
  private static final int PASSED_PER_KEY = 64;

  private final TableStore store;
  private final Services services;
  private final Supplier<MutationWriter> writer;
  // The message of a closed iterator, which would take long to make for each.
  private final String closedIterator;
  private final StripedPool<EntryLookup> pooled = new StripedPool<>();
  // The last schema that was found to have the form.
  private volatile @Nullable TableSchema checked;

  /**
   * Creates a key-value view of a table.
   *
   * @param writer returns the writer, or throws an {@link IllegalStateException} if the database is
   *     open for reading only
   * @throws IllegalArgumentException if the table does not have the form of a key-value table
   */
  public KeyValueTable(TableStore store, Services services, Supplier<MutationWriter> writer) {
    this.store = store;
    this.services = services;
    this.writer = writer;
    this.closedIterator = "the iterator over " + store + " is closed";
    String violation = KeyValueForm.violation(store.schema(), services.partitioner());
    if (violation != null) {
      throw new IllegalArgumentException(store + " cannot be a key-value store: " + violation);
    }
    checked = store.schema();
  }

  /** Returns the schema of a key-value table, without an id. */
  public static TableSchema schema(String keyspace, String name, TableOptions options) {
    return TableSchema.builder(keyspace, name)
        .partitionKey("key", CqlTypes.BLOB)
        .regular("value", CqlTypes.BLOB)
        .options(options)
        .build();
  }

  /** Checks the schema that a read uses, since any user of the database may alter the table. */
  private void requireForm(TableSchema schema) {
    if (!isChecked(schema)) {
      String violation = KeyValueForm.violation(schema, services.partitioner());
      if (violation != null) {
        throw new IllegalStateException(store + " was altered: " + violation);
      }
      checked = schema;
    }
  }

  @SuppressWarnings("ReferenceEquality") // each alteration makes a new schema
  private boolean isChecked(TableSchema schema) {
    return schema == checked;
  }

  // Writes.

  /**
   * Writes a put or a deletion. Returns when it is as durable as the sync mode promises.
   *
   * @throws IllegalArgumentException if the TTL ends too late
   */
  public void write(ValueChange change) throws IOException {
    MutationWriter mutations = writer.get();
    mutations.awaitSynced(mutations.write(store, shardOf(change.key()), change));
  }

  /**
   * Writes a put if there is no entry with its key; see {@link #write(ValueChange)}.
   *
   * @return whether it was written
   */
  public boolean putIfAbsent(ValueChange put) throws IOException {
    byte[] key = put.key();
    return writeIf(() -> !contains(key, 0, key.length), put);
  }

  /**
   * Writes a put if there is an entry with its key and the expected value; see {@link
   * #write(ValueChange)}.
   *
   * @return whether it was written
   */
  public boolean replace(byte[] expected, ValueChange put) throws IOException {
    // Null would be equal to a value that is absent.
    Objects.requireNonNull(expected, "expected");
    byte[] key = put.key();
    return writeIf(() -> Arrays.equals(get(key, 0, key.length), expected), put);
  }

  private boolean writeIf(MutationWriter.Check check, ValueChange put) throws IOException {
    MutationWriter mutations = writer.get();
    long position = mutations.writeIf(store, shardOf(put.key()), check, put);
    if (position == MutationWriter.NOT_WRITTEN) {
      return false;
    }
    mutations.awaitSynced(position);
    return true;
  }

  /** Adds a change of an entry to a batch. */
  public void addTo(ValueBatch batch, ValueChange change) {
    batch.add(store, shardOf(change.key()), change);
  }

  /**
   * Deletes a range of keys, with one record. Returns when that is as durable as the sync mode
   * promises.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}
   */
  public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) throws IOException {
    MutationWriter mutations = writer.get();
    requireForm(store.schema());
    ValueChange deletion = KeyBounds.deletionOf(from, to);
    if (deletion != null) {
      ValueBatch batch = new ValueBatch();
      addTo(batch, deletion);
      mutations.awaitSynced(mutations.write(batch));
    }
  }

  int shardOf(byte[] key) {
    ValueChange.requireKeyLength(key.length);
    return store.shardOf(key(key));
  }

  // Reads.

  /** Returns a new array with the value of a key; null if there is no entry. */
  public byte @Nullable [] get(byte[] key, int offset, int length) throws IOException {
    EntryLookup lookup = take();
    try (PartitionCursor cursor = open(lookup, key, offset, length)) {
      return isThere(cursor) ? copyOfValue(cursor.unfiltered()) : null;
    } finally {
      giveBack(lookup);
    }
  }

  /**
   * Copies the value of a key into a buffer, as much of it as there is room for.
   *
   * @return the length of the value; {@link #MISSING} if there is no entry
   */
  public int get(byte[] key, int offset, int length, ByteBuffer into) throws IOException {
    EntryLookup lookup = take();
    try (PartitionCursor cursor = open(lookup, key, offset, length)) {
      return isThere(cursor) ? copyValue(cursor.unfiltered(), into) : MISSING;
    } finally {
      giveBack(lookup);
    }
  }

  /** Returns whether there is an entry with this key. */
  public boolean contains(byte[] key, int offset, int length) throws IOException {
    EntryLookup lookup = take();
    try (PartitionCursor cursor = open(lookup, key, offset, length)) {
      return isThere(cursor);
    } finally {
      giveBack(lookup);
    }
  }

  private PartitionCursor open(EntryLookup lookup, byte[] key, int offset, int length)
      throws IOException {
    ReadSources sources = store.reads();
    requireForm(sources.schema());
    return sources.open(lookup.of(key, offset, length));
  }

  private boolean isThere(PartitionCursor cursor) throws IOException {
    return cursor.nextPartition() && goToValue(cursor) && isLive(cursor.unfiltered());
  }

  private boolean isLive(Unfiltered row) {
    // The clock is asked only if needed, since that allocates an object.
    return Liveness.isCellLive(row, row.isCellExpiring() ? services.clock().nowSeconds() : 0);
  }

  /**
   * Moves to the cell with the value of the partition at which the cursor stands; returns whether
   * there is one. A range tombstone may come before the row: the cursor has applied it already.
   */
  static boolean goToValue(PartitionCursor cursor) throws IOException {
    while (cursor.nextUnfiltered()) {
      Unfiltered row = cursor.unfiltered();
      if (!row.isMarker()) {
        return row.nextColumn() && row.nextCell();
      }
    }
    return false;
  }

  /**
   * Moves to the next partition before {@code end} that has a live value, and to the cell with that
   * value; returns whether there is one.
   *
   * @param passed receives a key now and then of those that are passed over; null for none
   */
  static boolean goToEntry(
      PartitionCursor cursor, @Nullable PartitionKey end, long now, @Nullable PartitionKey passed)
      throws IOException {
    int count = 0;
    while (cursor.nextPartition()) {
      if (end != null && cursor.key().compareTo(end) >= 0) {
        return false;
      }
      if (goToValue(cursor) && Liveness.isCellLive(cursor.unfiltered(), now)) {
        return true;
      }
      if (passed != null && count++ % PASSED_PER_KEY == 0) {
        passed.copyFrom(cursor.key());
      }
    }
    return false;
  }

  static byte[] copyOfValue(Unfiltered row) {
    int from = row.valueOffset();
    return Arrays.copyOfRange(row.bytes(), from, from + row.valueLength());
  }

  static int copyValue(Unfiltered row, ByteBuffer into) {
    int length = row.valueLength();
    into.put(row.bytes(), row.valueOffset(), Math.min(length, into.remaining()));
    return length;
  }

  EntryLookup take() {
    EntryLookup lookup = pooled.take();
    return lookup != null ? lookup : new EntryLookup(store.reads().encoding().rows());
  }

  void giveBack(EntryLookup lookup) {
    lookup.clear();
    pooled.giveBack(lookup);
  }

  /** Returns a snapshot of all entries at this moment. To be closed by the caller. */
  public KeyValueTableSnapshot snapshot() {
    long now = nowSeconds();
    return new KeyValueTableSnapshot(this, taken(), now);
  }

  private TableSnapshot taken() {
    TableSnapshot snapshot = store.consistentSnapshot();
    try {
      requireForm(snapshot.schema());
      return snapshot;
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /**
   * Returns a cursor over a range of keys as they are now, to be closed by the caller.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}
   */
  public EntryCursor cursor(byte @Nullable [] from, byte @Nullable [] to) {
    PartitionRange range = range(from, to);
    long now = nowSeconds();
    return cursor(taken(), range, now);
  }

  /** Returns a cursor over a range of a snapshot, which it takes over. */
  EntryCursor cursor(TableSnapshot snapshot, PartitionRange range, long now) {
    try {
      return new TableEntries(snapshot, range, now, CancelSignal.of(closedIterator));
    } catch (Throwable e) {
      Closeables.closeAfter(snapshot, e);
      throw e;
    }
  }

  /**
   * Returns snapshots of all entries of tables of one database at this moment. Each has all or
   * nothing of a batch.
   *
   * @param tables no table twice
   * @return one for each table, in their order; to be closed by the caller
   */
  public static List<KeyValueTableSnapshot> snapshots(List<KeyValueTable> tables) {
    // One time for all, so that what is put together expires together.
    long now = tables.isEmpty() ? 0 : tables.get(0).nowSeconds();
    List<TableSnapshot> taken =
        TableSnapshots.take(tables.stream().map(table -> table.store).toList());
    try {
      List<KeyValueTableSnapshot> snapshots = new ArrayList<>(taken.size());
      for (int i = 0; i < taken.size(); i++) {
        tables.get(i).requireForm(taken.get(i).schema());
        snapshots.add(new KeyValueTableSnapshot(tables.get(i), taken.get(i), now));
      }
      return snapshots;
    } catch (Throwable e) {
      Closeables.closeAllAfter(taken, e);
      throw e;
    }
  }

  /** Returns the table that contains the entries. */
  TableStore store() {
    return store;
  }

  /** Returns whether another view is of the same table. */
  public boolean isOfSameTable(KeyValueTable other) {
    return store == other.store;
  }

  /**
   * Returns a snapshot of the table as it is now, each entry as it is between two writes. To be
   * closed by the caller.
   */
  TableSnapshot present() {
    ReadSources sources = store.reads();
    requireForm(sources.schema());
    return sources.snapshot();
  }

  /** Returns the present time in seconds since 1970. */
  long nowSeconds() {
    return services.clock().nowSeconds();
  }

  /** Returns keyspace and name of the table. */
  @Override
  public String toString() {
    return store.toString();
  }

  static PartitionKey key(byte[] bytes) {
    return PartitionKey.of(bytes, Partitioner.BYTE_ORDERED.token(bytes, 0, bytes.length));
  }

  /**
   * Returns a range of keys, with a first key.
   *
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     longer than {@linkplain KeyBounds#requireBound bounds} may be
   */
  public static PartitionRange range(byte @Nullable [] from, byte @Nullable [] to) {
    KeyBounds.requireOrder(from, to);
    return new PartitionRange(
        from == null ? TableEntries.LEAST : key(from.clone()), to == null ? null : key(to.clone()));
  }
}
