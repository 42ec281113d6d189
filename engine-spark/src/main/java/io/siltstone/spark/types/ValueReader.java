package io.siltstone.spark.types;

import io.siltstone.type.CqlDuration;
import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of Spark's rows as objects that the engine takes for a CQL type. What the CQL type
 * cannot hold without a loss is refused, here or by the engine. Immutable, safe for use by all
 * threads.
 */
public interface ValueReader {

  /**
   * Returns the value at an ordinal, which is not null.
   *
   * @throws IllegalArgumentException if it would lose something
   */
  Object read(SpecializedGetters row, int ordinal);

  /** Returns the value at an ordinal, null for null. */
  default @Nullable Object readNullable(SpecializedGetters row, int ordinal) {
    return row.isNullAt(ordinal) ? null : read(row, ordinal);
  }

  /**
   * Returns what reads values of a type of Spark for a CQL type.
   *
   * @throws IllegalArgumentException if no value of one is a value of the other
   */
  static ValueReader of(DataType from, CqlType to) {
    CqlType plain = to.unreversed();
    ValueReader reader = find(from, plain);
    if (reader == null) {
      throw new IllegalArgumentException(
          "values of type " + from.sql() + " cannot be written as " + plain.cqlName());
    }
    return reader;
  }

  private static @Nullable ValueReader find(DataType from, CqlType to) {
    return switch (to.kind()) {
      case LIST, SET, VECTOR -> from instanceof ArrayType array ? ofArray(array, to) : ofText(from);
      case MAP -> from instanceof MapType map ? ofMap(map, to) : ofText(from);
      case TUPLE ->
          from instanceof StructType struct && struct.size() <= to.elementTypes().size()
              ? ofTuple(struct, to)
              : ofText(from);
      case USER ->
          from instanceof StructType struct ? ofUserType(struct, (UserType) to) : ofText(from);
      case SCALAR -> ofScalar(from, to.cqlName());
      case COMPOSITE, REVERSED -> null;
    };
  }

  private static @Nullable ValueReader ofText(DataType from) {
    return from instanceof StringType
        ? (row, ordinal) -> row.getUTF8String(ordinal).toString()
        : null;
  }

  private static @Nullable ValueReader ofScalar(DataType from, String to) {
    if (from instanceof StringType) {
      return ofText(from);
    }
    return switch (to) {
      case "boolean" -> from instanceof BooleanType ? SpecializedGetters::getBoolean : null;
      case "tinyint", "smallint", "int", "bigint", "varint" ->
          from instanceof DecimalType decimal ? ofWhole(decimal) : ofInteger(from);
      case "decimal" ->
          from instanceof DecimalType decimal
              ? (row, ordinal) -> number(row, ordinal, decimal)
              : ofInteger(from);
      case "float", "double" ->
          from instanceof FloatType
              ? SpecializedGetters::getFloat
              : from instanceof DoubleType ? SpecializedGetters::getDouble : ofInteger(from);
      case "blob" -> from instanceof BinaryType ? SpecializedGetters::getBinary : null;
      case "date" ->
          from instanceof DateType
              ? (row, ordinal) -> LocalDate.ofEpochDay(row.getInt(ordinal))
              : null;
      case "timestamp" ->
          from instanceof TimestampType ? (row, ordinal) -> instant(row.getLong(ordinal)) : null;
      case "time" ->
          from instanceof LongType ? (row, ordinal) -> timeOfDay(row.getLong(ordinal)) : null;
      case "duration" -> from instanceof StructType struct ? ofDuration(struct) : null;
      default -> null;
    };
  }

  private static @Nullable ValueReader ofInteger(DataType from) {
    if (from instanceof ByteType) {
      return SpecializedGetters::getByte;
    }
    if (from instanceof ShortType) {
      return SpecializedGetters::getShort;
    }
    if (from instanceof IntegerType) {
      return SpecializedGetters::getInt;
    }
    return from instanceof LongType ? SpecializedGetters::getLong : null;
  }

  private static BigDecimal number(SpecializedGetters row, int ordinal, DecimalType type) {
    return row.getDecimal(ordinal, type.precision(), type.scale()).toJavaBigDecimal();
  }

