package io.siltstone.tools.terminal;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Parses the partition keys that are named to a command: the text of one value, or of a composite
 * key the texts of all its columns, separated by colons.
 */
public final class KeyText {
  private KeyText() {}

  /** Returns stand-ins for the names of the key's columns, which are not known: 1, 2, and so on. */
  public static List<String> numbers(CqlType type) {
    int columns = type.kind() == TypeKind.COMPOSITE ? type.elementTypes().size() : 1;
    return IntStream.rangeClosed(1, columns).mapToObj(String::valueOf).toList();
  }

  /**
   * Returns the key with a text.
   *
   * @param type of the partition key
   * @param columns at least the names of its columns, in order
   * @throws IllegalArgumentException if the text is not a value of the type, or has fewer values
   *     than the key has columns; the message names the first column without a value
   */
  public static PartitionKey parse(
      CqlType type, List<String> columns, Partitioner partitioner, String text) {
    byte[] bytes = type.parse(text);
    if (type.kind() == TypeKind.COMPOSITE) {
      int wanted = type.elementTypes().size();
      Object values = Objects.requireNonNull(type.decode(bytes, 0, bytes.length));
      int given = ((List<?>) values).size();
      if (given < wanted) {
        throw new IllegalArgumentException(
            "no value of column "
                + columns.get(given)
                + ": the partition key has "
                + wanted
                + " columns, which are separated by ':'");
      }
      if (bytes[bytes.length - 1] != 0) {
        throw new IllegalArgumentException("':!' and ':_' end bounds of keys, not a key");
      }
    }
    return PartitionKey.of(bytes, partitioner.token(bytes, 0, bytes.length));
  }
}
