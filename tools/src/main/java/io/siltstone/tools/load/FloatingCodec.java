package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;

/**
 * {@code float} and {@code double}. A short decimal is an integer and a power of ten that are both
 * exact in the type, so that one division rounds it as it should be (Clinger's fast path).
 */
final class FloatingCodec extends ScalarCodec {
  private static final double[] DOUBLE_POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final float[] FLOAT_POWERS = {
    1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f
  };
  private static final long MAX_DOUBLE_INTEGER = 1L << 53;
  private static final long MAX_FLOAT_INTEGER = 1L << 24;
  private static final int SAFE_DIGITS = 18;

  private final boolean single;

  FloatingCodec(CqlType type) {
    super(type);
    this.single = type.equals(CqlTypes.FLOAT);
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    boolean negative = from < to && text[from] == '-';
    int at = negative ? from + 1 : from;
    int digits = 0;
    int fraction = -1;
    long integer = 0;
    for (; at < to; at++) {
      byte c = text[at];
      if (c == '.' && fraction < 0) {
        fraction = 0;
      } else if (c >= '0' && c <= '9' && digits < SAFE_DIGITS) {
        integer = 10 * integer + (c - '0');
        digits++;
        fraction += fraction >= 0 ? 1 : 0;
      } else {
        super.fromText(text, from, to, out);
        return;
      }
    }
    int places = Math.max(fraction, 0);
    if (digits == 0) {
      super.fromText(text, from, to, out);
    } else if (single && integer <= MAX_FLOAT_INTEGER && places < FLOAT_POWERS.length) {
      float value = (float) integer / FLOAT_POWERS[places];
      out.putInt(Float.floatToRawIntBits(negative ? -value : value));
    } else if (!single && integer <= MAX_DOUBLE_INTEGER && places < DOUBLE_POWERS.length) {
      double value = (double) integer / DOUBLE_POWERS[places];
      out.putLong(Double.doubleToRawLongBits(negative ? -value : value));
    } else {
      super.fromText(text, from, to, out);
    }
  }
}
