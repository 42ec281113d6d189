package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.TableSchema;
import java.util.Arrays;

/**
 * A change of one partition of one table, checked and serialized. All of it takes effect at once.
 * Built by {@link MutationBuilder}; written by {@code Table.write}, or in a {@link Batch}.
 *
 * <p>Immutable, safe for use by any number of threads. Writing it several times has the same effect
 * as writing it once.
 */
public final class Mutation {
  /**
   * The maximum of {@link #serializedSize()}. The default limit of the commit log is much lower.
   */
  public static final int MAX_BYTES = PartitionUpdate.MAX_LENGTH;

  private final TableSchema schema;
  private final RowEncoding encoding;
  private final byte[] bytes;
  private final PartitionKey key;
  private final boolean empty;
  private final long automaticTimestamp;

  /**
   * Copies the update.
   *
   * @param automaticTimestamp the timestamp from the clock that all changes have; {@link
   *     DeletionTime#NO_TIMESTAMP} if one of them was given explicitly
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

  /** Returns the definition of the table when the mutation was built. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns a copy of the key of the partition. */
  public PartitionKey key() {
    PartitionKey copy = new PartitionKey();
    copy.copyFrom(key);
    return copy;
  }

  /** Returns the key of the partition without a copy; it must not be changed. */
  PartitionKey keyView() {
    return key;
  }

  /** Returns whether it changes nothing. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns the size of the serialized form, in bytes. */
  public int serializedSize() {
    return bytes.length;
  }

  /** Returns whether all timestamps were taken from the clock, rather than given. */
  public boolean hasAutomaticTimestamp() {
    return !DeletionTime.isLive(automaticTimestamp);
  }

  /** Returns the timestamp from the clock, of a mutation that has no other. */
  long automaticTimestamp() {
    return automaticTimestamp;
  }

  /** Returns the encoding of the rows in the serialized form. */
  RowEncoding encoding() {
    return encoding;
  }

  /**
   * Points a view at the serialized form.
   *
   * @param view must have the same {@link #encoding}. It must be begun anew before it is written to
   */
  void wrapIn(PartitionUpdate view) {
    if (view.encoding() != encoding) {
      throw new IllegalArgumentException("a view of another encoding than that of the " + this);
    }
    view.wrap(bytes, 0, bytes.length, key.token());
  }

  /**
   * Returns the same mutation with another automatic timestamp. A conditional write uses this,
   * since its timestamp must be later than those of the writes that the condition has seen. TTLs
   * still count from when the mutation was built. A mutation that changes nothing is returned
   * unmodified.
   *
   * @param timestampMicros in microseconds since 1970
   * @throws IllegalArgumentException if a timestamp was given explicitly when the mutation was
   *     built
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
   * Returns the same mutation in the encoding of the table as it is now: this mutation if the
   * table's columns have not changed since it was built.
   *
   * @throws IllegalArgumentException if it is another table, or if the table no longer has a column
   *     that this mutation changes, or has it with another type
   */
  Mutation forTable(MutationFactory table) {
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

  /** Returns table, key and size, for messages. */
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
