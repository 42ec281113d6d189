package io.siltstone.bench.state;

import io.siltstone.bench.workload.BookText;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries of state stores: keys of 16 bytes, which are in the order of their numbers, and values of
 * text of one length. Values are made beforehand, so that they cost nothing when they are needed.
 * Immutable; safe for use by all threads.
 */
final class StateEntries {
  private static final int KEY_BYTES = 16;
  private static final int PREFIX_BYTES = 4;
  private static final int VALUES = 4_096;
  private static final int FACTOR = 31;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final byte[][] values = new byte[VALUES][];

  /**
   * @param valueBytes length of each value
   */
  StateEntries(int valueBytes) {
    BookText text = new BookText(1);
    for (int i = 0; i < VALUES; i++) {
      ByteBuffer piece = text.piece(i * GOLDEN, valueBytes, valueBytes);
      values[i] = new byte[piece.remaining()];
      piece.get(values[i]);
    }
  }

  /** Returns the key of an entry: {@code user} and twelve digits, the last of them even. */
  static byte[] key(long number) {
    return bytes(2 * number);
  }

  /** Returns a key between that of an entry and the next, which no entry has. */
  static byte[] missingKey(long number) {
    return bytes(2 * number + 1);
  }

  private static byte[] bytes(long number) {
    byte[] key = new byte[KEY_BYTES];
    key[0] = 'u';
    key[1] = 's';
    key[2] = 'e';
    key[3] = 'r';
    long digits = number;
    for (int i = KEY_BYTES - 1; i >= PREFIX_BYTES; i--) {
      key[i] = (byte) ('0' + digits % 10);
      digits /= 10;
    }
    return key;
  }

  /** Returns the value of an entry; each version of it is another. Not to be changed. */
  byte[] value(long number, long version) {
    return values[(int) ((number * FACTOR + version) & (VALUES - 1))];
  }

  /** Returns whether a value that was read is one of an entry in a version. */
  boolean isValue(byte @Nullable [] found, long number, long version) {
    return Arrays.equals(found, value(number, version));
  }
}
