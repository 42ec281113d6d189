package io.siltstone.spark.token;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.spark.types.ValueReader;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** Computes the token of a partition key whose values are in a row of Spark. Immutable. */
final class KeyEncoder {
  private final Partitioner partitioner;
  private final List<CqlType> types = new ArrayList<>();
  private final List<ValueReader> readers = new ArrayList<>();

  /**
   * @param from types of the row's values
   * @param to types of the columns of the partition key
   */
  KeyEncoder(Partitioner partitioner, List<DataType> from, List<CqlType> to) {
    this.partitioner = partitioner;
    for (int i = 0; i < to.size(); i++) {
      types.add(to.get(i).unreversed());
      readers.add(ValueReader.of(from.get(i), to.get(i)));
    }
  }

  /**
   * Returns the token; null if a value is null.
   *
   * @throws IllegalArgumentException if a value does not fit the column
   */
  @Nullable Long token(InternalRow row) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Object value = readers.get(i).readNullable(row, i);
      if (value == null) {
        return null;
      }
      values.add(types.get(i).encode(value));
    }
    byte[] key = PartitionKey.join(values);
    return partitioner.token(key, 0, key.length);
  }
}
