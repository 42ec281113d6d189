package io.siltstone.type;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All CQL types: constants for the scalar ones, factories for the others.
 *
 * <p>All are immutable and safe for all threads.
 */
public final class CqlTypes {
  /** True or false. */
  public static final CqlType BOOLEAN = new BooleanType();

  /** A signed integer of one byte. */
  public static final CqlType TINYINT = new FixedIntegerType("ByteType", "tinyint", 1);

  /** A signed integer of two bytes. */
  public static final CqlType SMALLINT = new FixedIntegerType("ShortType", "smallint", 2);

  /** A signed integer of four bytes. */
  public static final CqlType INT = new FixedIntegerType("Int32Type", "int", 4);

  /** A signed integer of eight bytes. */
  public static final CqlType BIGINT = new FixedIntegerType("LongType", "bigint", 8);

  /** A signed integer of any size. */
  public static final CqlType VARINT = new VarintType();

  /** IEEE 754, four bytes. */
  public static final CqlType FLOAT = new FloatType();

  /** IEEE 754, eight bytes. */
  public static final CqlType DOUBLE = new DoubleType();

  /** A decimal number of any size and scale. */
  public static final CqlType DECIMAL = new DecimalType();

  /** UTF-8; {@code varchar} is the same. */
  public static final CqlType TEXT = new TextType();

  /** Text of seven-bit characters. */
  public static final CqlType ASCII = new AsciiType();

  /** Bytes. */
  public static final CqlType BLOB = new BlobType();

  /** A UUID of any version. */
  public static final CqlType UUID = new UuidType();

  /** A UUID of version 1, ordered by its time. */
  public static final CqlType TIMEUUID = new TimeUuidType("TimeUUIDType", true);

  /** Milliseconds since 1970. */
  public static final CqlType TIMESTAMP = new TimestampType();

  /** A day without a time. */
  public static final CqlType DATE = new DateType();

  /** Nanoseconds since midnight. */
  public static final CqlType TIME = new TimeType();

  /** Months, days and nanoseconds. */
  public static final CqlType DURATION = new DurationType();

  /** An IPv4 or IPv6 address. */
  public static final CqlType INET = new InetType();

  /** A distributed counter. */
  public static final CqlType COUNTER = new CounterType();

  /** The type of values that are always empty, such as those of the cells of a set. */
  public static final CqlType EMPTY = new EmptyType();

  /** The timestamp of tables of Cassandra before 1.2; ordered as unsigned bytes. */
  static final CqlType LEGACY_DATE = new LegacyDateType();

  /** A UUID ordered as two signed numbers. */
  static final CqlType LEXICAL_UUID = new LexicalUuidType();

  /** As {@link #TIMEUUID}, under the name of user-defined functions. */
  static final CqlType LEGACY_TIMEUUID = new TimeUuidType("LegacyTimeUUIDType", false);

  /** By the names of CQL. */
  private static final Map<String, CqlType> BY_NAME =
      Map.ofEntries(
          Map.entry("boolean", BOOLEAN),
          Map.entry("tinyint", TINYINT),
          Map.entry("smallint", SMALLINT),
          Map.entry("int", INT),
          Map.entry("bigint", BIGINT),
          Map.entry("varint", VARINT),
          Map.entry("float", FLOAT),
          Map.entry("double", DOUBLE),
          Map.entry("decimal", DECIMAL),
          Map.entry("text", TEXT),
          Map.entry("varchar", TEXT),
          Map.entry("ascii", ASCII),
          Map.entry("blob", BLOB),
          Map.entry("uuid", UUID),
          Map.entry("timeuuid", TIMEUUID),
          Map.entry("timestamp", TIMESTAMP),
          Map.entry("date", DATE),
          Map.entry("time", TIME),
          Map.entry("duration", DURATION),
          Map.entry("inet", INET),
          Map.entry("counter", COUNTER),
          Map.entry("empty", EMPTY));

  private CqlTypes() {}

  /**
   * Returns the scalar type with this name in CQL, of any case, {@code varchar} included; empty if
   * there is none.
   */
  public static Optional<CqlType> byName(String cqlNativeName) {
    return Optional.ofNullable(BY_NAME.get(cqlNativeName.toLowerCase(Locale.ROOT)));
  }

  /** Returns a list with one cell per element; elements are frozen. */
  public static CqlType list(CqlType element) {
    return new SequenceType(TypeKind.LIST, element.frozen(), true);
  }

  /** Returns a set with one cell per element; elements are frozen. */
  public static CqlType set(CqlType element) {
    return new SequenceType(TypeKind.SET, element.frozen(), true);
  }

  /** Returns a map with one cell per entry; keys and values are frozen. */
  public static CqlType map(CqlType key, CqlType value) {
    return new MapType(key.frozen(), value.frozen(), true);
  }

  /** Returns a tuple, which is always frozen, and so are its fields. */
  public static CqlType tuple(List<CqlType> fields) {
    return new TupleType(fields.stream().map(CqlType::frozen).toList());
  }

  /**
   * Returns a user type with one cell per field.
   *
   * @param keyspace that defines it
   * @param name without quotes
   * @throws IllegalArgumentException if two fields have the same name
   */
  public static UserType userType(String keyspace, String name, List<UserType.Field> fields) {
    return new UserType(keyspace, name, fields, true);
  }

  /**
   * Returns a vector; elements are frozen.
   *
   * @param dimension number of elements, at least 1
   * @throws IllegalArgumentException if the dimension is out of range
   */
  public static CqlType vector(CqlType element, int dimension) {
    return new VectorType(element.frozen(), dimension);
  }

  /**
   * Returns the value of a {@link #COUNTER}, the sum of its shards, as {@link CqlType#decode} does
   * but without an object.
   *
   * @param value valid, and not empty
   */
  public static long counterValue(byte[] value, int offset, int length) {
    return CounterType.total(value, offset, length);
  }

  /**
   * Returns the same values in descending order; the type of a clustering column with {@code DESC}.
   */
  public static CqlType reversed(CqlType base) {
    return new ReversedType(base);
  }

  /**
   * Returns the type of a partition key of several columns.
   *
   * @throws IllegalArgumentException if there is no component
   */
  public static CqlType composite(List<CqlType> components) {
    return new CompositeType(components);
  }

  /**
   * Parses the class name that Cassandra's files have for a type.
   *
   * @throws UnknownTypeException if it is not supported
   * @throws IllegalArgumentException if it is not well-formed, naming the text and the position in
   *     it, or if it is nested deeper than {@link CqlType#MAX_DEPTH}
   */
  public static CqlType parse(String className) {
    return TypeParser.parse(className);
  }

  /**
   * Describes the fields in which user types of the same name differ, which the CQL names of the
   * types do not show.
   *
   * @param found types of a file
   * @param expected types of the schema
   * @return the end of a sentence; empty if there is no such difference
   */
  public static String describeDifference(List<CqlType> found, List<CqlType> expected) {
    return TypeDifference.ofFields(found, expected);
  }

  /** Describes how two types differ, as {@link #describeDifference(List, List)} does. */
  public static String describeDifference(CqlType found, CqlType expected) {
    return TypeDifference.ofFields(List.of(found), List.of(expected));
  }
}
