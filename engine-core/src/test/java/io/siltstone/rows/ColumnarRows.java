package io.siltstone.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads a columnar reader row by row, as text that is compared with that of {@link LiveRows}. */
public final class ColumnarRows {
  private ColumnarRows() {}

  /** A vector that takes all types, with times. */
  static final class Recorder implements ColumnVector {
    private final List<@Nullable Object> values = new ArrayList<>();

    private void put(int row, @Nullable Object value) {
      if (row != values.size()) {
        throw new IllegalStateException("row " + row + " after " + values.size());
      }
      values.add(value);
    }

    @Nullable Object get(int row) {
      return values.get(row);
    }

    void clear() {
      values.clear();
    }

    @Override
    public void putNull(int row) {
      put(row, null);
    }

    @Override
    public void putBoolean(int row, boolean value) {
      put(row, value);
    }

    @Override
    public void putLong(int row, long value) {
      put(row, value);
    }

    @Override
    public void putFloat(int row, float value) {
      put(row, value);
    }

    @Override
    public void putDouble(int row, double value) {
      put(row, value);
    }

    @Override
    public void putBytes(int row, byte[] from, int offset, int length) {
      put(row, HexFormat.of().formatHex(from, offset, offset + length));
    }

    @Override
    public boolean takesTimes() {
      return true;
    }

    @Override
    public void putTimes(int row, long timestampMicros, int ttlSeconds) {
      values.set(row, values.get(row) + times(timestampMicros, ttlSeconds));
    }
  }

  private static String times(long timestampMicros, int ttlSeconds) {
    return " at " + timestampMicros + " for " + ttlSeconds;
  }

  /** Reads all batches, of random sizes, and closes the reader. */
  public static List<List<@Nullable Object>> all(ColumnarReader reader, Random random)
      throws IOException {
    return all(reader, random, () -> {});
  }

  /**
   * Reads all batches, of random sizes, and closes the reader.
   *
   * @param atEnd runs before it is closed
   */
  static List<List<@Nullable Object>> all(ColumnarReader reader, Random random, Runnable atEnd)
      throws IOException {
    List<List<@Nullable Object>> all = new ArrayList<>();
    try (reader) {
      Recorder[] vectors = new Recorder[reader.columns().size()];
      Arrays.setAll(vectors, i -> new Recorder());
      int most = 1 + random.nextInt(8);
      for (int count = reader.fill(vectors, most); count > 0; ) {
        for (int row = 0; row < count; row++) {
          List<@Nullable Object> values = new ArrayList<>();
          for (Recorder vector : vectors) {
            values.add(vector.get(row));
          }
          all.add(Collections.unmodifiableList(values));
        }
        for (Recorder vector : vectors) {
          vector.clear();
        }
        most = 1 + random.nextInt(8);
        count = reader.fill(vectors, most);
      }
      atEnd.run();
    }
    return all;
  }

  /** The same of a row. */
  public static List<@Nullable Object> of(Row row) {
    return IntStream.range(0, row.columns().size()).mapToObj(i -> value(row, i)).toList();
  }

  private static @Nullable Object value(Row row, int index) {
    Object value = plain(row, index);
    String name = row.columns().get(index).name();
    return value == null || row.columns().get(index).isPrimaryKey()
        ? value
        : value + times(row.timestamp(name).orElseThrow(), row.ttl(name).orElse(0));
  }

  private static @Nullable Object plain(Row row, int index) {
    Object value = row.get(index);
    if (value == null || value instanceof Boolean) {
      return value;
    }
    if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long) {
      return ((Number) value).longValue();
    }
    if (value instanceof Float || value instanceof Double) {
      return value;
    }
    if (value instanceof LocalDate date) {
      return date.toEpochDay();
    }
    if (value instanceof Instant instant) {
      return instant.toEpochMilli();
    }
    if (value instanceof LocalTime time) {
      return time.toNanoOfDay();
    }
    ByteBuffer bytes = row.getSerialized(index);
    byte[] copy = new byte[bytes == null ? 0 : bytes.remaining()];
    if (bytes != null) {
      bytes.get(copy);
    }
    return HexFormat.of().formatHex(copy);
  }
}
