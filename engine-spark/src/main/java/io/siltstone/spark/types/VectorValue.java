package io.siltstone.spark.types;

import io.siltstone.type.CqlDuration;
import io.siltstone.type.CqlType;
import io.siltstone.type.UserType;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;

/**
 * Puts decoded values of one CQL type into vectors of Spark, at any depth. Values are objects of
 * the classes that {@link io.siltstone.type} lists. Immutable, safe for use by all threads.
 */
interface VectorValue {
  /** The number of microseconds in a second, as Spark counts timestamps in microseconds. */
  long MICROS_PER_SECOND = 1_000_000;

  /**
   * Puts a value at an index, for which the vector makes room.
   *
   * @throws IllegalArgumentException if the type of Spark cannot take the value
   */
  void put(WritableColumnVector into, int at, Object value);

  /** Puts a value or null. */
  default void putNullable(WritableColumnVector into, int at, @Nullable Object value) {
    into.reserve(at + 1);
    if (value == null) {
      into.putNull(at);
    } else {
      put(into, at, value);
    }
  }

  /** Returns what puts values of a type. */
  static VectorValue of(CqlType type, boolean areNumbersText) {
    CqlType plain = type.unreversed();
    List<VectorValue> parts = new ArrayList<>();
    plain.elementTypes().forEach(part -> parts.add(of(part, areNumbersText)));
    return switch (plain.kind()) {
      case LIST, SET, VECTOR -> (into, at, value) -> putArray(into, at, value, parts.get(0));
      case MAP -> (into, at, value) -> putMap(into, at, (Map<?, ?>) value, parts);
      case TUPLE -> (into, at, value) -> putFields(into, at, (List<?>) value, parts);
      case USER -> {
        List<String> names =
            ((UserType) plain).fields().stream().map(UserType.Field::name).toList();
        yield (into, at, value) -> {
          Map<?, ?> fields = (Map<?, ?>) value;
          List<@Nullable Object> values = new ArrayList<>();
          names.forEach(name -> values.add(fields.get(name)));
          putFields(into, at, values, parts);
        };
      }
      case SCALAR, COMPOSITE, REVERSED -> scalar(plain, areNumbersText);
    };
  }

  private static void putArray(
      WritableColumnVector into, int at, Object value, VectorValue element) {
    WritableColumnVector child = into.arrayData();
    int from = child.getElementsAppended();
    int count;
    if (value instanceof Collection<?> elements) {
      count = elements.size();
      int next = from;
      child.addElementsAppended(count);
      for (Object each : elements) {
        element.putNullable(child, next++, each);
      }
    } else {
      count = Array.getLength(value);
      child.addElementsAppended(count);
      for (int i = 0; i < count; i++) {
        element.putNullable(child, from + i, Array.get(value, i));
      }
    }
    into.putArray(at, from, count);
  }

