package com.example.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.siltstone.OfflineTable;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Prints the highest temperature of each station from a checkpoint of the application's state. It
 * needs neither Kafka nor the application.
 */
public final class SavedHighs {
  /** The key of the entry that has the offsets of a store. */
  private static final byte[] OFFSETS = {0};

  private SavedHighs() {}

  /** Returns a line for each station, in the order of the names. */
  static List<String> read(Path table) throws IOException {
    List<String> highs = new ArrayList<>();
    try (OfflineTable store = OfflineTable.openReadOnly(table);
        LiveRows rows = store.read(store.query().build())) {
      for (Row row : rows) {
        byte[] key = row.getBytes("key");
        if (!Arrays.equals(key, OFFSETS)) {
          // Tables of the DSL have a timestamp before the value.
          ByteBuffer value = ByteBuffer.wrap(row.getBytes("value"));
          Instant time = Instant.ofEpochMilli(value.getLong());
          highs.add(new String(key, UTF_8) + " " + value.getDouble() + " " + time);
        }
      }
    }
    return highs;
  }

  /**
   * Prints them.
   *
   * @param arguments the directory of the table {@code highs} in the checkpoint
   */
  public static void main(String[] arguments) throws IOException {
    read(Path.of(arguments[0])).forEach(System.out::println);
  }
}
