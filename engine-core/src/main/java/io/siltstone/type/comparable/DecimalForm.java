package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;
import java.math.BigInteger;

/**
 * The encoding of {@code decimal}: sign, exponent and mantissa to the base of 100.
 *
 * <pre>
 *   zero     0x80
 *   others   header     0x40, plus 0x80 if the number is positive, plus the number of bytes of the
 *                       exponent, or minus it if the exponent is negative
 *            exponent   without leading bytes of zero; negated if the number is negative
 *            digits     0x80 + digit, the first one not zero, without zeros at the end
 *            0x00
 * </pre>
 *
 * The number is {@code 0.digits * 100^exponent}. The first digit of a negative number is negative
 * and rounded down; the further digits are what is to be added to it, so that they are positive and
 * a longer number is the greater one. Nothing is allocated for numbers of up to eighteen decimal
 * digits. Source: Cassandra {@code DecimalType}.
 */
final class DecimalForm implements ComparableType {
  private static final int ZERO = 0x80;
  private static final int POSITIVE = 0x80;
  private static final int EXPONENT = 0x40;
  private static final int DIGIT = 0x80;
  private static final int BASE = 100;

  /** Greater numbers might overflow while they are shifted by one digit. */
  private static final long MOST_IN_LONG = Long.MAX_VALUE / 10;

  @Override
  public boolean append(byte[] value, int offset, int length, ComparableBytes out) {
    if (length == 0) {
      return false;
    }
    if (length <= Integer.BYTES) {
      throw new IllegalArgumentException(
          "decimal of " + length + " bytes, allowed 0 or at least " + (Integer.BYTES + 1));
    }
    int scale = BigEndian.getInt(value, offset);
    int from = offset + Integer.BYTES;
    int end = offset + length;
    if (end - from <= Long.BYTES) {
      long unscaled = value[from];
      for (int i = from + 1; i < end; i++) {
        unscaled = unscaled << 8 | (value[i] & 0xff);
      }
      if (unscaled >= -MOST_IN_LONG && unscaled <= MOST_IN_LONG) {
        append(unscaled, scale, out);
        return true;
      }
    }
    append(new BigInteger(value, from, end - from), scale, out);
    return true;
  }

  private static void append(long unscaled, int scale, ComparableBytes out) {
    if (unscaled == 0) {
      out.append(ZERO);
      return;
    }
    boolean negative = unscaled < 0;
    long rest = Math.abs(unscaled);
    int precision = decimalDigits(rest);
    appendExponent(scale, precision, negative, out);
    int shift = leadingZeros(scale, precision);
    int count = (shift + precision + 1) / 2;
    if (2 * count != shift + precision) {
      rest *= 10;
    }
    int first = out.length();
    out.reserve(count);
    for (int i = first + count - 1; i >= first; i--) {
      out.set(i, (int) (rest % BASE));
      rest /= BASE;
    }
    finish(first, negative, out);
  }

  private static void append(BigInteger unscaled, int scale, ComparableBytes out) {
    if (unscaled.signum() == 0) {
      out.append(ZERO);
      return;
    }
    boolean negative = unscaled.signum() < 0;
    String digits = unscaled.abs().toString();
    int precision = digits.length();
    appendExponent(scale, precision, negative, out);
    int shift = leadingZeros(scale, precision);
    int count = (shift + precision + 1) / 2;
    int first = out.length();
    out.reserve(count);
    for (int i = 0; i < count; i++) {
      int at = 2 * i - shift;
      out.set(first + i, 10 * digit(digits, at) + digit(digits, at + 1));
    }
    finish(first, negative, out);
  }

  private static int digit(String digits, int at) {
    return at < 0 || at >= digits.length() ? 0 : digits.charAt(at) - '0';
  }

  private static int decimalDigits(long positive) {
    int count = 1;
    for (long rest = positive / 10; rest > 0; rest /= 10) {
      count++;
    }
    return count;
  }

  /**
   * Returns the number of zeros before the first decimal digit: one if it is not half of a pair.
   */
  private static int leadingZeros(int scale, int precision) {
    return (int) (((long) scale - precision) & 1);
  }

  private static void appendExponent(
      int scale, int precision, boolean negative, ComparableBytes out) {
    // Half of the power of ten, rounded up.
    int exponent = Math.toIntExact(-(((long) scale - precision) & ~1L) >> 1);
    int signed = negative ? -exponent : exponent;
    int count = Integer.BYTES - Integer.numberOfLeadingZeros(Math.abs(signed)) / 8;
    out.append((negative ? 0 : POSITIVE) + EXPONENT + (signed < 0 ? -count : count));
    out.appendLow(signed, count);
  }

  /** Turns the digits from an index on into the bytes of the form. */
  private static void finish(int first, boolean negative, ComparableBytes out) {
    int last = out.length() - 1;
    while (out.get(last) == 0) {
      last--;
    }
    out.truncate(last + 1);
    for (int i = first; i <= last; i++) {
      int digit = out.get(i);
      if (negative) {
        digit = (i == first ? 0 : BASE) - digit - (i == last ? 0 : 1);
      }
      out.set(i, DIGIT + digit);
    }
    out.append(0);
  }
}
