package io.siltstone.tools.dump;

import io.siltstone.bytes.BigEndian;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.tools.terminal.KeyText;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.util.ArrayList;
import java.util.List;

/** Formats and parses partition keys, by the key type of a file's header. Immutable. */
final class PartitionKeyText {
  private static final int STATIC_MARKER = 0xffff;

  private final CqlType type;

  PartitionKeyText(CqlType type) {
    this.type = type;
  }

  /**
   * Formats the whole key as {@code -k} and {@code -x} accept it: columns separated by colons.
   *
   * @throws IllegalArgumentException if the bytes are not a value of the type
   */
  String whole(PartitionKey key) {
    return type.format(key.bytes(), key.offset(), key.length());
  }

  /**
   * Returns the key with a text.
   *
   * @throws IllegalArgumentException if the text is not a value of the type, or lacks columns
   */
  PartitionKey parse(Partitioner partitioner, String text) {
    return KeyText.parse(type, KeyText.numbers(type), partitioner, text);
  }

  /**
   * Returns the text of each column of a key.
   *
   * @throws IllegalArgumentException if the bytes are not a value of the type
   */
  List<String> columns(PartitionKey key) {
    if (type.kind() != TypeKind.COMPOSITE) {
      return List.of(whole(key));
    }
    byte[] bytes = key.bytes();
    int at = key.offset();
    int end = at + key.length();
    if (end - at >= 2 && BigEndian.getUnsignedShort(bytes, at) == STATIC_MARKER) {
      at += 2;
    }
    List<CqlType> types = type.elementTypes();
    List<String> columns = new ArrayList<>(types.size());
    while (at < end && columns.size() < types.size()) {
      int length = end - at < 2 ? -1 : BigEndian.getUnsignedShort(bytes, at);
      // Two bytes of length precede the value, and one byte follows it.
      if (length < 0 || length > end - at - 3) {
        throw new IllegalArgumentException("a composite key ends within a value");
      }
      columns.add(types.get(columns.size()).format(bytes, at + 2, length));
      at += 2 + length + 1;
      if (bytes[at - 1] != 0) {
        break;
      }
    }
    return columns;
  }
}
