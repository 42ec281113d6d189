package io.siltstone.kafka.streams.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys of a store, in their {@linkplain KeyForm form}.
 *
 * @param from the first key; null for the least of all
 * @param to the last key; null for no end
 * @param toInclusive whether the last key is part of the range
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyRange(byte @Nullable [] from, byte @Nullable [] to, boolean toInclusive) {
  /** Returns the range between two keys of a store. */
  static KeyRange of(byte @Nullable [] from, byte @Nullable [] to, boolean toInclusive) {
    return new KeyRange(
        from == null ? null : KeyForm.of(from), to == null ? null : KeyForm.of(to), toInclusive);
  }

  /** Returns whether a form is in the range. */
  boolean contains(byte[] form) {
    if (from != null && Arrays.compareUnsigned(form, from) < 0) {
      return false;
    }
    if (to == null) {
      return true;
    }
    int compared = Arrays.compareUnsigned(form, to);
    return toInclusive ? compared <= 0 : compared < 0;
  }

  /** Returns the first key of the table that may have entries of the range. */
  byte[] storedFrom() {
    return from == null ? KeyForm.LEAST : KeyForm.stored(from);
  }

  /** Returns the last key of the table that may have entries of the range; null for no end. */
  byte @Nullable [] storedTo() {
    return to == null ? null : KeyForm.stored(to);
  }

  /** Returns whether the last key of the table may have entries of the range. */
  boolean storedToInclusive() {
    return toInclusive || (to != null && KeyForm.isLong(to));
  }
}
