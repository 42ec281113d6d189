package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Known bytes, texts and orders of the types. */
class CqlTypesTest {
  private static final UserType ADDRESS =
      CqlTypes.userType(
          "ks",
          "address",
          List.of(
              new UserType.Field("street", CqlTypes.TEXT),
              new UserType.Field("Zip", CqlTypes.list(CqlTypes.INT))));

  /** Of a megabyte no more is said than where it is wrong. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean",
        "tinyint",
        "int",
        "bigint",
        "varint",
        "decimal",
        "float",
        "double",
        "blob",
        "uuid",
        "timeuuid",
        "timestamp",
        "date",
        "time",
        "duration",
        "inet"
      })
  void whatIsSaidOfALongTextIsShort(String name) {
    CqlType scalar = CqlTypes.byName(name).orElseThrow();
    for (String part : List.of("y", "1-", "é", "9:")) {
      String text = part.repeat(1 << 14);
      assertShort(() -> scalar.encode(text));
      for (CqlType nested :
          List.of(
              CqlTypes.list(scalar),
              CqlTypes.map(scalar, CqlTypes.INT),
              CqlTypes.tuple(List.of(scalar)),
              ADDRESS)) {
        String open =
            switch (nested.kind()) {
              case LIST -> "[";
              case TUPLE -> "(";
              default -> "{";
            };
        assertShort(() -> nested.frozen().encodeLiteral(open + text));
        assertShort(() -> nested.frozen().encodeLiteral(open + "'" + text));
        assertShort(() -> nested.frozen().encodeLiteral(open + "'" + text + "'"));
      }
    }
    assertShort(() -> CqlTypes.DATE.encode("1".repeat(18)));
  }

  private static void assertShort(ThrowingCallable encoding) {
    assertThatIllegalArgumentException()
        .isThrownBy(encoding)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  @Test
  void whatIsSaidOfALongLiteralShowsThePlace() {
    CqlType list = CqlTypes.list(CqlTypes.INT).frozen();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> list.encodeLiteral("[" + "1, ".repeat(1000) + "'2'" + ", 3".repeat(1000) + "]"))
        .withMessageStartingWith("literal '…")
        .withMessageContaining("1, 1, '2', 3, 3")
        .withMessageEndingWith("…', position 3004: int between quotes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> list.encodeLiteral("[1, '2']"))
        .withMessage("literal '[1, '2']', position 7: int between quotes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "boolean   | true            | 01",
        "tinyint   | -1              | ff",
        "smallint  | 258             | 0102",
        "int       | -2              | fffffffe",
        "bigint    | 1               | 0000000000000001",
        "varint    | 128             | 0080",
        "varint    | -129            | ff7f",
        "decimal   | 1.5             | 000000010f",
        "float     | 1.0             | 3f800000",
        "double    | -2.0            | c000000000000000",
        "text      | aé              | 61c3a9",
        "ascii     | abc             | 616263",
        "uuid      | 123e4567-e89b-42d3-a456-426614174000 | 123e4567e89b42d3a456426614174000",
        "timestamp | 1970-01-01T00:00:01.500Z | 00000000000005dc",
        "date      | 1970-01-02      | 80000001",
        "date      | 1969-12-31      | 7fffffff",
        "time      | 00:00:00.000000255 | 00000000000000ff",
        "duration  | 1mo2d3ns        | 020406",
        "duration  | -1mo            | 010000",
        "inet      | 127.0.0.1       | 7f000001",
        "inet      | 0:0:0:0:0:0:0:1 | 00000000000000000000000000000001",
        "blob      | 00ff            | 00ff",
      })
  void textsAndBytes(String name, String text, String hex) {
    CqlType type = CqlTypes.byName(name).orElseThrow();
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(type.parse(text)).isEqualTo(bytes);
    assertThat(type.format(bytes, 0, bytes.length)).isEqualTo(text);
    assertThat(type.cqlName()).isEqualTo(name);
  }

  @Test
  void onlyThoseThatCassandraSaysHaveAFixedLength() {
    Map<String, Integer> lengths = new TreeMap<>();
    for (String name :
        List.of(
            "boolean",
            "tinyint",
            "smallint",
            "int",
            "bigint",
            "varint",
            "float",
            "double",
            "decimal",
            "text",
            "ascii",
            "blob",
            "uuid",
            "timeuuid",
            "timestamp",
            "date",
            "time",
            "duration",
            "inet",
            "counter",
            "empty")) {
      int length = CqlTypes.byName(name).orElseThrow().fixedLength();
      if (length != CqlType.VARIABLE_LENGTH) {
        lengths.put(name, length);
      }
    }
    assertThat(lengths)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "boolean",
                1,
                "int",
                4,
                "bigint",
                8,
                "float",
                4,
                "double",
                8,
                "uuid",
                16,
                "timeuuid",
                16,
                "timestamp",
                8,
                "empty",
                0));
    assertThat(CqlTypes.vector(CqlTypes.FLOAT, 3).fixedLength()).isEqualTo(12);
    assertThat(CqlTypes.vector(CqlTypes.TEXT, 3).fixedLength()).isEqualTo(CqlType.VARIABLE_LENGTH);
    assertThat(CqlTypes.reversed(CqlTypes.INT).fixedLength()).isEqualTo(4);
  }

  @Test
  void namesOfTypesWithParameters() {
    CqlType map = CqlTypes.map(CqlTypes.TEXT, CqlTypes.list(CqlTypes.INT));
    assertThat(map.cqlName()).isEqualTo("map<text, frozen<list<int>>>");
    assertThat(shortName(map)).isEqualTo("MapType(UTF8Type,FrozenType(ListType(Int32Type)))");
    assertThat(shortName(map.frozen()))
        .isEqualTo("FrozenType(MapType(UTF8Type,ListType(Int32Type)))");
    assertThat(map.frozen().cqlName()).isEqualTo("frozen<map<text, frozen<list<int>>>>");
    assertThat(shortName(CqlTypes.tuple(List.of(map, CqlTypes.BLOB))))
        .isEqualTo("TupleType(MapType(UTF8Type,ListType(Int32Type)),BytesType)");
    assertThat(shortName(CqlTypes.vector(CqlTypes.FLOAT, 3)))
        .isEqualTo("VectorType(FloatType , 3)");
    assertThat(shortName(ADDRESS))
        .isEqualTo("UserType(ks,61646472657373,737472656574:UTF8Type,5a6970:ListType(Int32Type))");
    assertThat(ADDRESS.frozen().cqlName()).isEqualTo("frozen<address>");
    assertThat(shortName(CqlTypes.reversed(ADDRESS.frozen())))
        .startsWith("ReversedType(FrozenType(");
    assertThat(CqlTypes.userType("ks", "order", List.of()).cqlName()).isEqualTo("\"order\"");
  }

  private static String shortName(CqlType type) {
    return type.className().replace("org.apache.cassandra.db.marshal.", "");
  }

  @Test
  void cellPaths() {
    assertThat(CqlTypes.list(CqlTypes.TEXT).pathType()).isEqualTo(CqlTypes.TIMEUUID);
    assertThat(CqlTypes.set(CqlTypes.TEXT).pathType()).isEqualTo(CqlTypes.TEXT);
    assertThat(CqlTypes.set(CqlTypes.TEXT).cellType(new byte[0], 0, 0)).isEqualTo(CqlTypes.EMPTY);
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.BLOB);
    assertThat(map.pathType()).isEqualTo(CqlTypes.INT);
    assertThat(map.cellType(new byte[4], 0, 4)).isEqualTo(CqlTypes.BLOB);
    assertThat(ADDRESS.pathType()).isEqualTo(CqlTypes.SMALLINT);
    assertThat(ADDRESS.cellType(new byte[] {0, 1}, 0, 2).cqlName()).isEqualTo("list<int>");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ADDRESS.cellType(new byte[] {0, 2}, 0, 2))
        .withMessageContaining("allowed 0 to 1");
    assertThatThrownBy(() -> map.frozen().pathType())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void ordersOfNumbersAgreeWithJava() {
    assertAscending(CqlTypes.INT, Integer.MIN_VALUE, -1, 0, 1, 255, 256, Integer.MAX_VALUE);
    assertAscending(CqlTypes.TINYINT, -128, -1, 0, 127);
    assertAscending(CqlTypes.SMALLINT, -32768, -256, -1, 0, 127, 128, 32767);
    assertAscending(CqlTypes.BIGINT, Long.MIN_VALUE, -1L, 0L, 1L << 40, Long.MAX_VALUE);
    assertAscending(
        CqlTypes.VARINT,
        BigInteger.ONE.shiftLeft(99).negate(),
        -257,
        -256,
        -129,
        -128,
        -1,
        0,
        1,
        127,
        128,
        255,
        256,
        BigInteger.ONE.shiftLeft(99));
    assertAscending(
        CqlTypes.DOUBLE, Double.NEGATIVE_INFINITY, -1.0, -0.0, 0.0, 1e-300, 2.0, Double.NaN);
    assertAscending(CqlTypes.FLOAT, -1f, -0f, 0f, Float.MIN_VALUE, Float.NaN);
    assertAscending(
        CqlTypes.DECIMAL,
        new BigDecimal("-1e30"),
        new BigDecimal("0.09"),
        new BigDecimal("0.1"),
        2);
    assertAscending(CqlTypes.BOOLEAN, false, true);
    assertAscending(CqlTypes.DATE, LocalDate.MIN.withYear(-5000), LocalDate.EPOCH, "2024-01-01");
    assertAscending(CqlTypes.TIMESTAMP, Instant.ofEpochMilli(-1), Instant.EPOCH, "2024-01-01");
  }

  @Test
  void leadingSignBytesDoNotChangeAVarint() {
    byte[] padded = {0, 0, 0, 5};
    byte[] negative = {-1, -1, -1, -128};
    assertThat(CqlTypes.VARINT.compare(padded, 0, 4, CqlTypes.VARINT.encode(5), 0, 1)).isZero();
    assertThat(CqlTypes.VARINT.compare(negative, 0, 4, CqlTypes.VARINT.encode(-128), 0, 1))
        .isZero();
  }

  @Test
  void uuidsAreOrderedByVersionAndTimeuuidsByTime() {
    String early = "ffffffff-0000-1000-8000-000000000000";
    String late = "00000000-0001-1000-8000-000000000000";
    assertAscending(CqlTypes.UUID, early, late, "00000000-0000-4000-8000-000000000000");
    assertAscending(CqlTypes.TIMEUUID, early, late);
    // The lower half is of signed bytes in one and of unsigned ones in the other.
    String negative = "00000000-0001-1000-8080-000000000000";
    String positive = "00000000-0001-1000-8001-000000000000";
    assertAscending(CqlTypes.TIMEUUID, negative, positive);
    assertAscending(CqlTypes.UUID, positive, negative);
    assertAscending(CqlTypes.LEXICAL_UUID, "80000000-0000-4000-8000-000000000000", early, late);
  }

  @Test
  void ordersOfPartsComeBeforeSizes() {
    CqlType list = CqlTypes.list(CqlTypes.INT);
    assertAscending(list, List.of(), List.of(-1, 5), List.of(1), List.of(1, 0));
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.TEXT);
    assertAscending(map, Map.of(), Map.of(1, "a"), Map.of(1, "a", 2, "a"), Map.of(1, "b"));
    CqlType tuple = CqlTypes.tuple(List.of(CqlTypes.INT, CqlTypes.INT));
    assertAscending(tuple, Arrays.asList(null, 9), List.of(-1), Arrays.asList(-1, 0), List.of(2));
    assertThat(compare(tuple, Arrays.asList(1, null), List.of(1))).isZero();
    CqlType nothing = CqlTypes.vector(CqlTypes.EMPTY, 2_000_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nothing.validate(new byte[1], 0, 1))
        .withMessageContaining("bytes after its last element: 1, allowed 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nothing.compare(new byte[1], 0, 1, new byte[1], 0, 1));
    CqlType vector = CqlTypes.vector(CqlTypes.TEXT, 2);
    assertAscending(vector, List.of("", "b"), List.of("a", "zz"), List.of("b", ""));
    CqlType composite = CqlTypes.composite(List.of(CqlTypes.INT, CqlTypes.TEXT));
    assertAscending(composite, List.of(-1, "z"), List.of(1), List.of(1, "a"), List.of(2));
  }

  @Test
  void emptyComesFirstAndReversedTurnsEverythingRound() {
    byte[] one = CqlTypes.INT.encode(1);
    byte[] two = CqlTypes.INT.encode(2);
    CqlType reversed = CqlTypes.reversed(CqlTypes.INT);
    assertThat(CqlTypes.INT.compare(one, 0, 0, one, 0, 4)).isNegative();
    assertThat(reversed.compare(one, 0, 0, one, 0, 4)).isPositive();
    assertThat(reversed.compare(one, 0, 4, two, 0, 4)).isPositive();
    assertThat(reversed.unreversed()).isEqualTo(CqlTypes.INT);
    assertThat(reversed.cqlName()).isEqualTo("int");
    assertThat(reversed).isNotEqualTo(CqlTypes.INT);
  }

  private static void assertAscending(CqlType type, Object... values) {
    for (int i = 0; i < values.length; i++) {
      for (int k = 0; k < values.length; k++) {
        assertThat(compare(type, values[i], values[k]))
            .as("%s: %s, %s", type, values[i], values[k])
            .isEqualTo(Integer.compare(i, k));
      }
    }
  }

  private static int compare(CqlType type, Object left, Object right) {
    byte[] l = type.encode(left);
    byte[] r = type.encode(right);
    return Integer.signum(type.compare(l, 0, l.length, r, 0, r.length));
  }

  @Test
  void json() {
    assertThat(json(CqlTypes.TEXT, "a\"\\\n\u0001é/")).isEqualTo("\"a\\\"\\\\\\n\\u0001é/\"");
    assertThat(json(CqlTypes.BLOB, "0xFF00")).isEqualTo("\"0xff00\"");
    assertThat(json(CqlTypes.DOUBLE, Double.NaN)).isEqualTo("null");
    assertThat(json(CqlTypes.TIMESTAMP, "2024-01-31")).isEqualTo("\"2024-01-31 00:00:00.000Z\"");
    assertThat(json(CqlTypes.list(CqlTypes.INT), List.of(1, 2))).isEqualTo("[1, 2]");
    assertThat(json(CqlTypes.map(CqlTypes.INT, CqlTypes.TEXT), Map.of(1, "x")))
        .isEqualTo("{\"1\": \"x\"}");
    assertThat(json(ADDRESS, Map.of("Zip", List.of(7))))
        .isEqualTo("{\"street\": null, \"\\\"Zip\\\"\": [7]}");
    assertThat(CqlTypes.INT.toJson(new byte[0], 0, 0)).isEqualTo("\"\"");
  }

  private static String json(CqlType type, Object value) {
    byte[] bytes = type.encode(value);
    return type.toJson(bytes, 0, bytes.length);
  }

  @Test
  void textsOfTuplesAndComposites() {
    CqlType tuple = CqlTypes.tuple(List.of(CqlTypes.TEXT, CqlTypes.INT, CqlTypes.TEXT));
    byte[] bytes = tuple.encode(Arrays.asList("a:b@", null, "c"));
    assertThat(tuple.format(bytes, 0, bytes.length)).isEqualTo("a\\:b\\@:@:c");
    assertThat(tuple.parse("a\\:b\\@:@:c")).isEqualTo(bytes);
    CqlType composite = CqlTypes.composite(List.of(CqlTypes.TEXT, CqlTypes.INT));
    byte[] key = composite.encode(List.of("a\\", 5));
    assertThat(key).isEqualTo(HexFormat.of().parseHex("0002615c000004" + "0000000500"));
    assertThat(composite.format(key, 0, key.length)).isEqualTo("a\\!:5");
    assertThat(composite.parse("a\\!:5")).isEqualTo(key);
    byte[] bound = composite.parse("a:!");
    assertThat(bound).isEqualTo(new byte[] {0, 1, 'a', 1});
    assertThat(composite.format(bound, 0, bound.length)).isEqualTo("a:!");
  }

  @Test
  void literals() {
    assertThat(literal(CqlTypes.TEXT, "it's")).isEqualTo("'it''s'");
    assertThat(literal(CqlTypes.set(CqlTypes.TEXT), Set.of("a"))).isEqualTo("{'a'}");
    assertThat(literal(CqlTypes.DURATION, CqlDuration.ZERO)).isEqualTo("0s");
    assertThat(literal(CqlTypes.TIMESTAMP, Instant.ofEpochMilli(Long.MIN_VALUE)))
        .isEqualTo("-9223372036854775808");
    assertThat(literal(ADDRESS, Map.of("street", "x"))).isEqualTo("{street: 'x', \"Zip\": null}");
    assertThat(ADDRESS.encode("{ \"Zip\" : [1 , 2] , STREET:'a b' }"))
        .isEqualTo(ADDRESS.encode(Map.of("street", "a b", "Zip", List.of(1, 2))));
    assertThat(CqlTypes.set(CqlTypes.INT).encodeLiteral("{2, 1, 2}"))
        .isEqualTo(CqlTypes.list(CqlTypes.INT).encode(List.of(1, 2)));
    for (String wrong : List.of("{1, 2", "[1]", "{'1'}", "{1,,2}", "{null}", "null", "{1} x")) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> CqlTypes.set(CqlTypes.INT).encodeLiteral(wrong));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.TEXT.encodeLiteral("bare"));
  }

  @Test
  void literalsOfTheFormsThatCqlHasBesides() {
    CqlType texts = CqlTypes.list(CqlTypes.TEXT);
    CqlType durations = CqlTypes.list(CqlTypes.DURATION);
    CqlDuration duration = CqlDuration.parse("P0001-02-03T04:05:06");
    assertThat(durations.encodeLiteral("[P0001-02-03T04:05:06, 1h]"))
        .isEqualTo(durations.encode(List.of(duration, CqlDuration.parse("1h"))));
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.DURATION);
    assertThat(map.encodeLiteral("{1:P0001-02-03T04:05:06}"))
        .isEqualTo(map.encode(Map.of(1, duration)));
    CqlType keyed = CqlTypes.map(CqlTypes.DURATION, CqlTypes.INT);
    assertThat(keyed.encodeLiteral("{P0001-02-03T04:05:06:1, 1h:2}"))
        .isEqualTo(keyed.encode(Map.of(duration, 1, CqlDuration.parse("1h"), 2)));
    assertThat(CqlTypes.TEXT.encodeLiteral("$$it's $1$$"))
        .isEqualTo(CqlTypes.TEXT.encode("it's $1"));
    assertThat(texts.encodeLiteral("[$$a'b$$, 'c', $$$$, '/*']"))
        .isEqualTo(texts.encode(List.of("a'b", "c", "", "/*")));
    assertThat(texts.encodeLiteral("/* a */['a'/**/, -- b\n'b' // c\n] -- d"))
        .isEqualTo(texts.encode(List.of("a", "b")));
    for (String wrong : List.of("['a' /* ]", "[$$a]", "[$a$]", "['a' / 'b']", "/*/ ['a']")) {
      assertThatIllegalArgumentException().isThrownBy(() -> texts.encodeLiteral(wrong));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.INT.encodeLiteral("$$1$$"))
        .withMessageContaining("between quotes");
  }

