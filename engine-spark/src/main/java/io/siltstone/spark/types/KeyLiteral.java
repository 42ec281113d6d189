package io.siltstone.spark.types;

import io.siltstone.type.CqlType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * Literals of Spark's predicates as values of columns of a primary key, for types whose equality
 * and order are the same in Spark and in CQL. Floating point numbers, decimals and addresses are
 * left to Spark.
 */
public final class KeyLiteral {
  private static final long MICROS_PER_MILLI = 1000;

  private KeyLiteral() {}

  /**
   * Returns the value of a literal.
   *
   * @param type of the column
   * @param isEquality whether only the equality of values counts, and not their order
   * @return empty if the column can have no such value, or the literal is null or of another type
   */
  public static Optional<Object> of(Literal<?> literal, CqlType type, boolean isEquality) {
    CqlType plain = type.unreversed();
    if (literal.value() == null || !literal.dataType().equals(SparkTypes.of(plain, false))) {
      return Optional.empty();
    }
    Object value = value(literal.value(), plain.cqlName(), isEquality);
    if (value == null) {
      return Optional.empty();
    }
    try {
      plain.encode(value);
      return Optional.of(value);
    } catch (IllegalArgumentException e) {
      // No row has it, which Spark finds out.
      return Optional.empty();
    }
  }

  private static @Nullable Object value(Object literal, String type, boolean isEquality) {
    return switch (type) {
      case "tinyint", "smallint", "int", "bigint" -> literal;
      case "boolean" -> isEquality ? literal : null;
      case "text", "ascii" -> ((UTF8String) literal).toString();
      case "blob" -> literal;
      case "uuid", "timeuuid" -> isEquality ? uuid(literal.toString()) : null;
      case "timestamp" -> time((Long) literal);
      case "date" -> LocalDate.ofEpochDay((Integer) literal);
      case "time" -> timeOfDay((Long) literal);
      default -> null;
    };
  }

  /** Returns null for a text that is not written as Spark sees the values of the column. */
  private static @Nullable UUID uuid(String text) {
    try {
      UUID uuid = UUID.fromString(text);
      return uuid.toString().equals(text) ? uuid : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Instant time(long micros) {
    return micros % MICROS_PER_MILLI == 0 ? Instant.EPOCH.plus(micros, ChronoUnit.MICROS) : null;
  }

  private static @Nullable LocalTime timeOfDay(long nanos) {
    return nanos >= 0 && nanos <= LocalTime.MAX.toNanoOfDay() ? LocalTime.ofNanoOfDay(nanos) : null;
  }
}
