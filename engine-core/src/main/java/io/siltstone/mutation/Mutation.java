package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.schema.TableSchema;
import java.util.Arrays;

/**
 * A change of one partition of one table, checked and in serialized form; all of it takes effect at
 * once. Made by {@link MutationBuilder#build}.
 *
 * <p>Immutable, safe for all threads; may be written any number of times, to the same effect.
 */
public final class Mutation {
  private final TableSchema schema;
  private final RowEncoding encoding;
  private final byte[] bytes;
  private final PartitionKey key;
  private final boolean empty;
  private final long automaticTimestamp;

  /**
   * Of a copy of the update.
   *
   * @param automaticTimestamp the one that all of it has from the clock; {@link
   *     DeletionTime#NO_TIMESTAMP} if one was given explicitly
   */
  Mutation(TableSchema schema, PartitionUpdate update, long automaticTimestamp) {
    this.schema = schema;
    this.encoding = update.encoding();
    this.bytes = Arrays.copyOfRange(update.bytes(), update.from(), update.from() + update.length());
    this.key = new PartitionKey();
    this.key.wrap(bytes, Short.BYTES, update.key().length(), update.key().token());
    this.empty = update.isEmpty();
    this.automaticTimestamp = automaticTimestamp;
  }

  /** The table that it was made for, as it was then. */
  public TableSchema schema() {
    return schema;
  }

  /** A copy of the key of the partition that it changes. */
  public PartitionKey key() {
    PartitionKey copy = new PartitionKey();
    copy.copyFrom(key);
    return copy;
  }

  /** The key itself, for the engine; not to be changed. */
  public PartitionKey keyView() {
    return key;
  }

  /** Whether it changes nothing. */
  public boolean isEmpty() {
    return empty;
  }

  /** Bytes of its serialized form, as {@link PartitionUpdate} has it. */
  public int serializedSize() {
    return bytes.length;
  }

  /** Whether all its timestamps came from the clock, none was given. */
  public boolean hasAutomaticTimestamp() {
    return !DeletionTime.isLive(automaticTimestamp);
  }

  /** The encoding of its rows. */
  public RowEncoding encoding() {
    return encoding;
  }

  /**
   * Points a view at its serialized form, for the engine.
   *
   * @param view of the same {@link #encoding}; nothing is written to it as long as it is not begun
   *     anew
   */
  public void wrapIn(PartitionUpdate view) {
    if (view.encoding() != encoding) {
      throw new IllegalArgumentException("a view of another encoding than that of the " + this);
    }
    view.wrap(bytes, 0, bytes.length, key.token());
  }

  /**
   * The same change as if the clock had said so: what a conditional write needs, whose timestamp
   * must be later than those of the writes that its condition has seen. TTLs still count from when
   * it was built. One that changes nothing is the same with any.
   *
   * @throws IllegalArgumentException if a timestamp was given when it was built
   */
  public Mutation withTimestamp(long timestampMicros) {
    WriteTimes.checkTimestamp(timestampMicros);
    if (isEmpty()) {
      return this;
    }
    if (!hasAutomaticTimestamp()) {
      throw new IllegalArgumentException(
          "the " + this + " has timestamps of its own and cannot be given another");
    }
    long shift = timestampMicros - automaticTimestamp;
    return new MutationRewriter(this, encoding, shift).rewrite(schema, timestampMicros);
  }

  /**
   * The same change for the table as it is now: this one, if its columns have not changed since.
   *
   * @throws IllegalArgumentException if it is another table, or lacks a column that this changes or
   *     has it with another type
   */
  public Mutation forTable(MutationFactory table) {
    TableSchema now = table.schema();
    if (encoding == table.encoding()) {
      return this;
    }
    if (!schema.id().equals(now.id())
        || !schema.keyspace().equals(now.keyspace())
        || !schema.name().equals(now.name())) {
      throw new IllegalArgumentException(
          "a " + this + " cannot be written to " + now.keyspace() + '.' + now.name());
    }
    return new MutationRewriter(this, table.encoding(), 0).rewrite(now, automaticTimestamp);
  }

  /** Table, key and size, for messages. */
  @Override
  public String toString() {
    return "mutation of "
        + schema.keyspace()
        + '.'
        + schema.name()
        + ", "
        + key
        + ", "
        + bytes.length
        + " bytes";
  }
}
