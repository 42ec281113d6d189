package io.siltstone.table;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.UpdateWriter;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A table as an ordered map of byte arrays: the key of a partition is a blob, and so is the one
 * column of its one row. An entry is there as long as that column has a value.
 *
 * <p>Safe for all threads; called inside the database's {@link Gate}. A read allocates its cursor
 * and what it returns.
 */
public final class KeyValueTable {
  /** What {@link #get(byte[], int, int, ByteBuffer)} returns without an entry. */
  public static final int MISSING = -1;

  /** Bytes of a key that messages show. */
  private static final int MOST_SHOWN = 32;

  // A power of two. Places of the array at that distance are in different cache lines.
  private static final int RESTING = 16;
  private static final int DISTANCE = 16;

  private final TableStore store;
  private final Services services;
  private final AtomicReferenceArray<EntryLookup> resting =
      new AtomicReferenceArray<>(RESTING * DISTANCE);
  // Is known to have the form.
  private volatile @Nullable TableSchema checked;

  /**
   * Of a table.
   *
   * @throws IllegalArgumentException if it has another form, or its partitions are not ordered by
   *     key
   */
  public KeyValueTable(TableStore store, Services services) {
    this.store = store;
    this.services = services;
    String wrong = difference(store.schema(), services.partitioner());
    if (wrong != null) {
      throw new IllegalArgumentException(store + " is no table of keys and values: " + wrong);
    }
    checked = store.schema();
  }

  /** A table that fits, without an id. */
  public static TableSchema schema(String keyspace, String name, TableOptions options) {
    return TableSchema.builder(keyspace, name)
        .partitionKey("key", CqlTypes.BLOB)
        .regular("value", CqlTypes.BLOB)
        .options(options)
        .build();
  }

  /** What keeps the table from being a map, or null. */
  static @Nullable String difference(TableSchema schema, Partitioner partitioner) {
    if (partitioner != Partitioner.BYTE_ORDERED) {
      return "it is partitioned by "
          + partitioner.className()
          + ", only "
          + Partitioner.BYTE_ORDERED.className()
          + " keeps keys in order: DatabaseOptions.partitioner says so when the database is made";
    }
    List<Column> keys = schema.partitionKeyColumns();
    List<Column> values = schema.regularColumns();
    boolean fits =
        keys.size() == 1
            && keys.get(0).type().equals(CqlTypes.BLOB)
            && schema.clusteringColumns().isEmpty()
            && !schema.hasStatic()
            && values.size() == 1
            && values.get(0).type().equals(CqlTypes.BLOB);
    return fits
        ? null
        : "it must have one key column of type blob, one other column of type blob, and no more";
  }

  /** Anybody may alter the table. */
  private void requireForm(TableSchema schema) {
    if (!isChecked(schema)) {
      String wrong = difference(schema, services.partitioner());
      if (wrong != null) {
        throw new IllegalStateException(store + " was altered: " + wrong);
      }
      checked = schema;
    }
  }

  @SuppressWarnings("ReferenceEquality") // each change makes another one
  private boolean isChecked(TableSchema schema) {
    return schema == checked;
  }

  // Writes. Timestamps are taken when nobody else writes to the partition, so that their order is
  // that of the writes.

  /**
   * Puts an entry.
   *
   * @param ttlSeconds after which it is gone, 0 for never
   * @return the log's position
   * @throws IllegalArgumentException if the key is empty or too long, or the TTL out of range
   */
  public long put(MutationWriter writer, byte[] key, byte[] value, int ttlSeconds)
      throws IOException {
    int shard = shardOf(key);
    return writer.write(store, shard, update -> put(update, shard, key, value, ttlSeconds));
  }

