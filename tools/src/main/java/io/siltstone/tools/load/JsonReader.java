package io.siltstone.tools.load;

import java.nio.charset.StandardCharsets;

/**
 * Reads JSON (RFC 8259) from bytes that are UTF-8, value by value, as the caller's type asks for
 * it: made for lines of objects, where a general parser's set-up per line would cost more than the
 * line. Allocates nothing.
 *
 * <p>Objects and arrays are walked so:
 *
 * <pre>
 *   json.beginObject();
 *   for (boolean first = true; json.nextField(first); first = false) { ... json.text...; value }
 * </pre>
 *
 * Everything that is no JSON is an {@link IllegalArgumentException} naming the position. Confined
 * to one thread.
 */
final class JsonReader {
  /** What comes next. */
  enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  private final ByteSink unescaped = new ByteSink(256);

  private byte[] bytes = {};
  private int from;
  private int to;
  private int at;

  private byte[] text = {};
  private int textFrom;
  private int textTo;

  /** Points it at bytes. */
  void wrap(byte[] newBytes, int newFrom, int newTo) {
    bytes = newBytes;
    from = newFrom;
    to = newTo;
    at = newFrom;
  }

  /** The array that the string or number just read lies in, without quotes and escapes. */
  byte[] text() {
    return text;
  }

  /** Index in {@link #text()} of its first byte. */
  int textFrom() {
    return textFrom;
  }

  /** Index in {@link #text()} behind its last byte. */
  int textTo() {
    return textTo;
  }

  /** The string or number just read. */
  String textString() {
    return new String(text, textFrom, textTo - textFrom, StandardCharsets.UTF_8);
  }

