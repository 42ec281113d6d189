package io.siltstone.interop;

import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * One text for a row, whether Spark has it or Cassandra: strings in quotes, blobs as hexadecimal
 * digits, timestamps in microseconds, collections in their order. Of Spark's rows those inside of
 * it, since others lose the order of maps.
 */
final class CanonicalRow {
  static final String NULL = "null";

  private CanonicalRow() {}

  static String of(InternalRow row, StructType type) {
    return fields(row, type);
  }

  /**
   * Compares sorted rows.
   *
   * @throws AssertionError with the first rows that only one side has
   */
  static void requireSame(List<String> found, List<String> expected, String what) {
    if (!found.equals(expected)) {
      throw new AssertionError(
          what
              + "\nonly found: "
              + first(found, expected)
              + "\nonly expected: "
              + first(expected, found));
    }
  }

  private static List<String> first(List<String> rows, List<String> without) {
    List<String> left = new ArrayList<>(rows);
    without.forEach(left::remove);
    return left.subList(0, Math.min(3, left.size()));
  }

  static String quoted(String text) {
    return '\'' + text.replace("'", "''") + '\'';
  }

  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return hex(copy);
  }

  static String day(long epochDay) {
    return LocalDate.ofEpochDay(epochDay).toString();
  }

  static String list(List<String> elements) {
    return elements.toString();
  }

  private static String fields(InternalRow row, StructType type) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < type.size(); i++) {
      fields.add(value(row, i, type.apply(i).dataType()));
    }
    return list(fields);
  }

  private static List<String> elements(ArrayData array, DataType type) {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      elements.add(value(array, i, type));
    }
    return elements;
  }

  private static String value(SpecializedGetters row, int at, DataType type) {
    if (row.isNullAt(at)) {
      return NULL;
    }
    if (type instanceof StringType) {
      return quoted(row.getUTF8String(at).toString());
    }
    if (type instanceof BinaryType) {
      return hex(row.getBinary(at));
    }
    if (type instanceof DateType) {
      return day(row.getInt(at));
    }
    if (type instanceof ArrayType array) {
      return list(elements(row.getArray(at), array.elementType()));
    }
    if (type instanceof MapType map) {
      MapData entries = row.getMap(at);
      List<String> keys = elements(entries.keyArray(), map.keyType());
      List<String> values = elements(entries.valueArray(), map.valueType());
      return map(keys, values);
    }
    if (type instanceof StructType struct) {
      return fields(row.getStruct(at, struct.size()), struct);
    }
    // Numbers, booleans, and microseconds of timestamps.
    @Nullable Object value = row.get(at, type);
    return String.valueOf(value);
  }

  static String map(List<String> keys, List<String> values) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      entries.add(keys.get(i) + ": " + values.get(i));
    }
    return list(entries);
  }
}
