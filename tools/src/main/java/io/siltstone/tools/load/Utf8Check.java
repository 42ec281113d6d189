package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;

/** Whether bytes are UTF-8 in the strict sense: no overlong forms, no surrogates. */
final class Utf8Check {
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Utf8Check() {}

  /** Index of the first byte that is not part of a character; {@code to} if there is none. */
  static int firstBad(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      while (to - at >= Long.BYTES && (BigEndian.getLong(bytes, at) & HIGH_BITS) == 0) {
        at += Long.BYTES;
      }
      while (at < to && bytes[at] >= 0) {
        at++;
        if (to - at >= Long.BYTES && (at & 7) == 0) {
          break;
        }
      }
      if (at < to && bytes[at] < 0) {
        int length = characterLength(bytes, at, to);
        if (length == 0) {
          return at;
        }
        at += length;
      }
    }
    return to;
  }

  /** Bytes of the character of several bytes that begins here, 0 if it is none. */
  private static int characterLength(byte[] bytes, int at, int to) {
    int first = bytes[at] & 0xff;
    int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || to - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
