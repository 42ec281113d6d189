package io.siltstone.keyvalue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys between two bounds, each inclusive or exclusive, in the form from the first key,
 * inclusive, to the first one after the last, exclusive: the least key that is greater than another
 * is that key and a zero byte.
 *
 * @param from the first key; null for the first of all
 * @param to the first key after the range; null for no end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KeyBounds(byte @Nullable [] from, byte @Nullable [] to) {

  /**
   * Returns the range between two bounds.
   *
   * @throws IllegalArgumentException if {@code to} is less than {@code from}
   */
  public static KeyBounds of(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive) {
    // Checks the order of the bounds as they were given.
    var unused = KeyValueTable.range(from, to);
    if (from != null && to != null && Arrays.equals(from, to) && !(fromInclusive && toInclusive)) {
      return new KeyBounds(from, from);
    }
    return new KeyBounds(
        from == null || fromInclusive ? from : Arrays.copyOf(from, from.length + 1),
        to == null || !toInclusive ? to : Arrays.copyOf(to, to.length + 1));
  }
}
