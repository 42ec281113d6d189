package io.siltstone.compaction.task;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import io.siltstone.type.CqlType;

/** Formats partition keys for messages: as values, by the key type of an SSTable. Immutable. */
final class KeyText {
  private static final int MOST_CHARACTERS = 100;

  private final CqlType type;

  KeyText(SSTable table) {
    this.type = table.header().keyType();
  }

  /**
   * Returns the key as text with its token; in hexadecimal if its bytes are no value of the type.
   */
  String of(PartitionKey key) {
    String text;
    try {
      text = type.format(key.bytes(), key.offset(), key.length());
    } catch (IllegalArgumentException e) {
      return key.toString();
    }
    StringBuilder shown = new StringBuilder("key ");
    int count = Math.min(text.length(), MOST_CHARACTERS);
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return shown
        .append(count < text.length() ? "..." : "")
        .append(" (token ")
        .append(key.token())
        .append(')')
        .toString();
  }
}
