package io.siltstone.type;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the class names of types in Cassandra's files.
 *
 * <pre>
 *   type      := name [ '(' parameters ')' ]
 *   name      := with or without org.apache.cassandra.db.marshal.
 *   UserType  := '(' keyspace ',' hex(name) { ',' hex(field) ':' type } ')'
 *   Vector    := '(' type ',' dimension ')'
 *   others    := '(' type { ',' type } ')'
 * </pre>
 *
 * Blanks may stand anywhere between. Source: Cassandra {@code TypeParser}. Types that need a
 * running Cassandra, or that it no longer writes, are rejected: dynamic composites,
 * partitioner-defined orders, classes of users.
 */
final class TypeParser {
  /** The package of Cassandra's types. */
  static final String PACKAGE = "org.apache.cassandra.db.marshal.";

  private static final Map<String, CqlType> SCALARS =
      Map.ofEntries(
          entry("AsciiType", CqlTypes.ASCII),
          entry("BooleanType", CqlTypes.BOOLEAN),
          entry("BytesType", CqlTypes.BLOB),
          entry("ByteType", CqlTypes.TINYINT),
          entry("CounterColumnType", CqlTypes.COUNTER),
          entry("DateType", CqlTypes.LEGACY_DATE),
          entry("DecimalType", CqlTypes.DECIMAL),
          entry("DoubleType", CqlTypes.DOUBLE),
          entry("DurationType", CqlTypes.DURATION),
          entry("EmptyType", CqlTypes.EMPTY),
          entry("FloatType", CqlTypes.FLOAT),
          entry("InetAddressType", CqlTypes.INET),
          entry("Int32Type", CqlTypes.INT),
          entry("IntegerType", CqlTypes.VARINT),
          entry("LegacyTimeUUIDType", CqlTypes.LEGACY_TIMEUUID),
          entry("LexicalUUIDType", CqlTypes.LEXICAL_UUID),
          entry("LongType", CqlTypes.BIGINT),
          entry("ShortType", CqlTypes.SMALLINT),
          entry("SimpleDateType", CqlTypes.DATE),
          entry("TimestampType", CqlTypes.TIMESTAMP),
          entry("TimeType", CqlTypes.TIME),
          entry("TimeUUIDType", CqlTypes.TIMEUUID),
          entry("UTF8Type", CqlTypes.TEXT),
          entry("UUIDType", CqlTypes.UUID));

  /** Every level may be wrapped in {@code FrozenType}, which does not count as one. */
  private static final int MAX_PARENTHESES = 2 * CqlType.MAX_DEPTH;

  private static final int MAX_QUOTED_TEXT = 500;

  private final String text;
  private int position;

  private TypeParser(String text) {
    this.text = text;
  }

  /**
   * Returns the type with this class name.
   *
   * @throws UnknownTypeException if it is not supported
   * @throws IllegalArgumentException if it is not well-formed, naming the text and the position in
   *     it, or if it is nested deeper than {@link CqlType#MAX_DEPTH}
   */
  static CqlType parse(String className) {
    TypeParser parser = new TypeParser(className);
    CqlType type = parser.type(1);
    parser.skipBlanks();
    if (parser.position != className.length()) {
      throw parser.refused("text after the type", null);
    }
    return type;
  }

  private CqlType type(int depth) {
    if (depth > MAX_PARENTHESES) {
      throw refused("types nested deeper than " + CqlType.MAX_DEPTH, null);
    }
    skipBlanks();
    int start = position;
    String name = word();
    if (name.isEmpty()) {
      throw refused("no type's name", null);
    }
    String simpleName = name.startsWith(PACKAGE) ? name.substring(PACKAGE.length()) : name;
    CqlType scalar = SCALARS.get(simpleName);
    if (scalar != null) {
      return next() == '(' ? withOptions(scalar) : scalar;
    }
    try {
      return switch (simpleName) {
        case "ListType" -> CqlTypes.list(single(parameters(depth)));
        case "SetType" -> CqlTypes.set(single(parameters(depth)));
        case "MapType" -> {
          List<CqlType> types = exactly(2, parameters(depth));
          yield CqlTypes.map(types.get(0), types.get(1));
        }
        case "FrozenType" -> single(parameters(depth)).frozen();
        case "ReversedType" -> CqlTypes.reversed(single(parameters(depth)));
        case "TupleType" -> CqlTypes.tuple(parameters(depth));
        case "CompositeType" -> CqlTypes.composite(parameters(depth));
        case "UserType" -> userType(depth);
        case "VectorType" -> vector(depth);
        default -> {
          position = start;
          throw new UnknownTypeException(placed("unknown type " + name));
        }
      };
    } catch (RefusedException | UnknownTypeException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      position = start;
      throw refused(String.valueOf(e.getMessage()), e);
    }
  }

