package io.siltstone.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineTest {
  @Test
  void readsWhatItHasWritten() {
    String name = "a \"quoted\" \\ name\n\u0001 ü 漢";
    String line =
        JsonLine.builder()
            .put("name", name)
            .put("least", Long.MIN_VALUE)
            .put("greatest", Long.MAX_VALUE)
            .put("none", List.of())
            .put("some", List.of(1L, -2L, 3L))
            .build();
    assertThat(line).doesNotContain("\n");
    JsonLine read = JsonLine.parse(line);
    assertThat(read.string("name")).isEqualTo(name);
    assertThat(read.number("least")).isEqualTo(Long.MIN_VALUE);
    assertThat(read.number("greatest")).isEqualTo(Long.MAX_VALUE);
    assertThat(read.numbers("none")).isEmpty();
    assertThat(read.numbers("some")).containsExactly(1L, -2L, 3L);
  }

  @Test
  void writesWithoutBlanks() {
    assertThat(JsonLine.builder().build()).isEqualTo("{}");
    assertThat(JsonLine.builder().put("a", "b").put("c", 1).put("d", List.of(1L, 2L)).build())
        .isEqualTo("{\"a\":\"b\",\"c\":1,\"d\":[1,2]}");
  }

  @Test
  void passesOverMembersOfOtherTypes() {
    JsonLine read =
        JsonLine.parse(
            " { \"x\" : {\"y\":[{}, [], \"\"]}, \"f\":1.5e3, \"t\":true, \"n\":null,\"a\" : 7 } ");
    assertThat(read.number("a")).isEqualTo(7);
    assertThatThrownBy(() -> read.number("f")).hasMessage("member \"f\" is not a whole number");
    assertThatThrownBy(() -> read.string("t")).hasMessage("member \"t\" is not a string");
    assertThatThrownBy(() -> read.numbers("x"))
        .hasMessage("member \"x\" is not an array of whole numbers");
    assertThatThrownBy(() -> read.string("z")).hasMessage("member \"z\" is missing");
  }

  @Test
  void readsEscapes() {
    assertThat(JsonLine.parse("{\"a\":\"\\u00fc\\/\\b\\f\\n\\r\\t\\\\\\\"\"}").string("a"))
        .isEqualTo("ü/\b\f\n\r\t\\\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{}}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":01}",
        "{\"a\":--1}",
        "{\"a\":tru}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u00g0\"}",
        "{\"a\":\"\u0001\"}",
        "{\"a\":[1 2]}",
        "{a:1}",
        "\u0000\u0000"
      })
  void rejectsWhatIsNoObject(String line) {
    assertThatThrownBy(() -> JsonLine.parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no JSON object: at index ");
  }

  @Test
  void rejectsEveryIncompleteLine() {
    String line = "{\"a\":\"b\\n\",\"c\":[1,2],\"d\":{\"e\":null}}";
    for (int length = 0; length < line.length(); length++) {
      String torn = line.substring(0, length);
      assertThatThrownBy(() -> JsonLine.parse(torn)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void rejectsDeepNestingWithoutOverflowingTheStack() {
    String line = "{\"a\":" + "[".repeat(1_000_000);
    assertThatThrownBy(() -> JsonLine.parse(line)).hasMessageContaining("100 nested values");
  }
}