  /** What the next value is, by its first character. */
  Kind peek() {
    int c = nextByte();
    return switch (c) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case 't', 'f' -> Kind.BOOLEAN;
      case 'n' -> Kind.NULL;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
      default -> throw expected("a value");
    };
  }

  /** Whether nothing but blanks follows. */
  boolean atEnd() {
    return nextByte() < 0;
  }

  /** Checks that nothing but blanks follows. */
  void end() {
    if (nextByte() >= 0) {
      throw expected("the end");
    }
  }

  /** Reads the brace that opens an object. */
  void beginObject() {
    expect('{');
  }

  /**
   * Moves to the next field of the object: its name is read into {@link #text()}, its value is
   * next.
   *
   * @param first whether none has been read yet
   * @return false if the object has ended
   */
  boolean nextField(boolean first) {
    if (hasEnded(first, '}')) {
      return false;
    }
    if (nextByte() != '"') {
      throw expected("a name between \"");
    }
    string();
    expect(':');
    return true;
  }

  /** Reads the bracket that opens an array. */
  void beginArray() {
    expect('[');
  }

  /** As {@link #nextField}, of an array. */
  boolean nextElement(boolean first) {
    return !hasEnded(first, ']');
  }

  private boolean hasEnded(boolean first, char close) {
    int c = nextByte();
    if (c == close) {
      at++;
      return true;
    }
    if (!first) {
      if (c != ',') {
        throw expected("',' or '" + close + "'");
      }
      at++;
    }
    return false;
  }

  /** Reads a null. */
  void nullValue() {
    word("null");
  }

  /** Reads true or false. */
  boolean booleanValue() {
    if (bytes[at] == 't') {
      word("true");
      return true;
    }
    word("false");
    return false;
  }

  /** Reads a string into {@link #text()}. */
  void string() {
    int start = ++at;
    byte[] in = bytes;
    int end = to;
    int i = start;
    while (i < end) {
      byte c = in[i];
      if (c == '"') {
        text = in;
        textFrom = start;
        textTo = i;
        at = i + 1;
        return;
      }
      if (c == '\\') {
        unescape(start, i);
        return;
      }
      if (c >= 0 && c < ' ') {
        at = i;
        throw expected("no control character within a string");
      }
      i++;
    }
    at = end;
    throw expected("a closing \"");
  }

  private void unescape(int start, int firstEscape) {
    unescaped.clear();
    unescaped.put(bytes, start, firstEscape - start);
    at = firstEscape;
    while (at < to) {
      byte c = bytes[at];
      if (c == '"') {
        text = unescaped.bytes();
        textFrom = 0;
        textTo = unescaped.length();
        at++;
        return;
      }
      if (c == '\\') {
        escape();
        continue;
      }
      if (c >= 0 && c < ' ') {
        throw expected("no control character within a string");
      }
      unescaped.put(c);
      at++;
    }
    throw expected("a closing \"");
  }

  private void escape() {
    at++;
    int c = at < to ? bytes[at] : -1;
    switch (c) {
      case '"', '\\', '/' -> unescaped.put(c);
      case 'b' -> unescaped.put('\b');
      case 'f' -> unescaped.put('\f');
      case 'n' -> unescaped.put('\n');
      case 'r' -> unescaped.put('\r');
      case 't' -> unescaped.put('\t');
      case 'u' -> {
        unicode();
        return;
      }
      default -> throw expected("one of \"\\/bfnrtu behind a \\");
    }
    at++;
  }

  private void unicode() {
    int point = fourDigits();
    if (Character.isHighSurrogate((char) point)) {
      if (to - at < 2 || bytes[at] != '\\' || bytes[at + 1] != 'u') {
        throw expected("the second half of a surrogate pair");
      }
      at++;
      int low = fourDigits();
      if (!Character.isLowSurrogate((char) low)) {
        throw expected("the second half of a surrogate pair");
      }
      point = Character.toCodePoint((char) point, (char) low);
    } else if (Character.isLowSurrogate((char) point)) {
      throw expected("the first half of a surrogate pair");
    }
    if (point < 0x80) {
      unescaped.put(point);
    } else if (point < 0x800) {
      unescaped.put(0xc0 | (point >> 6));
      unescaped.put(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      unescaped.put(0xe0 | (point >> 12));
      unescaped.put(0x80 | ((point >> 6) & 0x3f));
      unescaped.put(0x80 | (point & 0x3f));
    } else {
      unescaped.put(0xf0 | (point >> 18));
      unescaped.put(0x80 | ((point >> 12) & 0x3f));
      unescaped.put(0x80 | ((point >> 6) & 0x3f));
      unescaped.put(0x80 | (point & 0x3f));
    }
  }

  /** From the u on, to behind the digits. */
  private int fourDigits() {
    int value = 0;
    for (int i = 1; i <= 4; i++) {
      int digit = at + i < to ? Character.digit(bytes[at + i], 16) : -1;
      if (digit < 0) {
        throw expected("four hexadecimal digits behind \\u");
      }
      value = (value << 4) | digit;
    }
    at += 5;
    return value;
  }

  /** Reads a number into {@link #text()}. */
  void number() {
    text = bytes;
    textFrom = at;
    if (bytes[at] == '-') {
      at++;
    }
    int integer = at;
    digits();
    if (at - integer > 1 && bytes[integer] == '0') {
      at = integer;
      throw expected("no zero before other digits");
    }
    if (at < to && bytes[at] == '.') {
      at++;
      digits();
    }
    if (at < to && (bytes[at] == 'e' || bytes[at] == 'E')) {
      at++;
      if (at < to && (bytes[at] == '+' || bytes[at] == '-')) {
        at++;
      }
      digits();
    }
    textTo = at;
  }

  private void digits() {
    int start = at;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    if (at == start) {
      throw expected("a digit");
    }
  }

  private void word(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= to || bytes[at + i] != word.charAt(i)) {
        throw expected(word);
      }
    }
    at += word.length();
  }

  private void expect(char wanted) {
    if (nextByte() != wanted) {
      throw expected("'" + wanted + "'");
    }
    at++;
  }

  /** The next byte that is no blank, which becomes the position; -1 at the end. */
  private int nextByte() {
    while (at < to) {
      byte c = bytes[at];
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        return c & 0xff;
      }
      at++;
    }
    return -1;
  }

  private IllegalArgumentException expected(String what) {
    String found =
        at >= to
            ? "the end"
            : "'" + new String(bytes, at, Math.min(20, to - at), StandardCharsets.UTF_8) + "'";
    return new IllegalArgumentException(
        "no JSON at byte " + (at - from + 1) + ": expected " + what + ", found " + found);
  }
}
