package io.siltstone.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON object in one line, as files of JSON lines contain them: reads and writes members that are
 * strings, whole numbers or arrays of whole numbers.
 *
 * <p>The reader accepts any JSON object, and keeps members of other types as unread text, so that
 * later versions may add members. Source: RFC 8259. Immutable, safe for use by all threads.
 */
public final class JsonLine {
  private final Map<String, Object> members;

  private JsonLine(Map<String, Object> members) {
    this.members = members;
  }

  /** Returns a builder of a line without members. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Parses a line.
   *
   * @throws IllegalArgumentException if it is no JSON object, for example because it is incomplete;
   *     the message names the index
   */
  public static JsonLine parse(String line) {
    return new JsonLine(new Reader(line).readLine());
  }

  /**
   * Returns a member that is a string.
   *
   * @throws IllegalArgumentException if there is no such member, or if it has another type
   */
  public String string(String name) {
    return member(name, String.class, "a string");
  }

  /**
   * Returns a member that is a whole number.
   *
   * @throws IllegalArgumentException if there is no such member, or if it is no whole number of 64
   *     bits
   */
  public long number(String name) {
    return member(name, Long.class, "a whole number");
  }

  /**
   * Returns a member that is an array of whole numbers.
   *
   * @throws IllegalArgumentException if there is no such member, or if it has another type
   */
  public List<Long> numbers(String name) {
    return member(name, Numbers.class, "an array of whole numbers").values;
  }

  private <T> T member(String name, Class<T> type, String description) {
    Object value = members.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "member \"" + name + "\" " + (value == null ? "is missing" : "is not " + description));
    }
    return type.cast(value);
  }

  private record Numbers(List<Long> values) {}

  /** A value that is neither a string nor a whole number nor an array of whole numbers. */
  private record Other(String text) {}

  /** Builds a line, member by member. Confined to one thread. */
  public static final class Builder {
    private final StringBuilder text = new StringBuilder("{");

    private Builder() {}

    /** Adds a member that is a string. */
    public Builder put(String name, String value) {
      name(name);
      quote(value);
      return this;
    }

    /** Adds a member that is a number. */
    public Builder put(String name, long value) {
      name(name);
      text.append(value);
      return this;
    }

    /** Adds a member that is an array of numbers. */
    public Builder put(String name, List<Long> values) {
      name(name);
      text.append('[');
      for (int i = 0; i < values.size(); i++) {
        text.append(i == 0 ? "" : ",").append(values.get(i));
      }
      text.append(']');
      return this;
    }

    /** Returns the line, without the line's end. */
    public String build() {
      return text + "}";
    }

    private void name(String name) {
      if (text.length() > 1) {
        text.append(',');
      }
      quote(name);
      text.append(':');
    }

    private void quote(String value) {
      text.append('"');
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '"' || c == '\\') {
          text.append('\\').append(c);
        } else if (c < ' ') {
          text.append("\\u00").append(c >> 4).append(Character.forDigit(c & 0xf, 16));
        } else {
          text.append(c);
        }
      }
      text.append('"');
    }
  }

  /** A recursive-descent parser of one line. */
  private static final class Reader {
    // Deeper nesting is rejected, because it could overflow the stack.
    private static final int MAX_DEPTH = 100;

    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    Map<String, Object> readLine() {
      skipBlanks();
      Map<String, Object> members = object(1);
      if (at != text.length()) {
        throw wrong("the end of the line");
      }
      return members;
    }

    private Map<String, Object> object(int depth) {
      Map<String, Object> members = new LinkedHashMap<>();
      expect('{');
      if (accept('}')) {
        return members;
      }
      do {
        String name = string();
        skipBlanks();
        expect(':');
        members.put(name, value(depth));
      } while (accept(','));
      expect('}');
      return members;
    }

    private Object value(int depth) {
      if (depth > MAX_DEPTH) {
        throw wrong("at most " + MAX_DEPTH + " nested values");
      }
      int from = at;
      char first = peek();
      Object value;
      if (first == '"') {
        value = string();
      } else if (first == '{') {
        object(depth + 1);
        value = new Other(text.substring(from, at));
      } else if (first == '[') {
        value = array(depth + 1);
      } else {
        value = literal();
      }
      skipBlanks();
      return value;
    }

    private Object array(int depth) {
      int from = at;
      List<Long> numbers = new ArrayList<>();
      boolean isOther = false;
      expect('[');
      if (!accept(']')) {
        do {
          if (value(depth) instanceof Long number) {
            numbers.add(number);
          } else {
            isOther = true;
          }
        } while (accept(','));
        expect(']');
      }
      return isOther ? new Other(text.substring(from, at)) : new Numbers(List.copyOf(numbers));
    }

    /** Reads a number, or one of true, false and null. */
    private Object literal() {
      int from = at;
      while (at < text.length() && isOfLiteral(text.charAt(at))) {
        at++;
      }
      String literal = text.substring(from, at);
      if (literal.matches("-?(0|[1-9][0-9]{0,18})")) {
        try {
          return Long.valueOf(literal);
        } catch (NumberFormatException e) {
          return new Other(literal);
        }
      }
      if (!literal.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
        at = from;
        throw wrong("a value");
      }
      return new Other(literal);
    }

    private static boolean isOfLiteral(char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || "E+-.".indexOf(c) >= 0;
    }

    private String string() {
      if (peek() != '"') {
        throw wrong("a string");
      }
      at++;
      StringBuilder value = new StringBuilder();
      while (true) {
        char c = peek();
        at++;
        if (c == '"') {
          return value.toString();
        }
        if (c < ' ') {
          at--;
          throw wrong("an escaped control character");
        }
        value.append(c == '\\' ? escaped() : c);
      }
    }

    private char escaped() {
      char c = peek();
      at++;
      return switch (c) {
        case '"', '\\', '/' -> c;
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'u' -> hexadecimal();
        default -> {
          at--;
          throw wrong("an escape sequence");
        }
      };
    }

    private char hexadecimal() {
      int code = 0;
      for (int i = 0; i < 4; i++) {
        int digit = Character.digit(peek(), 16);
        if (digit < 0) {
          throw wrong("four hexadecimal digits");
        }
        code = code << 4 | digit;
        at++;
      }
      return (char) code;
    }

    private char peek() {
      if (at == text.length()) {
        throw wrong("more characters");
      }
      return text.charAt(at);
    }

    private void expect(char c) {
      if (peek() != c) {
        throw wrong("'" + c + "'");
      }
      at++;
      skipBlanks();
    }

    private boolean accept(char c) {
      if (peek() != c) {
        return false;
      }
      at++;
      skipBlanks();
      return true;
    }

    private void skipBlanks() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
    }

    private IllegalArgumentException wrong(String allowed) {
      return new IllegalArgumentException(
          "no JSON object: at index "
              + at
              + (at < text.length() ? " '" + text.charAt(at) + "'" : " the end")
              + ", expected "
              + allowed);
    }
  }
}
