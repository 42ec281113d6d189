package io.siltstone.spark.types;

import io.siltstone.type.CqlType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;

/** Single values of columns of a primary key as Spark has them in rows. */
public final class KeyValue {
  private static final Set<String> ORDERED =
      Set.of("tinyint", "smallint", "int", "bigint", "text", "ascii", "timestamp", "date", "time");

  private static final long MICROS_PER_MILLI = 1000;

  private KeyValue() {}

  /** Returns whether the order of a type's values is the same in Spark. */
  public static boolean isOrdered(CqlType type) {
    return ORDERED.contains(type.unreversed().cqlName());
  }

  /** Returns whether a value of a type may be empty, neither null nor a value, as null in Spark. */
  public static boolean isEmptyNull(CqlType type) {
    try {
      return type.unreversed().decode(new byte[0], 0, 0) == null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isSparkTime(Instant time) {
    long millis = time.toEpochMilli();
    return millis >= Long.MIN_VALUE / MICROS_PER_MILLI
        && millis <= Long.MAX_VALUE / MICROS_PER_MILLI;
  }

  /**
   * Returns a serialized value of such a type; empty if it is one that counts as null, or that
   * Spark cannot have.
   */
  public static Optional<Object> of(CqlType type, byte[] serialized) {
    Object value = type.unreversed().decode(serialized, 0, serialized.length);
    if (value == null || (value instanceof Instant time && !isSparkTime(time))) {
      return Optional.empty();
    }
    return Optional.of(
        switch (type.unreversed().cqlName()) {
          case "text", "ascii" -> UTF8String.fromString((String) value);
          case "timestamp" -> ChronoUnit.MICROS.between(Instant.EPOCH, (Instant) value);
          case "date" -> Math.toIntExact(((LocalDate) value).toEpochDay());
          case "time" -> ((LocalTime) value).toNanoOfDay();
          default -> value;
        });
  }
}
