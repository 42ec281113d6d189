package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rows fulfil which conditions. */
class ConditionTest {
  private final TableSchema schema =
      SchemaParser.parse(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v bigint, d decimal, s set<int>,"
                  + " f frozen<set<int>>, w duration, a inet, p tuple<int, text>, l list<int>)")
          .onlyTable();

  private boolean holds(Condition condition, @Nullable Map<String, Object> row) {
    return condition.bind(schema).test(row == null ? null : column -> bytes(column, row));
  }

  private @Nullable ByteBuffer bytes(String column, Map<String, Object> row) {
    Object value = row.get(column);
    return value == null || value instanceof ByteBuffer
        ? (ByteBuffer) value
        : ByteBuffer.wrap(schema.column(column).orElseThrow().type().encode(value));
  }

  private static ByteBuffer hex(String bytes) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(bytes)).asReadOnlyBuffer();
  }

  @Test
  void existence() {
    assertThat(holds(Condition.exists(), Map.of())).isTrue();
    assertThat(holds(Condition.exists(), null)).isFalse();
    assertThat(holds(Condition.notExists(), Map.of())).isFalse();
    assertThat(holds(Condition.notExists(), null)).isTrue();
  }

  @Test
  void valuesAreComparedAsTheirTypeDoes() {
    Map<String, Object> row = Map.of("v", 5L, "d", new BigDecimal("1.50"));
    assertThat(holds(Condition.equal("v", 5), row)).isTrue();
    assertThat(holds(Condition.equal("v", 6), row)).isFalse();
    assertThat(holds(Condition.notEqual("v", 6), row)).isTrue();
    assertThat(holds(Condition.notEqual("v", 5), row)).isFalse();
    assertThat(holds(Condition.equal("d", new BigDecimal("1.5")), row)).isTrue();
    assertThat(holds(Condition.in("v", List.of(4, 5)), row)).isTrue();
    assertThat(holds(Condition.in("v", List.of(4, 6)), row)).isFalse();
    assertThat(holds(Condition.in("v", List.of()), row)).isFalse();
  }

  @Test
  void order() {
    for (long value : new long[] {-3, 5, 6}) {
      Map<String, Object> row = Map.of("v", value);
      assertThat(holds(Condition.less("v", 5), row)).isEqualTo(value < 5);
      assertThat(holds(Condition.atMost("v", 5), row)).isEqualTo(value <= 5);
      assertThat(holds(Condition.greater("v", 5), row)).isEqualTo(value > 5);
      assertThat(holds(Condition.atLeast("v", 5), row)).isEqualTo(value >= 5);
    }
  }

  @Test
  void nullIsAColumnWithoutAValueAndARowThatDoesNotExist() {
    Map<String, Object> without = new HashMap<>();
    for (Map<String, Object> row : Arrays.asList(without, null)) {
      assertThat(holds(Condition.equal("v", null), row)).isTrue();
      assertThat(holds(Condition.notEqual("v", null), row)).isFalse();
      assertThat(holds(Condition.equal("v", 1), row)).isFalse();
      assertThat(holds(Condition.notEqual("v", 1), row)).isTrue();
      assertThat(holds(Condition.less("v", 1), row)).isFalse();
      assertThat(holds(Condition.atLeast("v", 1), row)).isFalse();
      assertThat(holds(Condition.in("v", Arrays.asList(1L, null)), row)).isTrue();
      assertThat(holds(Condition.in("v", List.of(1L)), row)).isFalse();
      assertThat(holds(Condition.equal("s", Set.of()), row)).isTrue();
      assertThat(holds(Condition.equal("f", Set.of()), row)).isFalse();
    }
    Map<String, Object> with = Map.of("v", 1L, "s", Set.of(1), "f", Set.of());
    assertThat(holds(Condition.equal("v", null), with)).isFalse();
    assertThat(holds(Condition.notEqual("v", null), with)).isTrue();
    assertThat(holds(Condition.notEqual("s", Set.of()), with)).isTrue();
    assertThat(holds(Condition.equal("f", Set.of()), with)).isTrue();
    assertThat(holds(Condition.greater("s", Set.of(0, 7)), with)).isTrue();
  }

  @Test
  void theEmptyValueIsAValue() {
    Map<String, Object> row = Map.of("v", hex(""));
    assertThat(holds(Condition.equal("v", null), row)).isFalse();
    assertThat(holds(Condition.notEqual("v", null), row)).isTrue();
    assertThat(holds(Condition.equal("v", hex("")), row)).isTrue();
    assertThat(holds(Condition.notEqual("v", hex("")), row)).isFalse();
    assertThat(holds(Condition.less("v", Long.MIN_VALUE), row)).isTrue();
  }

  @Test
  void whatIsStoredIsComparedAndNotWhatItDecodesTo() {
    Map<String, String> stored =
        Map.of(
            "a", "00000000000000000000ffff01020304",
            "p", "0000000400000007",
            "l", "00000002" + "00000000" + "0000000400000001");
    stored.forEach(
        (column, bytes) -> {
          Map<String, Object> row = Map.of(column, hex(bytes));
          assertThat(holds(Condition.equal(column, hex(bytes)), row)).as(column).isTrue();
          assertThat(holds(Condition.notEqual(column, hex(bytes)), row)).as(column).isFalse();
        });
    assertThat(holds(Condition.equal("a", "1.2.3.4"), Map.of("a", hex(value(stored, "a")))))
        .isFalse();
    assertThat(holds(Condition.equal("l", List.of(1)), Map.of("l", hex(value(stored, "l")))))
        .isFalse();
  }

  @Test
  void aCorruptValueIsNotCompared() {
    Map<String, String> corrupt =
        Map.of("v", "000001", "d", "00000001", "f", "000000020000", "s", "0000", "a", "01");
    Map<String, Object> values =
        Map.of("v", 1L, "d", 1, "f", Set.of(1), "s", Set.of(1), "a", "1.2.3.4");
    corrupt.forEach(
        (column, bytes) -> {
          Map<String, Object> row = Map.of(column, hex(bytes));
          Object value = Objects.requireNonNull(values.get(column));
          for (Condition condition :
              List.of(
                  Condition.equal(column, value),
                  Condition.notEqual(column, value),
                  Condition.in(column, List.of(value)),
                  Condition.less(column, value),
                  Condition.atLeast(column, value))) {
            assertThatThrownBy(() -> holds(condition, row))
                .as("%s", condition)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the stored value of column '" + column + "' (")
                .hasMessageContaining(") of ks.t is corrupt: ");
          }
          assertThat(holds(Condition.equal(column, null), row)).isFalse();
          assertThat(holds(Condition.notEqual(column, null), row)).isTrue();
        });
  }

  @Test
  void conditionsThatAreNone() {
    refused(Condition.equal("x", 1), "ks.t has no column 'x'");
    refused(Condition.equal("k", 1), "column 'k' (int) of ks.t belongs to the primary key");
    refused(Condition.equal("v", "a"), "column 'v' (bigint) of ks.t");
    refused(Condition.less("s", Set.of()), "empty collection");
    refused(Condition.less("w", "1h"), "durations have no order");
    refused(Condition.atLeast("v", TestTable.nothing()), "less or greater than null");
  }

  private void refused(Condition condition, String message) {
    assertThatThrownBy(() -> condition.bind(schema))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static String value(Map<String, String> stored, String column) {
    return Objects.requireNonNull(stored.get(column));
  }
}