  private static ValueReader ofWhole(DecimalType type) {
    return (row, ordinal) -> {
      BigDecimal value = number(row, ordinal, type);
      try {
        return value.toBigIntegerExact();
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(value + " is not a whole number", e);
      }
    };
  }

  private static Instant instant(long micros) {
    Instant time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    if (micros % 1000 != 0) {
      throw new IllegalArgumentException(
          time + " is finer than a millisecond, which a timestamp of CQL cannot hold");
    }
    return time;
  }

  private static LocalTime timeOfDay(long nanos) {
    if (nanos < 0 || nanos > LocalTime.MAX.toNanoOfDay()) {
      throw new IllegalArgumentException(
          nanos + " ns is no time of a day, allowed 0 to " + LocalTime.MAX.toNanoOfDay());
    }
    return LocalTime.ofNanoOfDay(nanos);
  }

  private static ValueReader ofArray(ArrayType from, CqlType to) {
    ValueReader element = of(from.elementType(), to.elementTypes().get(0));
    return (row, ordinal) -> elements(row.getArray(ordinal), element);
  }

  private static List<Object> elements(ArrayData array, ValueReader element) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)) {
        throw new IllegalArgumentException("element " + i + " is null, which CQL does not allow");
      }
      values.add(element.read(array, i));
    }
    return values;
  }

  private static ValueReader ofMap(MapType from, CqlType to) {
    ValueReader key = of(from.keyType(), to.elementTypes().get(0));
    ValueReader value = of(from.valueType(), to.elementTypes().get(1));
    return (row, ordinal) -> {
      MapData map = row.getMap(ordinal);
      List<Object> keys = elements(map.keyArray(), key);
      List<Object> values = elements(map.valueArray(), value);
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        entries.put(keys.get(i), values.get(i));
      }
      return entries;
    };
  }

  private static List<ValueReader> fields(StructType from, List<CqlType> to) {
    List<ValueReader> readers = new ArrayList<>();
    for (int i = 0; i < from.size(); i++) {
      readers.add(of(from.apply(i).dataType(), to.get(i)));
    }
    return readers;
  }

  private static ValueReader ofTuple(StructType from, CqlType to) {
    List<ValueReader> readers = fields(from, to.elementTypes());
    return (row, ordinal) -> {
      InternalRow struct = row.getStruct(ordinal, readers.size());
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < readers.size(); i++) {
        values.add(readers.get(i).readNullable(struct, i));
      }
      return values;
    };
  }

  private static ValueReader ofUserType(StructType from, UserType to) {
    Map<String, CqlType> types = new LinkedHashMap<>();
    for (int i = 0; i < to.fields().size(); i++) {
      types.put(to.fields().get(i).name(), to.elementTypes().get(i));
    }
    List<String> names = List.of(from.fieldNames());
    List<CqlType> known = new ArrayList<>();
    for (String name : names) {
      CqlType type = types.get(name);
      if (type == null) {
        throw new IllegalArgumentException(
            "type " + to.cqlName() + " has no field " + name + ", only " + types.keySet());
      }
      known.add(type);
    }
    List<ValueReader> readers = fields(from, known);
    return (row, ordinal) -> {
      InternalRow struct = row.getStruct(ordinal, readers.size());
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      for (int i = 0; i < readers.size(); i++) {
        values.put(names.get(i), readers.get(i).readNullable(struct, i));
      }
      return values;
    };
  }

  private static @Nullable ValueReader ofDuration(StructType from) {
    if (!Set.copyOf(Arrays.asList(from.fieldNames()))
        .equals(Set.of(SparkTypes.DURATION.fieldNames()))) {
      return null;
    }
    int months = from.fieldIndex("months");
    int days = from.fieldIndex("days");
    int nanoseconds = from.fieldIndex("nanoseconds");
    boolean isTyped =
        from.apply(months).dataType() instanceof IntegerType
            && from.apply(days).dataType() instanceof IntegerType
            && from.apply(nanoseconds).dataType() instanceof LongType;
    return isTyped
        ? (row, ordinal) -> {
          InternalRow struct = row.getStruct(ordinal, from.size());
          return new CqlDuration(
              struct.getInt(months), struct.getInt(days), struct.getLong(nanoseconds));
        }
        : null;
  }
}
