package io.siltstone.rows;

import static io.siltstone.rows.Example.WRITTEN_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlDuration;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each getter of a row, with each type. */
class RowTest {
  private enum Getter {
    STRING,
    BOOLEAN,
    INT,
    LONG,
    DOUBLE,
    BIG_INTEGER,
    DECIMAL,
    UUID,
    INSTANT,
    DATE,
    TIME,
    DURATION,
    INET,
    BYTES,
    LIST,
    SET,
    MAP;

    @Nullable Object get(Row row, String name) {
      return switch (this) {
        case STRING -> row.getString(name);
        case BOOLEAN -> row.getBoolean(name);
        case INT -> row.getInt(name);
        case LONG -> row.getLong(name);
        case DOUBLE -> row.getDouble(name);
        case BIG_INTEGER -> row.getBigInteger(name);
        case DECIMAL -> row.getDecimal(name);
        case UUID -> row.getUuid(name);
        case INSTANT -> row.getInstant(name);
        case DATE -> row.getDate(name);
        case TIME -> row.getTime(name);
        case DURATION -> row.getDuration(name);
        case INET -> row.getInet(name);
        case BYTES -> row.getBytes(name);
        case LIST -> row.getList(name, Object.class);
        case SET -> row.getSet(name, Object.class);
        case MAP -> row.getMap(name, Object.class, Object.class);
      };
    }

    boolean isOfPrimitive() {
      return this == BOOLEAN || this == INT || this == LONG || this == DOUBLE;
    }
  }

  /** A column's type, what is written, and what the getters that suit the type return. */
  private record Case(String type, Object written, Map<Getter, Object> expected) {}

  private static Case of(String type, Getter getter, Object value) {
    return new Case(type, value, Map.of(getter, value));
  }

  private static Case integer(String type, Object value) {
    return new Case(type, value, Map.of(Getter.INT, 123, Getter.LONG, 123L));
  }

