package io.siltstone.tools.load;

import io.siltstone.type.CqlTypes;

/** {@code uuid} in its usual form of 36 characters. */
final class UuidCodec extends ScalarCodec {
  private static final int LENGTH = 36;

  UuidCodec() {
    super(CqlTypes.UUID);
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    long most = 0;
    long least = 0;
    boolean usual = to - from == LENGTH;
    for (int i = 0; usual && i < LENGTH; i++) {
      byte c = text[from + i];
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        usual = c == '-';
        continue;
      }
      int digit = Character.digit(c, 16);
      usual = digit >= 0;
      if (i < 18) {
        most = (most << 4) | digit;
      } else {
        least = (least << 4) | digit;
      }
    }
    if (!usual) {
      super.fromText(text, from, to, out);
      return;
    }
    out.putLong(most);
    out.putLong(least);
  }
}
