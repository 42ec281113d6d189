package io.siltstone.type;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a CQL literal of a known type: brackets become a list or map, and each scalar its text,
 * which the types then encode.
 */
final class LiteralReader {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+");
  private static final Pattern DURATION =
      Pattern.compile("-?P\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}", Pattern.CASE_INSENSITIVE);
  private static final String DOLLARS = "$$";

  private final String text;
  private int position;

  private LiteralReader(String text) {
    this.text = text;
  }

  static byte[] read(CqlType type, String literal) {
    LiteralReader reader = new LiteralReader(literal);
    Object value = reader.value(type);
    reader.next();
    if (reader.position != literal.length()) {
      throw reader.refused("text after the literal");
    }
    if (value == null) {
      throw reader.refused("null where a value of " + type + " is wanted");
    }
    return type.encode(value);
  }

  /** Returns a part of another value: an empty one, which CQL cannot tell, is an empty text. */
  private @Nullable Object part(CqlType type) {
    next();
    if (type instanceof ScalarType scalar
        && scalar.emptyIsNull()
        && text.startsWith("''", position)
        && !text.startsWith("'", position + 2)) {
      position += 2;
      return ScalarType.EMPTY;
    }
    return value(type);
  }

  /** Returns an object that the type encodes, or null for null. */
  private @Nullable Object value(CqlType type) {
    next();
    if (text.regionMatches(true, position, "null", 0, 4) && !isBare(position + 4)) {
      position += 4;
      return null;
    }
    return switch (type.kind()) {
      case LIST, VECTOR -> sequence('[', ']', type.elementTypes().get(0));
      case SET -> sequence('{', '}', type.elementTypes().get(0));
      case MAP -> map(type.elementTypes().get(0), type.elementTypes().get(1));
      case TUPLE -> tuple(type);
      case USER -> userType((UserType) type);
      case REVERSED -> value(type.unreversed());
      case COMPOSITE -> bare();
      case SCALAR -> scalar((ScalarType) type);
    };
  }

  private String scalar(ScalarType type) {
    char first = next();
    boolean betweenDollars = text.startsWith(DOLLARS, position);
    boolean quoted = betweenDollars || first == '\'';
    String content;
    if (betweenDollars) {
      content = betweenDollars();
    } else if (quoted) {
      content = quoted('\'');
    } else {
      content = type.equals(CqlTypes.DURATION) ? duration() : bare();
    }
    boolean allowed =
        switch (type.quotes()) {
          case NEVER -> !quoted;
          case ALWAYS -> quoted;
          case UNLESS_NUMBER -> quoted || NUMBER.matcher(content).matches();
        };
    if (!allowed) {
      throw refused(type + (quoted ? " between quotes" : " without quotes"));
    }
    return content;
  }

  private Object sequence(char open, char close, CqlType element) {
    expect(open);
    List<Object> elements = new ArrayList<>();
    while (next() != close) {
      if (!elements.isEmpty()) {
        expect(',');
      }
      elements.add(present(element));
    }
    position++;
    return elements;
  }

  private Object present(CqlType type) {
    Object value = part(type);
    if (value == null) {
      throw refused("null within a collection");
    }
    return value;
  }

  private Object map(CqlType key, CqlType value) {
    expect('{');
    Map<Object, Object> entries = new LinkedHashMap<>();
    while (next() != '}') {
      if (!entries.isEmpty()) {
        expect(',');
      }
      Object keyObject = present(key);
      expect(':');
      entries.put(keyObject, present(value));
    }
    position++;
    return entries;
  }

  private Object tuple(CqlType type) {
    expect('(');
    List<@Nullable Object> fields = new ArrayList<>();
    while (next() != ')') {
      if (!fields.isEmpty()) {
        expect(',');
      }
      if (fields.size() >= type.elementTypes().size()) {
        throw refused("more fields than " + type.elementTypes().size());
      }
      fields.add(part(type.elementTypes().get(fields.size())));
    }
    position++;
    return fields;
  }

  private Object userType(UserType type) {
    expect('{');
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (next() != '}') {
      if (!fields.isEmpty()) {
        expect(',');
      }
      String name = next() == '"' ? quoted('"') : bare().toLowerCase(Locale.ROOT);
      CqlType fieldType =
          type.fields().stream()
              .filter(field -> field.name().equals(name))
              .map(UserType.Field::type)
              .findFirst()
              .orElseThrow(() -> refused(type + " has no field " + ScalarType.shortened(name)));
      expect(':');
      if (fields.containsKey(name)) {
        throw refused("field " + name + " twice");
      }
      fields.put(name, part(fieldType));
    }
    position++;
    return fields;
  }

  /** Returns the text between two quotes; a doubled quote stands for one. */
  private String quoted(char quote) {
    StringBuilder content = new StringBuilder();
    for (int i = position + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == quote) {
        if (i + 1 == text.length() || text.charAt(i + 1) != quote) {
          position = i + 1;
          return content.toString();
        }
        i++;
      }
      content.append(c);
    }
    throw refused("no closing " + quote);
  }

  /** Returns the text between two pairs of dollars, unmodified. */
  private String betweenDollars() {
    int start = position + DOLLARS.length();
    int end = text.indexOf(DOLLARS, start);
    if (end < 0) {
      throw refused("no closing " + DOLLARS);
    }
    position = end + DOLLARS.length();
    return text.substring(start, end);
  }

  /** Reads a duration, one form of which contains colons. */
  private String duration() {
    Matcher withColons = DURATION.matcher(text).region(position, text.length());
    if (!withColons.lookingAt()) {
      return bare();
    }
    position = withColons.end();
    return withColons.group();
  }

  private String bare() {
    next();
    int start = position;
    while (isBare(position)) {
      position++;
    }
    if (start == position) {
      throw refused("no value");
    }
    return text.substring(start, position);
  }

  private boolean isBare(int at) {
    if (at >= text.length()) {
      return false;
    }
    char c = text.charAt(at);
    return Character.isLetterOrDigit(c) || "+-._".indexOf(c) >= 0;
  }

  /**
   * Returns the next character after blanks and comments, which becomes the position; 0 at the end.
   */
  private char next() {
    while (position < text.length()) {
      if (Character.isWhitespace(text.charAt(position))) {
        position++;
      } else if (text.startsWith("/*", position)) {
        skipBehind("*/");
      } else if (text.startsWith("--", position) || text.startsWith("//", position)) {
        skipLine();
      } else {
        return text.charAt(position);
      }
    }
    return 0;
  }

  private void skipBehind(String end) {
    int at = text.indexOf(end, position + 2);
    if (at < 0) {
      throw refused("no closing " + end);
    }
    position = at + end.length();
  }

  private void skipLine() {
    int at = text.indexOf('\n', position);
    position = at < 0 ? text.length() : at;
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw refused("expected '" + wanted + "'");
    }
    position++;
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "literal '" + aroundPosition() + "', position " + position + ": " + why);
  }

  /** Returns the text, or of a long one what stands before and after the position. */
  private String aroundPosition() {
    int length = text.length();
    int from =
        Math.max(
            0,
            Math.min(
                position - ScalarType.MAX_QUOTED_TEXT / 2, length - ScalarType.MAX_QUOTED_TEXT));
    int to = Math.min(length, from + ScalarType.MAX_QUOTED_TEXT);
    return (from > 0 ? "…" : "") + text.substring(from, to) + (to < length ? "…" : "");
  }
}
