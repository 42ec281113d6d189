package io.siltstone.spark.types;

import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ResultColumns;
import io.siltstone.schema.Column;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * A batch of columns that Spark reads and the engine fills again and again. Used by one thread,
 * which closes it.
 */
public final class BatchColumns implements AutoCloseable {
  private final StructType type;
  private final boolean areNumbersText;
  private final WritableColumnVector[] vectors;
  private final ColumnarBatch batch;

  /**
   * @param type the columns that Spark asks for
   * @param areNumbersText whether varint and decimal are strings
   * @param rows the maximum number of rows
   */
  public BatchColumns(StructType type, boolean areNumbersText, int rows) {
    this.type = type;
    this.areNumbersText = areNumbersText;
    this.vectors = OnHeapColumnVector.allocateColumns(rows, type);
    this.batch = new ColumnarBatch(vectors);
  }

  /** Returns what fills the batch with the columns of a result, null for those not needed. */
  public @Nullable ColumnVector[] fillers(ResultColumns columns) {
    @Nullable ColumnVector[] fillers = new ColumnVector[columns.size()];
    WritableColumnVector writetimes = times(TableColumns.WRITETIME, columns);
    WritableColumnVector ttls = times(TableColumns.TTL, columns);
    for (int i = 0; i < fillers.length; i++) {
      Column column = columns.get(i);
      WritableColumnVector values = find(column.name());
      WritableColumnVector writetime = child(writetimes, column.name());
      WritableColumnVector ttl = child(ttls, column.name());
      if (values != null || writetime != null || ttl != null) {
        fillers[i] = new ColumnFiller(column.type(), areNumbersText, values, writetime, ttl);
      }
    }
    return fillers;
  }

  private @Nullable WritableColumnVector find(String name) {
    for (int i = 0; i < vectors.length; i++) {
      if (type.apply(i).name().equals(name)) {
        return vectors[i];
      }
    }
    return null;
  }

  /** Returns a metadata column, which a table with a column of the same name does not have. */
  private @Nullable WritableColumnVector times(String name, ResultColumns columns) {
    return columns.contains(name) ? null : find(name);
  }

  private static @Nullable WritableColumnVector child(
      @Nullable WritableColumnVector times, String column) {
    if (times != null) {
      StructType fields = (StructType) times.dataType();
      for (int i = 0; i < fields.size(); i++) {
        if (fields.apply(i).name().equals(column)) {
          return times.getChild(i);
        }
      }
    }
    return null;
  }

  /** Empties the batch, to be filled again. */
  public void reset() {
    for (WritableColumnVector vector : vectors) {
      vector.reset();
    }
  }

  /** Returns the batch with a number of rows. */
  public ColumnarBatch batch(int rows) {
    batch.setNumRows(rows);
    return batch;
  }

  @Override
  public void close() {
    batch.close();
  }
}
