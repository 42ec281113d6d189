package io.siltstone.kafka.streams.table;

import java.util.Arrays;

/**
 * The form in which keys of a state store are kept as keys of its table. It keeps the order of
 * unsigned bytes.
 *
 * <p>A table has no empty keys, and the key of one zero byte is {@link #STATE}, under which the
 * table keeps the offsets of the store. So a key that consists of zero bytes alone, which the empty
 * key does as well, gets two more of them; every other key is kept as it is:
 *
 * <pre>
 *   (empty)     00 00
 *   00          00 00 00
 *   00 01       00 01
 *   61          61
 * </pre>
 *
 * <p>A key that is not shorter than {@link #MAX_PLAIN_LENGTH} is kept in a {@link Bucket}.
 */
final class KeyForm {
  /** The key of the entry with the offsets; it comes before all entries of the store. */
  static final byte[] STATE = {0};

  /** The form of the empty key, which is the least of all. */
  static final byte[] LEAST = {0, 0};

  /** The number of bytes that a key of a table can have, and that a bucket always has. */
  static final int BUCKET_LENGTH = 65_535;

  /** The length in this form up to which a key is that of an entry of its own. */
  static final int MAX_PLAIN_LENGTH = BUCKET_LENGTH - 1;

  private KeyForm() {}

  /** Returns the form of a key; the key itself if that is the same. */
  static byte[] of(byte[] key) {
    return isZero(key) ? new byte[key.length + LEAST.length] : key;
  }

  /** Returns the key with this form. */
  static byte[] keyOf(byte[] form) {
    return isZero(form) ? new byte[form.length - LEAST.length] : form;
  }

  /** Returns whether keys with this form are kept in a bucket. */
  static boolean isLong(byte[] form) {
    return form.length > MAX_PLAIN_LENGTH;
  }

  /** Returns the key of the table's entry that a form is kept in. */
  static byte[] stored(byte[] form) {
    return isLong(form) ? Arrays.copyOf(form, BUCKET_LENGTH) : form;
  }

  private static boolean isZero(byte[] bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }
}
