package io.siltstone.mutation;

import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Slice;
import io.siltstone.mutation.RangeDeletions.Deletion;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.Column;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Mutation}: changes of one partition, which may be of any number of its rows, its
 * static columns and ranges of its rows.
 *
 * <p><b>Rows.</b> {@link #insert} and {@link #update} begin a row. Regular columns that are set
 * afterwards belong to the row that was begun last; static columns can be set at any time. {@link
 * #timestamp} and {@link #ttl} hold for the changes that follow them. Rows may come in any order,
 * and the same row may come several times.
 *
 * <p><b>Timestamps.</b> As in a CQL batch, timestamps decide which change wins, not the order of
 * calls. All changes without an explicit timestamp have the same one, which is taken from the clock
 * when the first of them is added. So of two mutations the one that was begun later wins, no matter
 * which is written first.
 *
 * <p><b>Contradictions.</b> As in one statement of CQL, a mutation must not contain two different
 * changes of the same place with the same timestamp: a column, or an element of a collection, that
 * is set to two values, or set and deleted; a collection that is set as a whole and by elements, or
 * twice as a whole; a row that is inserted or changed, and deleted by itself, with a range or with
 * the partition. {@link #build} rejects them. The same change may be made twice. With different
 * timestamps the later one wins: to replace a whole row, delete it with an earlier timestamp, by
 * {@code .timestamp(t - 1).deleteRow(7)} followed by {@code .timestamp(t).insert(7)}.
 *
 * <p><b>Values</b> are objects of the classes that {@code io.siltstone.type} lists for the column's
 * type. This includes a string with a CQL literal. Instead, a {@link java.nio.ByteBuffer} may hold
 * the whole serialized value; its position is not changed. Values are serialized at once; they must
 * not be changed by another thread in the meantime.
 *
 * <p><b>Errors.</b> A value that does not fit is an {@link IllegalArgumentException} that names the
 * column, its type and the value. A call that fails has changed nothing. After {@link #build} a
 * further change throws an {@link IllegalStateException}.
 *
 * <p>Not safe for use by several threads.
 */
public final class MutationBuilder {
  private static final byte[] NOTHING = {};

  private final TableColumns columns;
  private final byte[] key;
  private final UpdateWriters writers;
  private final WriteClock clock;
  private final ListPaths paths;
  private final long now;
  private final PartitionChanges changes;

  private @Nullable RowChange row;
  private int operations;
  private int ttl;
  private boolean ttlChecked;
  private long explicitTimestamp = DeletionTime.NO_TIMESTAMP;
  private long automaticTimestamp = DeletionTime.NO_TIMESTAMP;
  private boolean anyExplicit;
  private boolean isBuilt;

  MutationBuilder(
      TableColumns columns, byte[] key, UpdateWriters writers, WriteClock clock, ListPaths paths) {
    this.columns = columns;
    this.key = key;
    this.writers = writers;
    this.clock = clock;
    this.paths = paths;
    this.now = clock.nowSeconds();
    this.changes = new PartitionChanges(columns);
    this.ttl = columns.schema().options().defaultTimeToLive();
  }

  /**
   * Sets the timestamp of the changes that follow, instead of the one from the clock.
   *
   * @param micros microseconds since 1970; the greater timestamp wins
   */
  public MutationBuilder timestamp(long micros) {
    WriteTimes.checkTimestamp(micros);
    explicitTimestamp = micros;
    return this;
  }

  /**
   * Sets the time to live of the rows and values that follow, instead of the table's {@code
   * default_time_to_live}.
   *
   * @param seconds counted from when this builder was made; 0 for no expiration, at most 20 years
   */
  public MutationBuilder ttl(int seconds) {
    WriteTimes.checkTtl(seconds, now, columns.encoding().latestDeletionTime());
    ttl = seconds;
    ttlChecked = true;
    return this;
  }

  /**
   * Begins a row as CQL's {@code INSERT} does: the row exists even if all its regular columns are
   * null.
   *
   * @param clustering a value for each clustering column, in order; not null, but a text may be
   *     empty
   */
  public MutationBuilder insert(@Nullable Object @Nullable ... clustering) {
    byte[][] values = columns.keys().clustering(clustering);
    if (columns.schema().isCounter()) {
      throw counters("a row");
    }
    int seconds = checkedTtl();
    RowChange change = beginRow(values);
    change.livenessTimestamp = nextTimestamp();
    change.livenessTtl = seconds;
    change.livenessExpirationTime = WriteTimes.expirationSeconds(seconds, now);
    return this;
  }

  /**
   * Begins a row as CQL's {@code UPDATE} does: the row exists as long as one of its regular columns
   * has a value.
   *
   * @param clustering as for {@link #insert}
   */
  public MutationBuilder update(@Nullable Object @Nullable ... clustering) {
    beginRow(columns.keys().clustering(clustering));
    return this;
  }

  private RowChange beginRow(byte[][] clustering) {
    RowChange change = new RowChange(clustering);
    changes.add(change);
    row = change;
    return change;
  }

  /**
   * Sets a column. The whole of a collection or user type is replaced.
   *
   * @param value the value; null deletes the column's value
   */
  public MutationBuilder set(String column, @Nullable Object value) {
    ColumnSlot slot = columns.slot(column);
    CqlType type = slot.column().type();
    RowChange change = rowOf(slot);
    operations++;
    byte[] bytes = value == null ? null : encodeWritable(slot, value);
    if (type.isMultiCell()) {
      replace(slot, change, bytes);
    } else if (bytes == null) {
      change.cells.add(tombstone(slot, null));
    } else {
      change.cells.add(cell(slot, null, bytes));
    }
    return this;
  }

  private byte[] encodeWritable(ColumnSlot slot, Object value) {
    if (slot.column().type().isCounter()) {
      throw counters(columns.values().describe(slot.column()));
    }
    byte[] bytes = columns.values().encode(slot.column(), value);
    checkedTtl();
    return bytes;
  }

  /**
   * Deletes the old elements one microsecond before the new ones are written, so that the deletion
   * does not cover these.
   */
  private void replace(ColumnSlot slot, RowChange change, byte @Nullable [] bytes) {
    long timestamp = nextTimestamp();
    WriteTimes.checkTimestamp(timestamp - 1);
    change.cells.add(
        new CellChange(
            slot.index(),
            operations,
            null,
            bytes == null ? null : NOTHING,
            timestamp - 1,
            timestamp,
            DeletionTime.NO_TTL,
            now));
    if (bytes != null) {
      addElements(slot, change, bytes);
    }
  }

  private void addElements(ColumnSlot slot, RowChange change, byte[] bytes) {
    boolean list = slot.column().type().kind() == TypeKind.LIST;
    Elements.visit(
        slot.column().type(),
        bytes,
        (path, value) -> change.cells.add(cell(slot, list ? paths.append() : path, value)));
  }

  /** Deletes the value of a column of any type. */
  public MutationBuilder delete(String column) {
    ColumnSlot slot = columns.slot(column);
    operations++;
    rowOf(slot).cells.add(tombstone(slot, null));
    return this;
  }

  /** Adds elements at the end of a list. */
  public MutationBuilder append(String column, List<?> elements) {
    ColumnSlot slot = multiCell(column, TypeKind.LIST, "append");
    RowChange change = rowOf(slot);
    operations++;
    addElements(slot, change, encodeWritable(slot, elements));
    return this;
  }

  /** Adds elements at the beginning of a list, in the given order. */
  public MutationBuilder prepend(String column, List<?> elements) {
    ColumnSlot slot = multiCell(column, TypeKind.LIST, "prepend");
    RowChange change = rowOf(slot);
    operations++;
    List<byte[]> values = new ArrayList<>();
    Elements.visit(
        slot.column().type(), encodeWritable(slot, elements), (path, value) -> values.add(value));
    // Each path is less than those generated earlier.
    for (int i = values.size() - 1; i >= 0; i--) {
      change.cells.add(cell(slot, paths.prepend(), values.get(i)));
    }
    return this;
  }

  /**
   * Replaces or deletes one element of a list.
   *
   * @param path identifies the element: the path of its cell, which {@code Table.cursor} shows
   * @param value the value; null deletes the element
   */
  public MutationBuilder setElement(String column, UUID path, @Nullable Object value) {
    ColumnSlot slot = multiCell(column, TypeKind.LIST, "set an element");
    byte[] pathBytes = columns.values().encode(slot.column(), CqlTypes.TIMEUUID, path, "path in ");
    return setPart(slot, pathBytes, slot.column().type().elementTypes().get(0), value);
  }

  /** Adds elements to a set. */
  public MutationBuilder add(String column, Collection<?> elements) {
    ColumnSlot slot = multiCell(column, TypeKind.SET, "add");
    RowChange change = rowOf(slot);
    operations++;
    addElements(slot, change, encodeWritable(slot, elements));
    return this;
  }

  /** Puts entries into a map. Entries with the same keys are replaced. */
  public MutationBuilder putAll(String column, Map<?, ?> entries) {
    ColumnSlot slot = multiCell(column, TypeKind.MAP, "putAll");
    RowChange change = rowOf(slot);
    operations++;
    addElements(slot, change, encodeWritable(slot, entries));
    return this;
  }

  /**
   * Puts or deletes one entry of a map.
   *
   * @param value the value; null deletes the entry
   */
  public MutationBuilder put(String column, Object entryKey, @Nullable Object value) {
    ColumnSlot slot = multiCell(column, TypeKind.MAP, "put");
    List<CqlType> types = slot.column().type().elementTypes();
    byte[] path = columns.values().encode(slot.column(), types.get(0), entryKey, "key in ");
    return setPart(slot, path, types.get(1), value);
  }

  /** Removes elements from a set, or the entries with these keys from a map. */
  public MutationBuilder remove(String column, Collection<?> elementsOrKeys) {
    ColumnSlot slot = columns.slot(column);
    TypeKind kind = slot.column().type().kind();
    if (!slot.column().type().isMultiCell() || (kind != TypeKind.SET && kind != TypeKind.MAP)) {
      throw unfit(slot.column(), "remove", "sets and maps");
    }
    RowChange change = rowOf(slot);
    operations++;
    CqlType type = slot.column().type().elementTypes().get(0);
    List<CellChange> tombstones = new ArrayList<>();
    for (Object element : elementsOrKeys) {
      tombstones.add(
          tombstone(slot, columns.values().encode(slot.column(), type, element, "element of ")));
    }
    change.cells.addAll(tombstones);
    return this;
  }

  /**
   * Sets or deletes one field of a user type that is not frozen.
   *
   * @param value the value; null deletes the field
   */
  public MutationBuilder setField(String column, String field, @Nullable Object value) {
    ColumnSlot slot = multiCell(column, TypeKind.USER, "setField");
    List<UserType.Field> fields = ((UserType) slot.column().type()).fields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(field)) {
        return setPart(slot, Elements.fieldPath(i), fields.get(i).type(), value);
      }
    }
    throw new IllegalArgumentException(
        columns.values().describe(slot.column())
            + " has no field '"
            + field
            + "', it has "
            + fields.stream().map(UserType.Field::name).toList());
  }

  private MutationBuilder setPart(
      ColumnSlot slot, byte[] path, CqlType type, @Nullable Object value) {
    RowChange change = rowOf(slot);
    operations++;
    if (value == null) {
      change.cells.add(tombstone(slot, path));
    } else {
      byte[] bytes = columns.values().encode(slot.column(), type, value, "part of ");
      checkedTtl();
      change.cells.add(cell(slot, path, bytes));
    }
    return this;
  }

  /**
   * Deletes a row.
   *
   * @param clustering as for {@link #insert}
   */
  public MutationBuilder deleteRow(@Nullable Object @Nullable ... clustering) {
    RowChange change = new RowChange(columns.keys().clustering(clustering));
    change.deletionTimestamp = nextTimestamp();
    change.deletionLocalTime = now;
    changes.add(change);
    return this;
  }

  /** Deletes all rows in a range. A range that cannot contain a row deletes nothing. */
  public MutationBuilder deleteRange(ClusteringRange range) {
    List<Slice> slices = columns.slices(range);
    Deletion deletion = rangeDeletion();
    slices.forEach(slice -> changes.deleteRange(slice, deletion));
    return this;
  }

  /** Deletes the whole partition: all its rows and static columns. */
  public MutationBuilder deletePartition() {
    changes.deletePartition(rangeDeletion());
    return this;
  }

  /**
   * Returns the mutation. The builder accepts no more changes afterwards.
   *
   * @throws IllegalArgumentException if changes contradict each other, or if the mutation is larger
   *     than {@link Mutation#MAX_BYTES}
   */
  public Mutation build() {
    isBuilt = true;
    UpdateWriter writer = writers.take();
    writer.begin(key, 0, key.length);
    changes.writeTo(writer);
    Mutation mutation =
        new Mutation(
            columns.schema(),
            writer.update(),
            anyExplicit ? DeletionTime.NO_TIMESTAMP : automaticTimestamp);
    writers.giveBack(writer);
    return mutation;
  }

  private RowChange rowOf(ColumnSlot slot) {
    if (slot.isStatic()) {
      return changes.staticRow();
    }
    if (row == null) {
      throw new IllegalArgumentException(
          columns.values().describe(slot.column())
              + " belongs to a row: begin one with insert(...) or update(...) first");
    }
    return row;
  }

  private CellChange cell(ColumnSlot slot, byte @Nullable [] path, byte[] value) {
    long timestamp = nextTimestamp();
    return new CellChange(
        slot.index(),
        operations,
        path,
        value,
        timestamp,
        timestamp,
        ttl,
        WriteTimes.expirationSeconds(ttl, now));
  }

  private CellChange tombstone(ColumnSlot slot, byte @Nullable [] path) {
    long timestamp = nextTimestamp();
    return new CellChange(
        slot.index(), operations, path, null, timestamp, timestamp, DeletionTime.NO_TTL, now);
  }

  private long nextTimestamp() {
    if (isBuilt) {
      throw new IllegalStateException(
          "a change of a mutation of "
              + columns.values().tableName()
              + " that is built, begin another one");
    }
    if (!DeletionTime.isLive(explicitTimestamp)) {
      anyExplicit = true;
      return explicitTimestamp;
    }
    if (DeletionTime.isLive(automaticTimestamp)) {
      automaticTimestamp = clock.nextTimestampMicros();
    }
    return automaticTimestamp;
  }

  private Deletion rangeDeletion() {
    long timestamp = nextTimestamp();
    WriteTimes.checkRangeTimestamp(timestamp);
    return new Deletion(timestamp, now);
  }

  private int checkedTtl() {
    if (!ttlChecked) {
      WriteTimes.checkTtl(ttl, now, columns.encoding().latestDeletionTime());
      ttlChecked = true;
    }
    return ttl;
  }

  private ColumnSlot multiCell(String column, TypeKind kind, String operation) {
    ColumnSlot slot = columns.slot(column);
    CqlType type = slot.column().type();
    if (!type.isMultiCell() || type.kind() != kind) {
      String kinds =
          kind == TypeKind.USER ? "user types" : kind.name().toLowerCase(Locale.ROOT) + 's';
      throw unfit(slot.column(), operation, kinds);
    }
    return slot;
  }

  private IllegalArgumentException unfit(Column column, String operation, String kinds) {
    return new IllegalArgumentException(
        columns.values().describe(column)
            + ": "
            + operation
            + " is for "
            + kinds
            + " that are not frozen");
  }

  private static IllegalArgumentException counters(String what) {
    return new IllegalArgumentException(
        what + " of a table of counters cannot be set: counters are read and deleted only");
  }
}
