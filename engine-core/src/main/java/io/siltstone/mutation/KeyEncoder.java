package io.siltstone.mutation;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.text.CountText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects as partition keys and clusterings of a table. Immutable, safe for use by all
 * threads.
 */
final class KeyEncoder {
  /**
   * Maximum length in bytes of a clustering value, and of all values of a row together, as in
   * Cassandra.
   */
  private static final int MAX_CLUSTERING_LENGTH = 0xffff;

  private final TableSchema schema;
  private final ValueEncoder encoder;

  KeyEncoder(TableSchema schema, ValueEncoder encoder) {
    this.schema = schema;
    this.encoder = encoder;
  }

  /** Returns the serialized partition key of one value for each of its columns. */
  byte[] key(@Nullable Object @Nullable ... values) {
    List<Column> columns = schema.partitionKeyColumns();
    int given = values == null ? 0 : values.length;
    if (values == null || given != columns.size()) {
      throw new IllegalArgumentException(
          CountText.of(given, "value")
              + " for the partition key of "
              + encoder.tableName()
              + ", allowed "
              + columns.size()
              + ": "
              + columns.stream().map(Column::name).toList());
    }
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < given; i++) {
      byte[] part = encoder.encode(columns.get(i), columns.get(i).type(), values[i], "");
      checkKeyLength(part.length, encoder.describe(columns.get(i)));
      parts.add(part);
    }
    byte[] key = PartitionKey.join(parts);
    if (key.length == 0) {
      throw new IllegalArgumentException(
          encoder.describe(columns.get(0)) + ": an empty partition key, allowed one that is not");
    }
    checkKeyLength(key.length, "partition key of " + encoder.tableName());
    return key;
  }

  private static void checkKeyLength(int length, String what) {
    if (length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          what + ": " + length + " bytes, a partition key has at most " + PartitionKey.MAX_LENGTH);
    }
  }

  /** Returns the serialized values of a row's clustering. */
  byte[][] clustering(@Nullable Object @Nullable ... values) {
    List<Column> columns = schema.clusteringColumns();
    int given = values == null ? 0 : values.length;
    if (values == null || given != columns.size()) {
      throw new IllegalArgumentException(
          given
              + " clustering values for a row of "
              + encoder.tableName()
              + ", allowed "
              + columns.size()
              + ": "
              + columns.stream().map(Column::name).toList());
    }
    byte[][] clustering = new byte[given][];
    long length = 0;
    for (int i = 0; i < given; i++) {
      clustering[i] = clusteringValue(i, values[i]);
      length += clustering[i].length;
    }
    if (length > MAX_CLUSTERING_LENGTH) {
      throw new IllegalArgumentException(
          "clustering of a row of "
              + encoder.tableName()
              + ": "
              + length
              + " bytes, allowed "
              + MAX_CLUSTERING_LENGTH);
    }
    return clustering;
  }

  private byte[] clusteringValue(int index, @Nullable Object value) {
    Column column = schema.clusteringColumns().get(index);
    byte[] bytes = encoder.encode(column, column.valueType(), value, "");
    if (bytes.length > MAX_CLUSTERING_LENGTH) {
      throw new IllegalArgumentException(
          encoder.describe(column)
              + ": "
              + bytes.length
              + " bytes, a clustering value has at most "
              + MAX_CLUSTERING_LENGTH);
    }
    return bytes;
  }
}
