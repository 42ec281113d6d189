package io.siltstone.mutation;

import io.siltstone.annotation.Expert;
import io.siltstone.clock.ListPaths;
import io.siltstone.clock.WriteClock;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates builders of mutations of one table. Immutable, safe for use by all threads; a table whose
 * columns change gets a new factory.
 */
@Expert
public final class MutationFactory {
  private final TableColumns columns;
  private final UpdateWriters writers;
  private final WriteClock clock;
  private final ListPaths paths;

  /**
   * @param encoding of the rows of its mutations
   * @param clock of the database
   * @param paths of the database
   * @throws IllegalArgumentException if the encoding does not have the table's columns
   */
  @SuppressWarnings("exports")
  public MutationFactory(
      TableSchema schema,
      RowEncoding encoding,
      Partitioner partitioner,
      WriteClock clock,
      ListPaths paths) {
    this.columns = new TableColumns(schema, encoding);
    this.writers = new UpdateWriters(encoding, partitioner);
    this.clock = Objects.requireNonNull(clock, "clock");
    this.paths = Objects.requireNonNull(paths, "paths");
  }

  /** Returns the table. */
  public TableSchema schema() {
    return columns.schema();
  }

  /** Returns the encoding of the rows of its mutations. */
  @SuppressWarnings("exports")
  public RowEncoding encoding() {
    return columns.encoding();
  }

  /**
   * Begins a mutation of one partition.
   *
   * @param key a value for each column of the partition key, in their order; each an object of a
   *     class that its type takes, or a {@link java.nio.ByteBuffer} with the serialized value
   * @throws IllegalArgumentException if their number differs, one is null or no value of its type,
   *     or the key is empty or longer than 65,535 bytes
   */
  public MutationBuilder mutation(@Nullable Object @Nullable ... key) {
    return new MutationBuilder(columns, columns.keys().key(key), writers, clock, paths);
  }

  /**
   * Returns a mutation in the encoding of this table as it is now: the mutation itself if the
   * table's columns have not changed since it was built.
   *
   * @throws IllegalArgumentException if it is of another table, or if the table no longer has a
   *     column that the mutation changes, or has it with another type
   */
  public Mutation adapt(Mutation mutation) {
    return mutation.forTable(this);
  }

  /** Returns the key of a mutation's partition without a copy; it must not be changed. */
  public static PartitionKey keyOf(Mutation mutation) {
    return mutation.keyView();
  }

  /** Returns the encoding of the rows in the serialized form of a mutation. */
  @SuppressWarnings("exports")
  public static RowEncoding encodingOf(Mutation mutation) {
    return mutation.encoding();
  }

  /**
   * Points a view at the serialized form of a mutation.
   *
   * @param view must have the encoding of the mutation. It must not be written to before it is
   *     begun anew
   */
  @SuppressWarnings("exports")
  public static void wrap(Mutation mutation, PartitionUpdate view) {
    mutation.wrapIn(view);
  }

  /**
   * Returns a mutation of serialized values.
   *
   * @param content writes one change of one partition, with timestamps; see {@link UpdateWriter}
   */
  public Mutation encode(Consumer<UpdateWriter> content) {
    UpdateWriter writer = writers.take();
    content.accept(writer);
    Mutation mutation = new Mutation(schema(), writer.update(), DeletionTime.NO_TIMESTAMP);
    writers.giveBack(writer);
    return mutation;
  }
}
