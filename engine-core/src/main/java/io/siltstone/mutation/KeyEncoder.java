package io.siltstone.mutation;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns objects into partition keys, clusterings and ranges of a table. Immutable, safe for all
 * threads.
 */
final class KeyEncoder {
  /** Bytes that a clustering value may have, and all of a row together, as in Cassandra. */
  private static final int MAX_CLUSTERING_LENGTH = 0xffff;

  private final TableSchema schema;
  private final RowEncoding encoding;
  private final ValueEncoder encoder;

  KeyEncoder(TableSchema schema, RowEncoding encoding, ValueEncoder encoder) {
    this.schema = schema;
    this.encoding = encoding;
    this.encoder = encoder;
  }

  /** The serialized partition key of one value for each of its columns. */
  byte[] key(@Nullable Object @Nullable ... values) {
    List<Column> columns = schema.partitionKeyColumns();
    int given = values == null ? 0 : values.length;
    if (values == null || given != columns.size()) {
      throw new IllegalArgumentException(
          given
              + " values for the partition key of "
              + encoder.tableName()
              + ", allowed "
              + columns.size()
              + ": "
              + columns.stream().map(Column::name).toList());
    }
    byte[][] parts = new byte[given][];
    int length = 0;
    for (int i = 0; i < given; i++) {
      parts[i] = encoder.encode(columns.get(i), columns.get(i).type(), values[i], "");
      checkKeyLength(parts[i].length, encoder.describe(columns.get(i)));
      length += parts[i].length + Short.BYTES + 1;
    }
    if (given == 1) {
      if (parts[0].length == 0) {
        throw new IllegalArgumentException(
            encoder.describe(columns.get(0))
                + ": an empty partition key, allowed is one that is not");
      }
      return parts[0];
    }
    checkKeyLength(length, "partition key of " + encoder.tableName());
    byte[] key = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      BigEndian.putShort(key, at, part.length);
      System.arraycopy(part, 0, key, at + Short.BYTES, part.length);
      at += Short.BYTES + part.length + 1;
    }
    return key;
  }

  private static void checkKeyLength(int length, String what) {
    if (length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          what + ": " + length + " bytes, a partition key has at most " + PartitionKey.MAX_LENGTH);
    }
  }

  /** The serialized values of a row's clustering. */
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

  /** The serialized value of one clustering column. */
  byte[] clusteringValue(int index, @Nullable Object value) {
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

  /** The range of a table's rows that is meant, turned where rows are stored descending. */
  Slice slice(RowRange range) {
    List<Column> clustering = schema.clusteringColumns();
    int prefix = range.prefix().size();
    boolean bounded = range.lower() != null || range.upper() != null;
    if (prefix + (bounded ? 1 : 0) > clustering.size()) {
      throw new IllegalArgumentException(
          range
              + " names more columns than "
              + encoder.tableName()
              + " has for clustering: "
              + clustering.stream().map(Column::name).toList());
    }
    List<byte[]> start = new ArrayList<>();
    for (int i = 0; i < prefix; i++) {
      start.add(clusteringValue(i, range.prefix().get(i)));
    }
    List<byte[]> end = new ArrayList<>(start);
    boolean startIncluded = true;
    boolean endIncluded = true;
    if (bounded) {
      boolean turned = clustering.get(prefix).isDescending();
      Object first = turned ? range.upper() : range.lower();
      Object last = turned ? range.lower() : range.upper();
      if (first != null) {
        start.add(clusteringValue(prefix, first));
        startIncluded = turned ? range.upperIncluded() : range.lowerIncluded();
      }
      if (last != null) {
        end.add(clusteringValue(prefix, last));
        endIncluded = turned ? range.lowerIncluded() : range.upperIncluded();
      }
    }
    return new Slice(
        Clustering.of(
            startIncluded ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND,
            encoding,
            start),
        Clustering.of(
            endIncluded ? ClusteringKind.INCL_END_BOUND : ClusteringKind.EXCL_END_BOUND,
            encoding,
            end));
  }
}