  private static void putMap(
      WritableColumnVector into, int at, Map<?, ?> entries, List<VectorValue> parts) {
    WritableColumnVector keys = into.getChild(0);
    WritableColumnVector values = into.getChild(1);
    int from = keys.getElementsAppended();
    keys.addElementsAppended(entries.size());
    values.addElementsAppended(entries.size());
    int next = from;
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      parts.get(0).putNullable(keys, next, entry.getKey());
      parts.get(1).putNullable(values, next, entry.getValue());
      next++;
    }
    into.putArray(at, from, entries.size());
  }

  private static void putFields(
      WritableColumnVector into, int at, List<?> values, List<VectorValue> parts) {
    into.putNotNull(at);
    for (int i = 0; i < parts.size(); i++) {
      // The last fields may be missing.
      parts.get(i).putNullable(into.getChild(i), at, i < values.size() ? values.get(i) : null);
    }
  }

  private static VectorValue scalar(CqlType type, boolean areNumbersText) {
    return switch (type.cqlName()) {
      case "boolean" -> (into, at, value) -> into.putBoolean(at, (Boolean) value);
      case "tinyint" -> (into, at, value) -> into.putByte(at, (Byte) value);
      case "smallint" -> (into, at, value) -> into.putShort(at, (Short) value);
      case "int" -> (into, at, value) -> into.putInt(at, (Integer) value);
      case "bigint", "counter" -> (into, at, value) -> into.putLong(at, (Long) value);
      case "float" -> (into, at, value) -> into.putFloat(at, (Float) value);
      case "double" -> (into, at, value) -> into.putDouble(at, (Double) value);
      case "timestamp" -> (into, at, value) -> into.putLong(at, micros((Instant) value));
      case "date" -> (into, at, value) -> into.putInt(at, days((LocalDate) value));
      case "time" -> (into, at, value) -> into.putLong(at, ((LocalTime) value).toNanoOfDay());
      case "inet" -> (into, at, value) -> putText(into, at, ((InetAddress) value).getHostAddress());
      case "text", "ascii", "uuid", "timeuuid" ->
          (into, at, value) -> putText(into, at, value.toString());
      case "duration" -> (into, at, value) -> putDuration(into, at, (CqlDuration) value);
      case "varint", "decimal" ->
          areNumbersText
              ? (into, at, value) -> putText(into, at, text(value))
              : (into, at, value) -> into.putDecimal(at, decimal(value), SparkTypes.PRECISION);
      default -> (into, at, value) -> into.putByteArray(at, bytes(type, value));
    };
  }

  private static String text(Object number) {
    return number instanceof BigDecimal decimal ? decimal.toPlainString() : number.toString();
  }

  private static byte[] bytes(CqlType type, Object value) {
    return value instanceof byte[] bytes ? bytes : type.encode(value);
  }

  private static void putText(WritableColumnVector into, int at, String text) {
    into.putByteArray(at, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void putDuration(WritableColumnVector into, int at, CqlDuration duration) {
    for (int i = 0; i < SparkTypes.DURATION.size(); i++) {
      into.getChild(i).reserve(at + 1);
    }
    into.putNotNull(at);
    into.getChild(0).putInt(at, duration.months());
    into.getChild(1).putInt(at, duration.days());
    into.getChild(2).putLong(at, duration.nanoseconds());
  }

  private static int days(LocalDate date) {
    return Math.toIntExact(date.toEpochDay());
  }

  private static long micros(Instant time) {
    try {
      // ChronoUnit.between counts nanoseconds, which end in the year 2262.
      return Math.addExact(
          Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND), time.getNano() / 1000);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(time + " is beyond Spark's timestamps", e);
    }
  }

  private static Decimal decimal(Object number) {
    BigDecimal exact =
        number instanceof BigInteger whole ? new BigDecimal(whole) : fitted((BigDecimal) number);
    if (exact.precision() > SparkTypes.PRECISION) {
      throw tooLong(number, null);
    }
    return Decimal.apply(exact, SparkTypes.PRECISION, exact.scale());
  }

  private static BigDecimal fitted(BigDecimal number) {
    // A zero or an exponent of any size would make digits without end.
    if (number.precision() - (long) number.scale() > SparkTypes.PRECISION - SparkTypes.SCALE
        && number.signum() != 0) {
      throw tooLong(number, null);
    }
    try {
      return (number.signum() == 0 ? BigDecimal.ZERO : number).setScale(SparkTypes.SCALE);
    } catch (ArithmeticException e) {
      throw tooLong(number, e);
    }
  }

  private static IllegalArgumentException tooLong(Object number, @Nullable Exception cause) {
    return new IllegalArgumentException(
        number
            + " does not fit Spark's decimal("
            + SparkTypes.PRECISION
            + (number instanceof BigInteger ? ", 0)" : ", " + SparkTypes.SCALE + ")")
            + "; option numbersAsText reads such columns as strings",
        cause);
  }
}
