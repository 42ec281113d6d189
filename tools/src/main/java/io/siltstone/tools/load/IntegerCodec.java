package io.siltstone.tools.load;

import io.siltstone.type.CqlType;

/** {@code tinyint}, {@code smallint}, {@code int}, {@code bigint}, from digits. */
final class IntegerCodec extends ScalarCodec {
  /** So many digits fit in a long whatever they are. */
  private static final int SAFE_DIGITS = 18;

  private final int width;

  IntegerCodec(CqlType type) {
    super(type);
    this.width = type.fixedLength() > 0 ? type.fixedLength() : widthOf(type);
  }

  private static int widthOf(CqlType type) {
    // Cassandra gives the two small ones no fixed length, though all their values have one.
    return type.encode("0").length;
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    boolean negative = from < to && text[from] == '-';
    int at = negative ? from + 1 : from;
    if (at == to || to - at > SAFE_DIGITS) {
      super.fromText(text, from, to, out);
      return;
    }
    long value = 0;
    for (; at < to; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        super.fromText(text, from, to, out);
        return;
      }
      value = 10 * value + digit;
    }
    value = negative ? -value : value;
    int unused = Long.SIZE - Byte.SIZE * width;
    if ((value << unused) >> unused != value) {
      throw new IllegalArgumentException(
          value
              + " is no "
              + type().cqlName()
              + ", allowed "
              + (Long.MIN_VALUE >> unused)
              + " to "
              + (Long.MAX_VALUE >> unused));
    }
    switch (width) {
      case Byte.BYTES -> out.put((int) value);
      case Short.BYTES -> out.putShort((int) value);
      case Integer.BYTES -> out.putInt((int) value);
      default -> out.putLong(value);
    }
  }
}