  private static String literal(CqlType type, Object value) {
    byte[] bytes = type.encode(value);
    return type.toCqlLiteral(bytes, 0, bytes.length);
  }

  @Test
  void blobsAreParsedWithAndWithoutTheirPrefix() {
    byte[] bytes = {4, (byte) 0xff};
    assertThat(CqlTypes.BLOB.parse("04ff")).isEqualTo(bytes);
    assertThat(CqlTypes.BLOB.parse("0x04FF")).isEqualTo(bytes);
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.BLOB.parse("0x4"));
  }

  @ParameterizedTest
  @CsvSource({
    "127.1, 7f000001",
    "[::1], 00000000000000000000000000000001",
    "fe80::1%7, fe800000000000000000000000000001",
    "1.2.65535, 0102ffff",
    "4294967295, ffffffff",
    "0001.2.3.4, 01020304",
    "::ffff:1.2.3.4, 01020304",
    "::1.2.3.4, 00000000000000000000000001020304"
  })
  void rareFormsOfAddressesAreThoseOfJava(String text, String hex) {
    assertThat(CqlTypes.INET.parse(text)).isEqualTo(HexFormat.of().parseHex(hex));
  }

  @ParameterizedTest
  @ValueSource(strings = {"256.1.1.1", "1.2.3.256", "4294967296", "1.2.3.", "1.2.3.4.5", "1e3"})
  void whatOnlyANameServerCouldKnowIsNoAddress(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.INET.parse(text));
  }

  @Test
  void objectsThatDoNotFitAreRefusedWithWhatIsAllowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.TINYINT.encode(128))
        .withMessageContaining("allowed -128 to 127");
    assertThat(CqlTypes.TINYINT.encode(127L)).isEqualTo(new byte[] {127});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.INT.encode(1.0))
        .withMessageContaining("Double");
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.FLOAT.encode(0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.FLOAT.encode((1 << 24) + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.INT.encode(""));
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.TEXT.encode("\ud83d"));
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.ASCII.encode("é"));
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.INET.encode("localhost"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.TIMEUUID.encode(new UUID(0x4000, 0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.list(CqlTypes.INT).encode(Collections.singletonList(null)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ADDRESS.encode(Map.of("zip", List.of())))
        .withMessageContaining("[street, Zip]");
    Map<Object, Object> twice = new HashMap<>();
    twice.put(new BigDecimal("1.0"), 1);
    twice.put(new BigDecimal("1.00"), 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlTypes.map(CqlTypes.DECIMAL, CqlTypes.INT).encode(twice));
    assertThat(CqlTypes.vector(CqlTypes.FLOAT, 2).encode(new float[] {1, 2}))
        .isEqualTo(CqlTypes.vector(CqlTypes.FLOAT, 2).encode(List.of(1f, 2f)));
  }

  @Test
  void aHugeCountDoesNotAllocate() {
    byte[] bytes = HexFormat.of().parseHex("7fffffff" + "0000000400000001");
    CqlType list = CqlTypes.list(CqlTypes.INT);
    assertThatIllegalArgumentException().isThrownBy(() -> list.decode(bytes, 0, bytes.length));
    assertThatIllegalArgumentException().isThrownBy(() -> list.validate(bytes, 0, bytes.length));
    CqlType vector = CqlTypes.vector(CqlTypes.INT, Integer.MAX_VALUE / 4);
    assertThatIllegalArgumentException().isThrownBy(() -> vector.decode(bytes, 0, bytes.length));
  }

  @Test
  void partsMayNotReachBeyondTheValueEvenIfTheArrayDoes() {
    byte[] bytes = HexFormat.of().parseHex("00000001" + "00000004" + "00000001");
    CqlType list = CqlTypes.list(CqlTypes.INT);
    list.validate(bytes, 0, 12);
    assertThatIllegalArgumentException().isThrownBy(() -> list.validate(bytes, 0, 11));
    assertThatIllegalArgumentException().isThrownBy(() -> list.compare(bytes, 0, 11, bytes, 0, 12));
  }

  @Test
  void counterIsTheSumOfItsShards() {
    byte[] cell = new byte[4 + 64];
    cell[1] = 1;
    cell[4 + 31] = 5;
    Arrays.fill(cell, 4 + 32 + 24, 4 + 64, (byte) 0xff);
    assertThat(CqlTypes.COUNTER.decode(cell, 0, cell.length)).isEqualTo(4L);
    assertThat(CqlTypes.COUNTER.decode(CqlTypes.COUNTER.encode(7), 0, 8)).isEqualTo(7L);
    assertThatIllegalArgumentException().isThrownBy(() -> CqlTypes.COUNTER.validate(cell, 0, 40));
    assertThat(CqlTypes.COUNTER.isCounter()).isTrue();
  }

  @Test
  void vintsOfNineBytes() {
    CqlDuration longest = new CqlDuration(0, 0, Long.MAX_VALUE);
    byte[] bytes = CqlTypes.DURATION.encode(longest);
    assertThat(bytes).hasSize(11);
    assertThat(CqlTypes.DURATION.decode(bytes, 0, 11)).isEqualTo(longest);
    byte[] huge = new byte[40];
    Arrays.fill(huge, (byte) 0xff);
    CqlType vector = CqlTypes.vector(CqlTypes.TEXT, 1);
    assertThatIllegalArgumentException().isThrownBy(() -> vector.validate(huge, 0, 40));
  }

  /** Source: Cassandra {@code Sets.Value.fromSerialized}, {@code Maps.Value.fromSerialized}. */
  @Test
  void bytesOfSetsAndMapsAreTakenInAnyOrder() {
    CqlType set = CqlTypes.set(CqlTypes.INT).frozen();
    ByteBuffer elements = ByteBuffer.allocate(28).putInt(3);
    elements.putInt(4).putInt(5).putInt(4).putInt(1).putInt(4).putInt(5).flip();
    assertThat(set.encodeOrCopy(elements)).isEqualTo(set.encode(Set.of(1, 5)));
    assertThat(CqlTypes.reversed(set).encodeOrCopy(elements)).isEqualTo(set.encode(Set.of(1, 5)));
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.INT);
    ByteBuffer entries = ByteBuffer.allocate(36).putInt(2);
    entries.putInt(4).putInt(2).putInt(4).putInt(20);
    entries.putInt(4).putInt(1).putInt(4).putInt(10).flip();
    assertThat(map.encodeOrCopy(entries)).isEqualTo(map.encode(Map.of(1, 10, 2, 20)));
    CqlType list = CqlTypes.list(CqlTypes.INT);
    assertThat(list.encodeOrCopy(elements)).isEqualTo(elements.array());
  }

  /** Fields of tuples are left as they are, as Cassandra 5.0 leaves them. */
  @Test
  void bytesOfSetsAndMapsWithinListsSetsAndMapsAreTakenInAnyOrder() {
    CqlType set = CqlTypes.set(CqlTypes.INT).frozen();
    byte[] unsorted =
        HexFormat.of().parseHex("00000003" + "0000000400000005" + "0000000400000001".repeat(2));
    byte[] sorted = set.encode(Set.of(1, 5));
    assertCopied(CqlTypes.list(set), counted(1, unsorted), counted(1, sorted));
    assertCopied(CqlTypes.set(set), counted(2, unsorted, sorted), counted(1, sorted));
    assertCopied(
        CqlTypes.map(set, set), counted(1, unsorted, unsorted), counted(1, sorted, sorted));
    byte[] deep = counted(1, counted(1, unsorted));
    assertCopied(
        CqlTypes.list(CqlTypes.list(CqlTypes.list(set))),
        counted(1, deep),
        counted(1, counted(1, counted(1, sorted))));
    byte[] field = ByteBuffer.allocate(32).putInt(28).put(unsorted).array();
    assertCopied(CqlTypes.list(CqlTypes.tuple(List.of(set))), counted(1, field), counted(1, field));
  }

  private static void assertCopied(CqlType type, byte[] given, byte[] expected) {
    assertThat(type.frozen().encodeOrCopy(ByteBuffer.wrap(given)))
        .as("%s", type)
        .isEqualTo(expected);
  }

  private static byte[] counted(int count, byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Elements.writeInt(bytes, count);
    for (byte[] part : parts) {
      Elements.write(bytes, part);
    }
    return bytes.toByteArray();
  }
}
