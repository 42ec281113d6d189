package io.siltstone.spark.write;

import io.siltstone.BulkWriter;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.types.ValueReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of a data frame into changes of a table, as CQL's {@code INSERT} does: each row
 * exists, and a null is a column that is not set. A column of the data frame may say that a row is
 * something else, see {@link Operation}. A row whose clustering columns are all null, as those that
 * are read of partitions with nothing but static columns, sets static columns alone. Used by one
 * thread.
 */
final class RowMutations {
  private static final int NONE = -1;

  private final List<Source> partitionKey = new ArrayList<>();
  private final List<Source> clustering = new ArrayList<>();
  private final List<Source> statics = new ArrayList<>();
  private final List<Source> regulars = new ArrayList<>();
  private final WritePlan.Times times;
  private final @Nullable String operationColumn;
  private int operationAt = NONE;
  private int timestampAt = NONE;
  private int ttlAt = NONE;

  /** A column of the table and where its values are in the data frame. */
  private record Source(Column column, int ordinal, ValueReader reader) {

    @Nullable Object value(InternalRow row) {
      try {
        return reader.readNullable(row, ordinal);
      } catch (IllegalArgumentException e) {
        throw refused(e);
      }
    }

    IllegalArgumentException refused(IllegalArgumentException e) {
      return new IllegalArgumentException("column " + column.name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Finds the columns of the table in a data frame.
   *
   * @param operationColumn the column with the operation of each row; null for none
   * @throws IllegalArgumentException naming a column that the table has not or that the data frame
   *     lacks, or whose type does not fit
   */
  RowMutations(
      TableSchema schema,
      StructType rows,
      WritePlan.Times times,
      @Nullable String operationColumn) {
    this.times = times;
    this.operationColumn = operationColumn;
    for (int i = 0; i < rows.size(); i++) {
      StructField field = rows.apply(i);
      if (field.name().equals(times.timestampColumn())) {
        requireType(
            field,
            SourceOptions.TIMESTAMP_COLUMN,
            "bigint or timestamp",
            field.dataType() instanceof LongType || field.dataType() instanceof TimestampType);
        timestampAt = i;
        addIfOfTable(schema, field, i);
      } else if (field.name().equals(times.ttlColumn())) {
        requireType(
            field, SourceOptions.TTL_COLUMN, "int", field.dataType() instanceof IntegerType);
        ttlAt = i;
        addIfOfTable(schema, field, i);
      } else if (field.name().equals(operationColumn)) {
        requireType(
            field,
            SourceOptions.OPERATION_COLUMN,
            "string",
            field.dataType() instanceof StringType);
        operationAt = i;
        addIfOfTable(schema, field, i);
      } else {
        add(schema, field.name(), field.dataType(), i);
      }
    }
    requireColumn(times.timestampColumn(), timestampAt, SourceOptions.TIMESTAMP_COLUMN);
    requireColumn(times.ttlColumn(), ttlAt, SourceOptions.TTL_COLUMN);
    requireColumn(operationColumn, operationAt, SourceOptions.OPERATION_COLUMN);
    requireKey(schema.partitionKeyColumns(), partitionKey);
    requireKey(schema.clusteringColumns(), clustering);
  }

  private static void requireType(
      StructField field, String option, String allowed, boolean isAllowed) {
    if (!isAllowed) {
      throw new IllegalArgumentException(
          "column "
              + field.name()
              + " of option "
              + option
              + " is of type "
              + field.dataType().sql()
              + ", allowed "
              + allowed);
    }
  }

  private static void requireColumn(@Nullable String name, int ordinal, String option) {
    if (name != null && ordinal == NONE) {
      throw new IllegalArgumentException(
          "option " + option + " is '" + name + "', which is no column of the data frame");
    }
  }

  private static void requireKey(List<Column> key, List<Source> sources) {
    List<Column> found = sources.stream().map(Source::column).toList();
    for (Column column : key) {
      if (!found.contains(column)) {
        throw new IllegalArgumentException(
            "the data frame lacks column " + column.name() + " of the primary key");
      }
    }
    sources.sort((one, other) -> one.column().position() - other.column().position());
  }

  private void add(TableSchema schema, String name, DataType type, int ordinal) {
    Column column = find(schema, name);
    ValueReader reader;
    try {
      reader = ValueReader.of(type, column.type());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column " + name + ": " + e.getMessage(), e);
    }
    Source source = new Source(column, ordinal, reader);
    switch (column.kind()) {
      case PARTITION_KEY -> partitionKey.add(source);
      case CLUSTERING -> clustering.add(source);
      case STATIC -> statics.add(source);
      case REGULAR -> regulars.add(source);
    }
  }

  /** Adds a column that an option names, if the table has it, too. */
  private void addIfOfTable(TableSchema schema, StructField field, int ordinal) {
    if (schema.column(field.name()).isPresent()) {
      add(schema, field.name(), field.dataType(), ordinal);
    }
  }

  private static Column find(TableSchema schema, String name) {
    Optional<Column> column = schema.column(name);
    if (column.isEmpty()) {
      throw new IllegalArgumentException(
          "table " + schema.cqlName() + " has no column " + name + " of the data frame");
    }
    return column.get();
  }

  /**
   * Returns the change that a row stands for.
   *
   * @throws IllegalArgumentException if a column of the primary key is null or a value does not fit
   *     the table; the message names the column
   */
  Mutation of(BulkWriter writer, InternalRow row) {
    @Nullable Object[] key = values(partitionKey, row);
    requireNone(partitionKey, key);
    MutationBuilder mutation = writer.mutation(key);
    setTimes(mutation, row);
    Operation operation = operation(row);
    if (operation == Operation.DELETE_PARTITION) {
      return mutation.deletePartition().build();
    }
    @Nullable Object[] position = values(clustering, row);
    if (operation == Operation.DELETE) {
      requireNone(clustering, position);
      return mutation.deleteRow(position).build();
    }
    boolean deletesNulls = operation == Operation.UPDATE;
    set(mutation, statics, row, deletesNulls);
    if (statics.isEmpty() || !areAllNull(position) || !areAllNull(values(regulars, row))) {
      requireNone(clustering, position);
      var unused = deletesNulls ? mutation.update(position) : mutation.insert(position);
      set(mutation, regulars, row, deletesNulls);
    }
    return mutation.build();
  }

  private Operation operation(InternalRow row) {
    if (operationAt == NONE || row.isNullAt(operationAt)) {
      return Operation.INSERT;
    }
    try {
      return Operation.of(row.getUTF8String(operationAt));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("column " + operationColumn + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable Object[] values(List<Source> sources, InternalRow row) {
    @Nullable Object[] values = new Object[sources.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = sources.get(i).value(row);
    }
    return values;
  }

  private static boolean areAllNull(@Nullable Object[] values) {
    for (Object value : values) {
      if (value != null) {
        return false;
      }
    }
    return true;
  }

  private static void requireNone(List<Source> sources, @Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        throw new IllegalArgumentException(
            "column "
                + sources.get(i).column().name()
                + " is null, which a column of the primary key cannot be");
      }
    }
  }

  private static void set(
      MutationBuilder mutation, List<Source> sources, InternalRow row, boolean deletesNulls) {
    for (Source source : sources) {
      Object value = source.value(row);
      if (value != null || deletesNulls) {
        try {
          mutation.set(source.column().name(), value);
        } catch (IllegalArgumentException e) {
          throw source.refused(e);
        }
      }
    }
  }

  private void setTimes(MutationBuilder mutation, InternalRow row) {
    long timestamp = timestamp(row);
    try {
      mutation.timestamp(timestamp);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "column " + times.timestampColumn() + ": " + e.getMessage(), e);
    }
    Integer ttl = ttl(row);
    if (ttl != null) {
      try {
        mutation.ttl(ttl);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "column " + times.ttlColumn() + ": " + e.getMessage(), e);
      }
    }
  }

  private long timestamp(InternalRow row) {
    return timestampAt == NONE || row.isNullAt(timestampAt)
        ? times.timestamp()
        : row.getLong(timestampAt);
  }

  private @Nullable Integer ttl(InternalRow row) {
    return ttlAt == NONE || row.isNullAt(ttlAt) ? times.ttl() : Integer.valueOf(row.getInt(ttlAt));
  }
}
