package io.siltstone.type;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The base class of scalar types, which have no parameters. */
abstract class ScalarType extends CqlType {
  /** Maximum number of characters of a text in messages. */
  static final int MAX_QUOTED_TEXT = 100;

  private final String className;
  private final String cqlName;

  /**
   * @param simpleClassName of Cassandra's class
   */
  ScalarType(String simpleClassName, String cqlName) {
    this.className = TypeParser.PACKAGE + simpleClassName;
    this.cqlName = cqlName;
  }

  @Override
  public final String className() {
    return className;
  }

  @Override
  public final String cqlName() {
    return cqlName;
  }

  /** The object for the empty value, which has no object of the type's class. */
  static final Object EMPTY = new Object();

  /** Whether literals of a type are quoted. */
  enum Quotes {
    NEVER,
    /** A form as a number, which has no quotes. */
    UNLESS_NUMBER,
    ALWAYS
  }

  /** Returns whether literals of this type stand between quotes. */
  Quotes quotes() {
    return Quotes.NEVER;
  }

  /** Returns a valid value, not empty unless empty has a meaning, as {@link #format} prints it. */
  abstract String text(byte[] value, int offset, int length);

  /**
   * Returns the bytes of an object of this type's class; others are refused with {@link #refused}.
   */
  abstract byte[] encodeObject(Object value);

  /** Returns the bytes of the text within a literal's quotes, if it has any. */
  byte[] encodeText(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no " + cqlName + " in an empty text");
    }
    return parse(text);
  }

  @Override
  public final byte[] encode(Object value) {
    if (value == EMPTY) {
      byte[] nothing = {};
      validate(nothing, 0, 0);
      return nothing;
    }
    return value instanceof String text ? encodeText(text) : encodeObject(value);
  }

  @Override
  public String format(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return length == 0 && emptyIsNull() ? "" : text(value, offset, length);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    if (length == 0 && emptyIsNull()) {
      return "\"\"";
    }
    validate(value, offset, length);
    return '"' + text(value, offset, length) + '"';
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    if (length == 0 && emptyIsNull()) {
      return "null";
    }
    validate(value, offset, length);
    String text = text(value, offset, length);
    return quotes() != Quotes.NEVER ? '\'' + text.replace("'", "''") + '\'' : text;
  }

  @Override
  public @Nullable Object decode(byte[] value, int offset, int length) {
    if (length == 0 && emptyIsNull()) {
      return null;
    }
    validate(value, offset, length);
    return decodeValid(value, offset, length);
  }

  /** Decodes bytes that are valid, and not empty unless empty has a meaning. */
  abstract Object decodeValid(byte[] value, int offset, int length);

  /** Returns whether empty bytes stand for no value. */
  boolean emptyIsNull() {
    return true;
  }

  final IllegalArgumentException refused(Object value, String allowed) {
    return new IllegalArgumentException(
        "a "
            + value.getClass().getName()
            + " is no "
            + cqlName
            + ", allowed: "
            + allowed
            + ", String");
  }

  final IllegalArgumentException noValue(String text) {
    return new IllegalArgumentException("'" + shortened(text) + "' is no " + cqlName);
  }

  final IllegalArgumentException noValue(String text, Throwable cause) {
    return new IllegalArgumentException("'" + shortened(text) + "' is no " + cqlName, cause);
  }

  /** Returns the beginning of a text, for messages. */
  static String shortened(String text) {
    return text.length() <= MAX_QUOTED_TEXT ? text : text.substring(0, MAX_QUOTED_TEXT) + "…";
  }

  final IllegalArgumentException wrongLength(int length, String allowed) {
    return new IllegalArgumentException(cqlName + " of " + length + " bytes, allowed " + allowed);
  }

  /** Returns the JSON of a number, which has no quotes. */
  final String numberJson(byte[] value, int offset, int length) {
    if (length == 0) {
      return "\"\"";
    }
    validate(value, offset, length);
    return text(value, offset, length);
  }

  static byte[] fromHex(String text, String typeName) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'" + shortened(text) + "' is no " + typeName + ": not hexadecimal bytes", e);
    }
  }

  static String toHex(byte[] value, int offset, int length) {
    return HexFormat.of().formatHex(value, offset, offset + length);
  }
}
