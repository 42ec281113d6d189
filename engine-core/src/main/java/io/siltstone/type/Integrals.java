package io.siltstone.type;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Converts integers of all Java classes without loss. */
final class Integrals {
  private Integrals() {}

  static boolean isIntegral(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger;
  }

  /** Returns the number, or null if it is no integer. */
  static @Nullable BigInteger exact(Object value) {
    if (value instanceof BigInteger number) {
      return number;
    }
    return isIntegral(value) ? BigInteger.valueOf(((Number) value).longValue()) : null;
  }
}
