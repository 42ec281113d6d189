package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rows fulfil which conditions. */
class ConditionTest {
  private final TableSchema schema =
      SchemaParser.parse(
              "CREATE TABLE ks.t (k int PRIMARY KEY, v bigint, d decimal, s set<int>,"
                  + " f frozen<set<int>>, w duration)")
          .onlyTable();

  private boolean holds(Condition condition, @Nullable Map<String, Object> row) {
    return condition.bind(schema).holds(row == null ? null : row::get);
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
}
