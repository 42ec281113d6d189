package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The columns of a table's partition key and their values. Immutable, safe for all threads. */
final class KeyParts {
  private final List<Column> columns;
  private final Partitioner partitioner;

  KeyParts(List<Column> columns, Partitioner partitioner) {
    this.columns = columns;
    this.partitioner = partitioner;
  }

  /**
   * Returns the key of the given values.
   *
   * @throws IllegalArgumentException if a value is invalid or too long
   */
  PartitionKey key(Object... values) {
    if (values.length != columns.size()) {
      throw new IllegalArgumentException(
          CountText.of(values.length, "value")
              + " of a partition key, the table has "
              + columns.stream().map(Column::name).toList());
    }
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        throw new IllegalArgumentException(
            "column '" + columns.get(i).name() + "' of the partition key is null");
      }
      parts.add(SliceSet.encode(columns.get(i), values[i]));
    }
    return keyOf(PartitionKey.join(parts));
  }

  /** Returns the key of these bytes, which are not copied. */
  PartitionKey keyOf(byte[] bytes) {
    if (bytes.length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a partition key of " + bytes.length + " bytes, allowed " + PartitionKey.MAX_LENGTH);
    }
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }

  /**
   * Puts the values of a key into the first slots of a block.
   *
   * @throws IOException if the key does not consist of these columns
   */
  void split(PartitionKey key, ValueBlockBuilder into) throws IOException {
    byte[] bytes = key.bytes();
    int at = key.offset();
    if (columns.size() == 1) {
      into.value(0, bytes, at, key.length());
      return;
    }
    int end = at + key.length();
    for (int i = 0; i < columns.size(); i++) {
      int length = end - at < Short.BYTES ? end - at : BigEndian.getUnsignedShort(bytes, at);
      at += Short.BYTES;
      if (end - at <= length) {
        throw new IOException(key + " ends within column '" + columns.get(i).name() + "'");
      }
      into.value(i, bytes, at, length);
      at += length + 1;
    }
  }

  /** Returns the key whose values are in the first slots of a block. */
  byte[] join(byte[] block) {
    List<byte[]> parts = new ArrayList<>();
    for (int slot = 0; slot < columns.size(); slot++) {
      parts.add(ValueBlock.value(block, slot));
    }
    return PartitionKey.join(parts);
  }
}
