package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;

/** {@code text} and {@code ascii}: the bytes, which are known to be UTF-8. */
final class TextCodec extends ScalarCodec {
  private final boolean ascii;

  TextCodec(CqlType type) {
    super(type);
    this.ascii = type.equals(CqlTypes.ASCII);
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    if (ascii) {
      for (int i = from; i < to; i++) {
        if (text[i] < 0) {
          throw new IllegalArgumentException(
              "'"
                  + Excerpt.of(string(text, from, to))
                  + "' is no ascii: byte "
                  + (i - from + 1)
                  + " is not from 0 to 127");
        }
      }
    }
    out.put(text, from, to - from);
  }
}
