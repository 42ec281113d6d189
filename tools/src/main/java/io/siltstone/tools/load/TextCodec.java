package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import java.nio.charset.StandardCharsets;

/** {@code text}, more quickly than its type does it. */
final class TextCodec extends ScalarCodec {
  TextCodec(CqlType type) {
    super(type);
  }

  @Override
  void fromText(String text, ByteSink out) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        // In a pair or not: the type knows.
        super.fromText(text, out);
        return;
      }
    }
    out.put(text.getBytes(StandardCharsets.UTF_8));
  }
}