  /**
   * Puts an entry that expires as the table says, if none of its key is there.
   *
   * @return the log's position, or {@link MutationWriter#NOT_WRITTEN}
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public long putIfAbsent(MutationWriter writer, byte[] key, byte[] value) throws IOException {
    return putIf(writer, () -> !contains(key, 0, key.length), key, value);
  }

  /**
   * Puts an entry that expires as the table says, if one of its key is there and has the expected
   * value.
   *
   * @return the log's position, or {@link MutationWriter#NOT_WRITTEN}
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public long replace(MutationWriter writer, byte[] key, byte[] expected, byte[] value)
      throws IOException {
    // Else it would be equal to what is not there.
    Objects.requireNonNull(expected, "expected");
    return putIf(writer, () -> Arrays.equals(get(key, 0, key.length), expected), key, value);
  }

  private long putIf(MutationWriter writer, MutationWriter.Check check, byte[] key, byte[] value)
      throws IOException {
    int shard = shardOf(key);
    return writer.writeIf(
        store, shard, check, update -> put(update, shard, key, value, defaultTtlSeconds()));
  }

  /**
   * Deletes an entry.
   *
   * @return the log's position
   * @throws IllegalArgumentException if the key is empty or too long
   */
  public long delete(MutationWriter writer, byte[] key) throws IOException {
    int shard = shardOf(key);
    return writer.write(store, shard, update -> delete(update, shard, key));
  }

  /**
   * Makes changes that belong together, of which a later one wins over an earlier one; or none.
   *
   * @return the log's position
   */
  public long write(MutationWriter writer, List<EntryChange> changes) throws IOException {
    if (changes.isEmpty()) {
      return MutationWriter.NOTHING;
    }
    BitSet shards = new BitSet();
    changes.forEach(change -> shards.set(shardOf(change.key)));
    return writer.write(
        store, shards, () -> changes.stream().map(change -> mutation(change)).toList());
  }

  private Mutation mutation(EntryChange change) {
    int shard = shardOf(change.key);
    return store
        .mutations()
        .encode(
            update -> {
              if (change.value == null) {
                delete(update, shard, change.key);
              } else {
                int ttl = change.ttlSeconds;
                put(
                    update,
                    shard,
                    change.key,
                    change.value,
                    ttl == EntryChange.DEFAULT_TTL ? defaultTtlSeconds() : ttl);
              }
            });
  }

  // Called with the shard's lock, under which nobody alters the table.

  private void put(UpdateWriter update, int shard, byte[] key, byte[] value, int ttlSeconds) {
    requireForm(store.schema());
    update.begin(key, 0, key.length);
    update.times(
        store.nextTimestamp(shard),
        ttlSeconds,
        ttlSeconds == DeletionTime.NO_TTL ? 0 : services.clock().nowSeconds());
    update.beginRow();
    update.liveness();
    update.value(0, value, 0, value.length);
    update.endRow();
  }

  private void delete(UpdateWriter update, int shard, byte[] key) {
    requireForm(store.schema());
    update.begin(key, 0, key.length);
    update.times(store.nextTimestamp(shard), DeletionTime.NO_TTL, services.clock().nowSeconds());
    update.deletePartition();
  }

  /**
   * Deletes the entries of a range of keys that are there now; see {@link RangeDeletion}.
   *
   * @param from the first key, or null for the beginning; of any length
   * @param to the first key behind, or null for the end; of any length
   * @return the log's position
   * @throws IllegalArgumentException if {@code to} lies before {@code from}
   */
  public long deleteRange(MutationWriter writer, byte @Nullable [] from, byte @Nullable [] to)
      throws IOException {
    requireForm(store.schema());
    PartitionRange range = range(from, to);
    // Nothing is written meanwhile: what is there has lesser timestamps, what comes greater ones.
    store.lockShards();
    long timestamp;
    try {
      timestamp = store.nextTimestamp();
    } finally {
      store.unlockShards();
    }
    return new RangeDeletion(this, writer, range, timestamp).run();
  }

  /** A change that deletes what an entry had until the timestamp. */
  Mutation delete(PartitionKey key, long timestampMicros, long now) {
    return store
        .mutations()
        .encode(
            update -> {
              update.begin(key.bytes(), key.offset(), key.length());
              update.times(timestampMicros, DeletionTime.NO_TTL, now);
              update.deletePartition();
            });
  }

