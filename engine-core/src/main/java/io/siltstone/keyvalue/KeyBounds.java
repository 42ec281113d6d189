package io.siltstone.keyvalue;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.table.ValueChange;
import java.util.Arrays;
import java.util.HexFormat;
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
  /** The maximum length of a bound: the first key after the longest one has a byte more. */
  private static final int MAX_LENGTH = PartitionKey.MAX_LENGTH + 1;

  /** The most bytes of a key that a message shows. */
  private static final int MOST_SHOWN = 32;

  /**
   * Returns the range between two bounds.
   *
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     too long
   */
  public static KeyBounds of(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive) {
    // Checks the bounds as they were given.
    requireOrder(from, to);
    if (from != null && to != null && Arrays.equals(from, to) && !(fromInclusive && toInclusive)) {
      return new KeyBounds(from, from);
    }
    return new KeyBounds(
        from == null || fromInclusive ? from : after(from),
        to == null || !toInclusive ? to : after(to));
  }

  /** Returns the first key after a bound; no key is as long as the longest bound. */
  private static byte[] after(byte[] bound) {
    return bound.length == MAX_LENGTH ? bound : Arrays.copyOf(bound, bound.length + 1);
  }

  /**
   * Returns the deletion of a range of keys, with copies of its bounds; null if there can be no key
   * in it.
   *
   * @param from the first key, inclusive; empty or null for the first of all
   * @param to the last key, exclusive; null for no end
   * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if one of them is
   *     too long
   */
  public static @Nullable ValueChange deletionOf(byte @Nullable [] from, byte @Nullable [] to) {
    requireOrder(from, to);
    byte[] first = firstKey(from);
    return first == null || (to != null && Arrays.compareUnsigned(first, to) >= 0)
        ? null
        : ValueChange.rangeDeletion(first, to == null ? null : to.clone());
  }

  /** Returns the first key that an entry can have from a bound on; null for none. */
  private static byte @Nullable [] firstKey(byte @Nullable [] from) {
    if (from == null || from.length == 0) {
      return new byte[1];
    }
    return from.length < MAX_LENGTH
        ? from.clone()
        : ofPrefix(Arrays.copyOf(from, PartitionKey.MAX_LENGTH)).to();
  }

  /**
   * Returns the range of the keys that begin with a prefix.
   *
   * @param prefix empty for all keys
   * @throws IllegalArgumentException if it is longer than a key can be
   */
  public static KeyBounds ofPrefix(byte[] prefix) {
    if (prefix.length > PartitionKey.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a prefix of keys of "
              + prefix.length
              + " bytes, allowed 0 to "
              + PartitionKey.MAX_LENGTH);
    }
    int length = prefix.length;
    // After 0xff there is no greater byte, so the byte before it is incremented.
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      return new KeyBounds(prefix, null);
    }
    byte[] behind = Arrays.copyOf(prefix, length);
    behind[length - 1]++;
    return new KeyBounds(prefix, behind);
  }

  /**
   * Checks a bound of a range, or the target of a seek. It may be empty, and so come before all
   * keys; and it may be longer by a byte than a key, which is the first key after the longest.
   *
   * @throws IllegalArgumentException if it is longer
   */
  public static void requireBound(byte @Nullable [] bound) {
    if (bound != null && bound.length > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a bound of keys of "
              + bound.length
              + " bytes, allowed 0 to "
              + MAX_LENGTH
              + ", as keys have at most "
              + PartitionKey.MAX_LENGTH);
    }
  }

  /**
   * Checks the bounds of a range.
   *
   * @throws IllegalArgumentException if one of them is too long, or {@code to} is less than {@code
   *     from}
   */
  static void requireOrder(byte @Nullable [] from, byte @Nullable [] to) {
    requireBound(from);
    requireBound(to);
    if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
      throw new IllegalArgumentException(
          "a range of keys from " + text(from) + " to " + text(to) + ", which comes before that");
    }
  }

  private static String text(byte[] key) {
    int shown = Math.min(key.length, MOST_SHOWN);
    return "0x"
        + HexFormat.of().formatHex(key, 0, shown)
        + (shown < key.length ? "... (" + key.length + " bytes)" : "");
  }
}