  private static List<Case> cases() throws IOException {
    return List.of(
        of("ascii", Getter.STRING, "plain"),
        of("text", Getter.STRING, "grün"),
        of("boolean", Getter.BOOLEAN, true),
        integer("tinyint", (byte) 123),
        integer("smallint", (short) 123),
        integer("int", 123),
        integer("bigint", 123L),
        new Case(
            "varint",
            BigInteger.valueOf(123),
            Map.of(
                Getter.INT, 123, Getter.LONG, 123L, Getter.BIG_INTEGER, BigInteger.valueOf(123))),
        new Case("float", 1.5f, Map.of(Getter.DOUBLE, 1.5)),
        of("double", Getter.DOUBLE, 1.1),
        of("decimal", Getter.DECIMAL, new BigDecimal("12.30")),
        of("uuid", Getter.UUID, UUID.fromString("123e4567-e89b-42d3-a456-426614174000")),
        of("timeuuid", Getter.UUID, UUID.fromString("123e4567-e89b-12d3-a456-426614174000")),
        of("timestamp", Getter.INSTANT, Instant.parse("2024-02-29T12:34:56.789Z")),
        of("date", Getter.DATE, LocalDate.of(2024, 2, 29)),
        of("time", Getter.TIME, LocalTime.of(12, 34, 56, 789)),
        of("duration", Getter.DURATION, new CqlDuration(1, 2, 3)),
        of("inet", Getter.INET, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})),
        of("blob", Getter.BYTES, new byte[] {1, 2, -1}),
        of("frozen<list<int>>", Getter.LIST, List.of(2, 1)),
        of("vector<float, 2>", Getter.LIST, List.of(0.5f, -1f)),
        of("frozen<tuple<int, text>>", Getter.LIST, Arrays.asList(7, null)),
        of("frozen<set<text>>", Getter.SET, Set.of("a", "b")),
        of("frozen<map<text, int>>", Getter.MAP, Map.of("a", 1)),
        of("frozen<u>", Getter.MAP, Map.of("x", 1, "y", "one")));
  }

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private Map<Case, String> columns() throws IOException {
    Map<Case, String> columns = new LinkedHashMap<>();
    for (Case each : cases()) {
      columns.put(each, "column_" + columns.size());
    }
    return columns;
  }

  /** Row 0 has all values, row 1 none. */
  private List<Row> rows(Map<Case, String> columns) throws IOException {
    StringBuilder schema =
        new StringBuilder("USE ks; CREATE TYPE u (x int, y text);")
            .append("CREATE TABLE t (k int, c int, ");
    columns.forEach((each, name) -> schema.append(name + " " + each.type() + ", "));
    Example table = new Example(schema + "PRIMARY KEY (k, c))").partition(1).insert(0);
    columns.forEach((each, name) -> table.set(name, each.written()));
    table.insert(1);
    try (StoredTable stored = new StoredTable(table.model(), FormatVersion.OA, leaks.memory())) {
      return stored.all(table.query().build(), WRITTEN_SECONDS);
    }
  }

  @Test
  void getterOfATypeReturnsItsValue() throws IOException {
    Map<Case, String> columns = columns();
    Row row = rows(columns).get(0);
    columns.forEach(
        (each, name) ->
            each.expected()
                .forEach(
                    (getter, value) ->
                        assertThat(getter.get(row, name))
                            .as("%s of %s", getter, each.type())
                            .isEqualTo(value)));
  }

  @Test
  void getterOfAnotherTypeIsRefusedWithTheColumnsNameAndType() throws IOException {
    Map<Case, String> columns = columns();
    Row row = rows(columns).get(0);
    columns.forEach(
        (each, name) -> {
          for (Getter getter : Getter.values()) {
            if (!each.expected().containsKey(getter)) {
              assertThatIllegalArgumentException()
                  .as("%s of %s", getter, each.type())
                  .isThrownBy(() -> getter.get(row, name))
                  .withMessageStartingWith(
                      "column '"
                          + name
                          + "' of type "
                          + row.columns().get(row.columns().indexOf(name)).type());
            }
          }
        });
  }

  @Test
  void nullIsNullOrForPrimitivesAnExceptionThatNamesTheColumn() throws IOException {
    Map<Case, String> columns = columns();
    Row row = rows(columns).get(1);
    columns.forEach(
        (each, name) -> {
          for (Getter getter : each.expected().keySet()) {
            if (getter.isOfPrimitive()) {
              assertThatNullPointerException()
                  .as("%s of %s", getter, each.type())
                  .isThrownBy(() -> getter.get(row, name))
                  .withMessage("column '" + name + "' is null");
            } else {
              assertThat(getter.get(row, name)).as("%s of %s", getter, each.type()).isNull();
            }
          }
        });
  }

  @Test
  void elementsOfAnotherClassAreRefusedWithTheColumnsName() throws IOException {
    Map<Case, String> columns = columns();
    Row row = rows(columns).get(0);
    columns.forEach(
        (each, name) -> {
          if (each.expected().containsKey(Getter.LIST)) {
            assertRefused(name, () -> row.getList(name, Instant.class));
          } else if (each.expected().containsKey(Getter.SET)) {
            assertRefused(name, () -> row.getSet(name, Instant.class));
          } else if (each.expected().containsKey(Getter.MAP)) {
            assertRefused(name, () -> row.getMap(name, Instant.class, Object.class));
            assertRefused(name, () -> row.getMap(name, String.class, Instant.class));
          }
        });
  }

  private static void assertRefused(String name, ThrowingCallable get) {
    assertThatIllegalArgumentException()
        .isThrownBy(get)
        .withMessageStartingWith("column '" + name + "'");
  }

  @Test
  void nameThatTheRowDoesNotHaveIsRefused() throws IOException {
    Row row = rows(columns()).get(0);
    for (Getter getter : Getter.values()) {
      assertThatIllegalArgumentException()
          .as(getter.name())
          .isThrownBy(() -> getter.get(row, "absent"))
          .withMessageContaining("'absent'");
    }
  }

  @Test
  void integersAreReturnedOnlyIfTheyFit() throws IOException {
    Example table =
        new Example("CREATE TABLE ks.t (k int PRIMARY KEY, b bigint, v varint)")
            .partition(1)
            .insert()
            .set("b", 1L << 31)
            .set("v", BigInteger.ONE.shiftLeft(63));
    try (StoredTable stored = new StoredTable(table.model(), FormatVersion.OA, leaks.memory())) {
      Row row = stored.all(table.query().build(), WRITTEN_SECONDS).get(0);
      assertThat(row.getLong("b")).isEqualTo(2_147_483_648L);
      assertRefused("b", () -> row.getInt("b"));
      assertRefused("v", () -> row.getLong("v"));
      assertThat(row.getBigInteger("v")).isEqualTo(new BigInteger("9223372036854775808"));
    }
  }
}