  /** After how many seconds entries are gone that are put without a TTL; 0 for never. */
  public int defaultTtlSeconds() {
    return store.schema().options().defaultTimeToLive();
  }

  private int shardOf(byte[] key) {
    EntryLookup lookup = take();
    try {
      return store.shardOf(lookup.of(key, 0, key.length).key());
    } finally {
      giveBack(lookup);
    }
  }

  // Reads.

  /** The value of a key in an array of its own, or null. */
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
   * @return how long the value is, {@link #MISSING} if there is none
   */
  public int get(byte[] key, int offset, int length, ByteBuffer into) throws IOException {
    EntryLookup lookup = take();
    try (PartitionCursor cursor = open(lookup, key, offset, length)) {
      return isThere(cursor) ? copyValue(cursor.unfiltered(), into) : MISSING;
    } finally {
      giveBack(lookup);
    }
  }

  /** Whether there is an entry of that key. */
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
    // To ask for the time costs an object.
    return Liveness.isCellLive(row, row.isCellExpiring() ? services.clock().nowSeconds() : 0);
  }

  /**
   * Moves to the cell with the value of the partition at which the cursor stands, if it has. A
   * range tombstone may lie before the row: the cursor has applied it already.
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

  /** Moves to the next partition before {@code end} with a value that lives, and to its cell. */
  static boolean goToEntry(PartitionCursor cursor, @Nullable PartitionKey end, long now)
      throws IOException {
    while (cursor.nextPartition()) {
      if (end != null && cursor.key().compareTo(end) >= 0) {
        return false;
      }
      if (goToValue(cursor) && Liveness.isCellLive(cursor.unfiltered(), now)) {
        return true;
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
    EntryLookup lookup = resting.getAndSet(place(), null);
    return lookup != null ? lookup : new EntryLookup(store.reads().encoding().rows());
  }

  void giveBack(EntryLookup lookup) {
    lookup.clear();
    resting.set(place(), lookup);
  }

  private static int place() {
    return (int) (Thread.currentThread().getId() & (RESTING - 1)) * DISTANCE;
  }

  /** All entries as they are at this moment. To be closed by the caller. */
  public KeyValueTableSnapshot snapshot() {
    long now = nowSeconds();
    // Nothing is written meanwhile, so that all keys are of one moment.
    store.lockShards();
    try {
      return new KeyValueTableSnapshot(this, present(), now);
    } finally {
      store.unlockShards();
    }
  }

  /** The table as it is now, each entry between two writes. To be closed by the caller. */
  TableSnapshot present() {
    ReadSources sources = store.reads();
    requireForm(sources.schema());
    return sources.snapshot();
  }

  /** The present time in seconds since 1970. */
  long nowSeconds() {
    return services.clock().nowSeconds();
  }

  /** The table's names. */
  @Override
  public String toString() {
    return store.toString();
  }

  /** The first key behind all that begin with the prefix, or null if there is none. */
  static byte @Nullable [] behindPrefix(byte[] prefix) {
    int length = prefix.length;
    // Behind 0xff nothing comes but what the byte before it decides.
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] behind = Arrays.copyOf(prefix, length);
    behind[length - 1]++;
    return behind;
  }

  static PartitionKey key(byte[] bytes) {
    return PartitionKey.of(bytes, Partitioner.BYTE_ORDERED.token(bytes, 0, bytes.length));
  }

  private static String text(byte[] key) {
    int shown = Math.min(key.length, MOST_SHOWN);
    return "0x"
        + HexFormat.of().formatHex(key, 0, shown)
        + (shown < key.length ? "... (" + key.length + " bytes)" : "");
  }

  /**
   * A range with a beginning.
   *
   * @throws IllegalArgumentException if {@code to} is less than {@code from}
   */
  static PartitionRange range(byte @Nullable [] from, byte @Nullable [] to) {
    if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
      throw new IllegalArgumentException(
          "a range of keys from " + text(from) + " to " + text(to) + ", which comes before that");
    }
    return new PartitionRange(
        from == null ? EntryCursor.LEAST : key(from.clone()), to == null ? null : key(to.clone()));
  }
}
