package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.UserType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The codecs parse text to the same values as the types; other text is rejected with a reason. */
class ValueCodecTest {

  private static byte[] json(CqlType type, String json) {
    ByteSink out = new ByteSink(1);
    ValueCodec codec = ValueCodec.of(type);
    JsonInput.read(json, parser -> codec.fromJson(parser, out));
    return out.toByteArray();
  }

  private static byte[] text(CqlType type, String value) {
    ByteSink out = new ByteSink(1);
    ValueCodec.of(type).fromText(value, out);
    return out.toByteArray();
  }

  /** Makes the assertion only if it fails, because there are hundreds of thousands. */
  private static void requireSame(String what, byte[] found, byte[] expected) {
    if (!Arrays.equals(found, expected)) {
      assertThat(found).as(what).isEqualTo(expected);
    }
  }

  @Test
  void shortDecimalsAreRoundedAsTheLongWayRoundsThem() {
    Random random = new Random(5);
    for (int i = 0; i < 100_000 * Integer.getInteger("siltstone.scale", 1); i++) {
      String number =
          (random.nextBoolean() ? "-" : "")
              + (random.nextLong() >>> (1 + random.nextInt(62)))
              + (random.nextBoolean()
                  ? ""
                  : "." + (random.nextLong() >>> (1 + random.nextInt(62))));
      requireSame(
          number, text(CqlTypes.DOUBLE, number), CqlTypes.DOUBLE.encode(Double.valueOf(number)));
      requireSame(
          number, text(CqlTypes.FLOAT, number), CqlTypes.FLOAT.encode(Float.valueOf(number)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0", "1e3", "-1.5E-7", "NaN", "Infinity", "0.0", "1e400"})
  void rareFormsOfNumbersAreThoseOfJava(String number) {
    assertThat(text(CqlTypes.DOUBLE, number))
        .isEqualTo(CqlTypes.DOUBLE.encode(Double.valueOf(number)));
  }

  @Test
  void daysOfEightCenturiesAreThoseOfTheType() {
    // Each day of a year, and each weekday, in other years.
    int step = Integer.getInteger("siltstone.scale", 1) > 1 ? 1 : 5;
    for (long day = -140_000; day < 150_000; day += step) {
      String date = java.time.LocalDate.ofEpochDay(day).toString();
      requireSame(date, text(CqlTypes.DATE, date), CqlTypes.DATE.encode(date));
      if (day % 7 == 0) {
        String time = date + (day % 2 == 0 ? " 23:59:08.070Z" : "T00:10:59");
        requireSame(time, text(CqlTypes.TIMESTAMP, time), CqlTypes.TIMESTAMP.encode(time));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "date, 2023-02-29",
    "date, 2023-13-01",
    "date, 2023-00-10",
    "date, tomorrow",
    "date, ''",
    "timestamp, 2023-02-30 10:00:00Z",
    "timestamp, 2023-01-01 24:00:00Z",
    "int, 2147483648",
    "int, -2147483649",
    "int, 1.5",
    "int, 1x",
    "int, --1",
    "int, -",
    "tinyint, 128",
    "smallint, -32769",
    "bigint, 9223372036854775808",
    "uuid, 123e4567-e89b-12d3-a456-42661417400",
    "uuid, 123e4567-e89b-12d3-a456-42661417400g",
    "timeuuid, 123e4567-e89b-42d3-a456-426614174000",
    "boolean, yes",
    "blob, 12",
    "blob, ''",
    "inet, 1.2.3.256",
    "duration, x",
    "double, 1.2.3",
    "float, .",
    "ascii, é",
    "varint, 1e5"
  })
  void whatIsNoValueIsRefused(String type, String value) {
    CqlType cql = CqlTypes.byName(type).orElseThrow();
    assertThatThrownBy(() -> text(cql, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).*(" + type + "|literal|duration|hexadecimal|UUID|version).*");
  }

  @Test
  void limitsOfIntegersAreValues() {
    for (String type : List.of("tinyint", "smallint", "int", "bigint")) {
      CqlType cql = CqlTypes.byName(type).orElseThrow();
      int bits = 8 * cql.encode("0").length;
      for (long value : new long[] {Long.MIN_VALUE >> (64 - bits), Long.MAX_VALUE >> (64 - bits)}) {
        assertThat(text(cql, "" + value)).isEqualTo(cql.encode(value));
        assertThat(json(cql, "\"" + value + "\"")).isEqualTo(cql.encode(value));
      }
    }
  }

  @Test
  void uuidsOfEitherCase() {
    String uuid = "123E4567-e89b-12d3-A456-426614174000";
    assertThat(text(CqlTypes.UUID, uuid))
        .isEqualTo(CqlTypes.UUID.encode(uuid.toLowerCase(Locale.ROOT)));
  }

  @Test
  void emptyTextIsTheEmptyValue() {
    assertThat(json(CqlTypes.INT, "\"\"")).isEmpty();
    assertThat(json(CqlTypes.TEXT, "\"\"")).isEmpty();
    assertThat(json(CqlTypes.BLOB, "\"0x\"")).isEmpty();
  }

  @Test
  void setsAndMapsAreInOrderWithoutDoubles() {
    CqlType set = CqlTypes.set(CqlTypes.INT);
    assertThat(json(set, "[3, -1, 3, 2]")).isEqualTo(set.encode(List.of(-1, 2, 3)));
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.TEXT);
    assertThat(json(map, "{\"2\": \"b\", \"1\": \"a\", \"2\": \"c\"}"))
        .isEqualTo(map.encodeLiteral("{1: 'a', 2: 'c'}"));
  }

  @Test
  void keysThatAreNoTextHoldJson() {
    CqlType map = CqlTypes.map(CqlTypes.list(CqlTypes.TEXT).frozen(), CqlTypes.INT);
    assertThat(json(map, "{\"[\\\"a\\\", \\\"b\\\"]\": 1}"))
        .isEqualTo(map.encodeLiteral("{['a', 'b']: 1}"));
  }

  @Test
  void fieldsByNameInAnyOrder() {
    CqlType type =
        CqlTypes.userType(
            "ks",
            "t",
            List.of(
                new UserType.Field("a", CqlTypes.INT),
                new UserType.Field("B", CqlTypes.TEXT),
                new UserType.Field("c", CqlTypes.TEXT)));
    assertThat(json(type, "{\"c\": \"x\", \"\\\"B\\\"\": null, \"A\": 1}"))
        .isEqualTo(type.encodeLiteral("{a: 1, \"B\": null, c: 'x'}"));
    assertThatThrownBy(() -> json(type, "{\"d\": 1}")).hasMessageContaining("allowed a, B, c");
  }

  @Test
  void partsOfTheWrongNumberOrNullAreRefused() {
    CqlType vector = CqlTypes.vector(CqlTypes.FLOAT, 3);
    assertThat(json(vector, "[1, 2.5, -3]")).isEqualTo(vector.encode(List.of(1f, 2.5f, -3f)));
    assertThatThrownBy(() -> json(vector, "[1, 2]")).hasMessageContaining("2 elements are no");
    assertThatThrownBy(() -> json(CqlTypes.list(CqlTypes.INT), "[1, null]"))
        .hasMessageContaining("null within a");
    assertThatThrownBy(() -> json(CqlTypes.tuple(List.of(CqlTypes.INT)), "[1, 2]"))
        .hasMessageContaining("more than 1 fields");
    assertThatThrownBy(() -> json(CqlTypes.INT, "[1]")).hasMessageContaining("a JSON array is no");
    assertThatThrownBy(() -> json(CqlTypes.TEXT, "1")).hasMessageContaining("allowed: a string");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        "\"\u0001\"", "\"a\" b", "tru", "nul", "", "'a'"
      })
  void whatIsNoJsonIsRefused(String json) {
    assertThatThrownBy(() -> json(CqlTypes.TEXT, json))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "1.", ".5", "1e", "-", "+1", "0x1", "1,2", "--1"})
  void whatIsNoJsonNumberIsRefused(String json) {
    assertThatThrownBy(() -> json(CqlTypes.DOUBLE, json))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void escapesOfStrings() {
    assertThat(json(CqlTypes.TEXT, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u4e16\\ud83d\\ude00é\""))
        .isEqualTo("\"\\/\b\f\n\r\té世😀é".getBytes(StandardCharsets.UTF_8));
  }

  /** Cassandra accepts both as text; neither could be read back. */
  @ParameterizedTest
  @ValueSource(strings = {"c080", "61eda0bdedb880"})
  void textThatIsNoUtf8IsNotWritten(String hex) {
    byte[] value = HexFormat.of().parseHex(hex);
    assertThatThrownBy(
            () ->
                new CsvValueText()
                    .append(CqlTypes.TEXT, value, 0, value.length, new StringBuilder()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What Cassandra's functions make of an empty blob, which CQL literals lose. */
  @Test
  void emptyValuesWithinOthersComeBackFromCsv() {
    CqlType tuple = CqlTypes.tuple(List.of(CqlTypes.INT, CqlTypes.TEXT, CqlTypes.BLOB));
    byte[] withEmpty = HexFormat.of().parseHex("000000000000000000000000");
    byte[] withNull = HexFormat.of().parseHex("ffffffff00000000ffffffff");
    CqlType map = CqlTypes.map(CqlTypes.INT, CqlTypes.list(CqlTypes.INET).frozen());
    byte[] ofLists = HexFormat.of().parseHex("000000010000000000000008" + "0000000100000000");

    assertThat(csvField(tuple, withEmpty)).isEqualTo("\"('', '', 0x)\"");
    assertThat(text(tuple, "('', '', 0x)")).isEqualTo(withEmpty);
    assertThat(csvField(tuple, withNull)).isEqualTo("\"(null, '', null)\"");
    assertThat(text(tuple, "(null, '', null)")).isEqualTo(withNull);
    assertThat(csvField(map, ofLists)).isEqualTo("\"{'': ['']}\"");
    assertThat(text(map, "{'': ['']}")).isEqualTo(ofLists);
    assertThatThrownBy(() -> text(CqlTypes.list(CqlTypes.TINYINT), "['']"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String jsonOf(CqlType type, byte[] value) {
    StringBuilder json = new StringBuilder();
    new JsonValueText().append(type, value, 0, value.length, json);
    return json.toString();
  }

  private static void assertComesBack(CqlType type, byte[] value) {
    String field = csvField(type, value);
    assertThat(text(type, field.substring(1, field.length() - 1))).as("%s", field).isEqualTo(value);
    String json = jsonOf(type, value);
    assertThat(json(type, json)).as("%s", json).isEqualTo(value);
  }

  private static byte[] listOf(byte[] element) {
    return ByteBuffer.allocate(8 + element.length)
        .putInt(1)
        .putInt(element.length)
        .put(element)
        .array();
  }

  @Test
  void anAddressOfIpv4InSixteenBytesComesBackInSixteen() {
    byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff01020304");
    assertThat(jsonOf(CqlTypes.INET, mapped)).isEqualTo("\"::ffff:1.2.3.4%0\"");
    assertComesBack(CqlTypes.INET, mapped);
    assertComesBack(CqlTypes.list(CqlTypes.INET), listOf(mapped));
    assertComesBack(CqlTypes.INET, HexFormat.of().parseHex("01020304"));
    assertComesBack(CqlTypes.INET, HexFormat.of().parseHex("00000000000000000000000001020304"));
    assertThat(text(CqlTypes.INET, "::ffff:1.2.3.4")).as("as in Cassandra").hasSize(4);
    assertThatThrownBy(() -> text(CqlTypes.INET, "::ffff:1.2.3.256%0"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void decimalsOfExtremeScaleComeBack() {
    for (int scale : new int[] {Integer.MAX_VALUE, -Integer.MAX_VALUE, 3 - Integer.MAX_VALUE}) {
      for (String unscaled : List.of("0", "1", "123", "-120", "123456")) {
        byte[] value = CqlTypes.DECIMAL.encode(new BigDecimal(new BigInteger(unscaled), scale));
        assertComesBack(CqlTypes.DECIMAL, value);
        assertComesBack(CqlTypes.list(CqlTypes.DECIMAL), listOf(value));
      }
    }
    byte[] none = CqlTypes.DECIMAL.encode(new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE));
    assertThatThrownBy(() -> jsonOf(CqlTypes.DECIMAL, none))
        .hasMessage("a decimal of scale -2147483648 cannot be written as a text that is read back");
    assertThatThrownBy(() -> csvField(CqlTypes.DECIMAL, none))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void timestampsOfEitherOrderAndAnyYearComeBack() {
    CqlType legacy = CqlTypes.parse("org.apache.cassandra.db.marshal.DateType");
    for (CqlType type : List.of(CqlTypes.TIMESTAMP, legacy)) {
      for (long millis : new long[] {0, -62_167_219_200_001L, 253_402_300_800_000L, 1L << 62}) {
        byte[] value = ByteBuffer.allocate(8).putLong(millis).array();
        assertComesBack(type, value);
        assertComesBack(CqlTypes.list(type), listOf(value));
      }
    }
  }

  private static String csvField(CqlType type, byte[] value) {
    StringBuilder field = new StringBuilder();
    new CsvValueText().append(type, value, 0, value.length, field);
    return field.toString();
  }
}