  /** Parses the options that old versions allowed for scalar types: {@code (reversed=true)}. */
  private CqlType withOptions(CqlType scalar) {
    expect('(');
    boolean reversed = false;
    while (next() != ')') {
      String option = word();
      String value = "";
      if (next() == '=') {
        position++;
        skipBlanks();
        value = word();
      }
      if (!option.equals("reversed")) {
        throw refused("option '" + option + "' of a scalar type, allowed: reversed", null);
      }
      reversed = value.isEmpty() || value.equals("true");
      if (next() == ',') {
        position++;
      }
    }
    position++;
    return reversed ? CqlTypes.reversed(scalar) : scalar;
  }

  private List<CqlType> parameters(int depth) {
    expect('(');
    List<CqlType> types = new ArrayList<>();
    while (next() != ')') {
      if (!types.isEmpty()) {
        expect(',');
      }
      types.add(type(depth + 1));
    }
    position++;
    return types;
  }

  private CqlType single(List<CqlType> types) {
    return exactly(1, types).get(0);
  }

  private List<CqlType> exactly(int count, List<CqlType> types) {
    if (types.size() != count) {
      throw refused(types.size() + " parameters, allowed " + count, null);
    }
    return types;
  }

  private CqlType userType(int depth) {
    expect('(');
    skipBlanks();
    String keyspace = word();
    expect(',');
    String name = hexWord();
    List<UserType.Field> fields = new ArrayList<>();
    while (next() != ')') {
      expect(',');
      String field = hexWord();
      expect(':');
      fields.add(new UserType.Field(field, type(depth + 1)));
    }
    position++;
    return CqlTypes.userType(keyspace, name, fields);
  }

  private CqlType vector(int depth) {
    expect('(');
    CqlType element = type(depth + 1);
    expect(',');
    skipBlanks();
    String digits = word();
    int dimension;
    try {
      dimension = Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw refused("'" + digits + "' is no dimension", e);
    }
    expect(')');
    return CqlTypes.vector(element, dimension);
  }

  /** Returns a name written as the hexadecimal form of its UTF-8. */
  private String hexWord() {
    skipBlanks();
    String hex = word();
    try {
      byte[] bytes = HexFormat.of().parseHex(hex);
      return Utf8.decode(bytes, 0, bytes.length);
    } catch (IllegalArgumentException e) {
      throw refused("'" + hex + "' is no name in hexadecimal", e);
    }
  }

  private String word() {
    int start = position;
    while (position < text.length() && isWordPart(text.charAt(position))) {
      position++;
    }
    return text.substring(start, position);
  }

  private static boolean isWordPart(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || "-+._&".indexOf(c) >= 0;
  }

  private void skipBlanks() {
    while (position < text.length() && " \t\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  /** Returns the next character that is no blank, which becomes the position; 0 at the end. */
  private char next() {
    skipBlanks();
    return position < text.length() ? text.charAt(position) : 0;
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw refused(
          "expected '"
              + wanted
              + "', found "
              + (position < text.length() ? "'" + text.charAt(position) + "'" : "the end"),
          null);
    }
    position++;
  }

  private RefusedException refused(String why, @Nullable Throwable cause) {
    return new RefusedException(placed(why), cause);
  }

  private String placed(String why) {
    String quoted =
        text.length() > MAX_QUOTED_TEXT ? text.substring(0, MAX_QUOTED_TEXT) + "…" : text;
    return "type '" + quoted + "', position " + position + ": " + why;
  }

  /** The message already has the position. */
  private static final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    RefusedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
