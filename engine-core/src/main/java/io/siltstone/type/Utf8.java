package io.siltstone.type;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Encodes and decodes UTF-8 by Cassandra's rules. */
final class Utf8 {
  private Utf8() {}

  /**
   * Returns whether Cassandra accepts the bytes as text. This is not exactly UTF-8: it accepts
   * {@code c0 80} for the character 0, surrogates, numbers beyond Unicode, and some overlong forms.
   * Source: Cassandra {@code UTF8Serializer}.
   */
  static boolean isAccepted(byte[] value, int offset, int length) {
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int first = value[i++] & 0xff;
      if (first < 0x80) {
        continue;
      }
      int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      if (first < 0xc0 || first == 0xc1 || first >= 0xf8 || end - i < more) {
        return false;
      }
      int second = value[i] & 0xff;
      boolean accepted =
          switch (first) {
            case 0xc0 -> second == 0x80;
            case 0xe0 -> (second & 0xe0) != 0x80;
            case 0xf0 -> (second & 0x30) != 0;
            default -> (second & 0xc0) == 0x80;
          };
      for (int k = 1; k < more; k++) {
        accepted &= (value[i + k] & 0xc0) == 0x80;
      }
      if (!accepted) {
        return false;
      }
      i += more;
    }
    return true;
  }

  /**
   * Decodes UTF-8.
   *
   * @throws IllegalArgumentException if they are not
   */
  static String decode(byte[] value, int offset, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(value, offset, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text is not UTF-8", e);
    }
  }

  /**
   * Encodes a text.
   *
   * @throws IllegalArgumentException if it has half a surrogate pair
   */
  static byte[] encode(String text) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return array;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text has half a surrogate pair", e);
    }
  }
}
