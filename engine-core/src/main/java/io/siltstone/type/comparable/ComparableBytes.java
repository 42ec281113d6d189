package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;
import java.util.Arrays;

/**
 * A growing array that receives the byte-comparable form of a key, part by part.
 *
 * <p>A form of several parts has a separator in front of each part and a terminator at its end:
 *
 * <pre>
 *   0x40   a part follows
 *   0x3f   a part without bytes, such as the empty value of an int; 0x41 if its type is reversed
 *   0x3e   null
 *   0x38   the end of the parts; bounds of ranges end with 0x20 or 0x60
 * </pre>
 *
 * Reusable, confined to one thread; nothing is allocated once the array is long enough.
 */
public final class ComparableBytes {
  /** Precedes a part. */
  public static final int NEXT_PART = 0x40;

  /** Stands for a part without bytes. */
  public static final int EMPTY_PART = 0x3f;

  /** Stands for a part without bytes whose type is reversed. */
  public static final int EMPTY_REVERSED_PART = 0x41;

  /** Stands for a part that is null, which comes first even if its type is reversed. */
  public static final int NULL_PART = 0x3e;

  /** Ends a form of several parts. */
  public static final int END = 0x38;

  // A zero byte within escaped bytes is 0x00, and for each further zero that follows 0xfe, and 0xff
  // at the end of the zeros. At the end of the bytes the last one is 0xfe instead, and without
  // zeros at the end it is 0x00.
  private static final int ESCAPE = 0x00;
  private static final int ESCAPED_ZERO = 0xfe;
  private static final int ESCAPED_ZEROS_END = 0xff;

  private static final int FIRST_COMPARED = 8;
  private static final int FIRST_CAPACITY = 64;
  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 16;

  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;

  /** Creates an empty form. */
  public ComparableBytes() {}

  /** Returns the array, whose first {@link #length()} bytes are the form. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the number of bytes. */
  public int length() {
    return length;
  }

  /** Returns a byte as an unsigned number. */
  public int get(int index) {
    return bytes[index] & 0xff;
  }

  /** Changes a byte. */
  public void set(int index, int value) {
    bytes[index] = (byte) value;
  }

  /** Drops all bytes. */
  public void clear() {
    length = 0;
  }

  /** Drops the bytes from an index on. */
  public void truncate(int newLength) {
    length = newLength;
  }

  /** Becomes a copy of the first bytes of another form. */
  public void copyFrom(ComparableBytes other, int newLength) {
    length = 0;
    append(other.bytes, 0, newLength);
  }

  /** Appends the lowest eight bits. */
  public void append(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  /** Appends eight bytes, the highest first. */
  public void appendLong(long value) {
    ensure(Long.BYTES);
    BigEndian.putLong(bytes, length, value);
    length += Long.BYTES;
  }

  /** Appends bytes as they are. */
  public void append(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  /**
   * Appends bytes of any length in a form that shows where they end. Only separators and
   * terminators may follow it.
   */
  public void appendEscaped(byte[] from, int offset, int count) {
    // One more byte for each zero that no zero follows, of which every second byte may be one.
    ensure(count + count / 2 + 2L);
    byte[] to = bytes;
    int at = length;
    int end = offset + count;
    boolean afterZero = false;
    for (int i = offset; i < end; i++) {
      byte value = from[i];
      if (!afterZero) {
        to[at++] = value;
      } else if (value == 0) {
        to[at++] = (byte) ESCAPED_ZERO;
      } else {
        to[at++] = (byte) ESCAPED_ZEROS_END;
        to[at++] = value;
      }
      afterZero = value == 0;
    }
    to[at++] = (byte) (afterZero ? ESCAPED_ZERO : ESCAPE);
    length = at;
  }

  /**
   * Appends a signed number in one to nine bytes: the inverted sign, as many equal bits as there
   * are further bytes, and the number in two's complement.
   */
  public void appendSigned(long value) {
    long sign = value >> 63;
    long magnitude = value ^ sign;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(magnitude | 1);
    int count = bits / 7 + 1;
    if (count > Long.BYTES) {
      append((int) ~sign);
      // The eighth of the equal bits has no place in the first byte.
      appendLong((magnitude | Long.MIN_VALUE) ^ sign);
      return;
    }
    long marks = -0x100 >> count & 0xff;
    appendLow((magnitude | (marks << (8 * (count - 1)))) ^ sign, count);
  }

  /**
   * Appends an unsigned number in one to nine bytes: as many ones as there are further bytes, a
   * zero, and the number. All bits are flipped where those of {@code flip} are ones.
   */
  void appendUnsigned(int value, int flip) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
    int further = (bits - 1) / 7;
    long marks = -256 >> further & 0xff;
    appendLow((value | (marks << (8 * further))) ^ (flip == 0 ? 0 : -1L), further + 1);
  }

  /** Appends the lowest bytes of a number, the highest of them first. */
  void appendLow(long value, int count) {
    ensure(count);
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /** Appends a number of bytes whose values are set later. */
  void reserve(int count) {
    ensure(count);
    length += count;
  }

  /** Flips all bits from an index on, which reverses the order of a part. */
  void flip(int from) {
    for (int i = from; i < length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  private void ensure(long room) {
    long needed = length + room;
    if (needed > bytes.length) {
      if (needed > MAX_CAPACITY) {
        throw new IllegalArgumentException(
            "a byte-comparable form of " + needed + " bytes, allowed " + MAX_CAPACITY);
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_CAPACITY, Math.max(needed, 2L * length)));
    }
  }

  /** Returns the length of the longest common prefix of two forms. */
  public static int commonLength(ComparableBytes left, ComparableBytes right) {
    // Sorted forms of many keys differ in their first bytes, which are compared faster one by one.
    int first = Math.min(FIRST_COMPARED, Math.min(left.length, right.length));
    int at = 0;
    while (at < first && left.bytes[at] == right.bytes[at]) {
      at++;
    }
    if (at < FIRST_COMPARED) {
      return at;
    }
    int further = Arrays.mismatch(left.bytes, at, left.length, right.bytes, at, right.length);
    return further < 0 ? left.length : at + further;
  }

  /** Returns the order of two forms, that of their unsigned bytes, a prefix first. */
  public static int compare(ComparableBytes left, ComparableBytes right) {
    return Arrays.compareUnsigned(left.bytes, 0, left.length, right.bytes, 0, right.length);
  }

  /** Returns a copy of the bytes. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** Returns the bytes in hexadecimal, for messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("0x");
    for (int i = 0; i < length; i++) {
      text.append(Character.forDigit(bytes[i] >> 4 & 15, 16));
      text.append(Character.forDigit(bytes[i] & 15, 16));
    }
    return text.toString();
  }
}
