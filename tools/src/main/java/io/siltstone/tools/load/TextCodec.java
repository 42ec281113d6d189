package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import java.nio.charset.StandardCharsets;

/** Parses {@code text}, faster than the type itself. */
final class TextCodec extends ScalarCodec {
  TextCodec(CqlType type) {
    super(type);
  }

  @Override
  void fromText(String text, ByteSink out) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        // The type checks whether surrogates are paired.
        super.fromText(text, out);
        return;
      }
    }
    out.put(text.getBytes(StandardCharsets.UTF_8));
  }
}
