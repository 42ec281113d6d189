package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  private static final List<String> NAMES =
      List.of("--compression", "--chunk-length", "--chunk-length-kb", "--json", "-s");

  @ParameterizedTest
  @CsvSource({
    "--compresion, ' (did you mean --compression?)'",
    "--compresion=Zstd, ' (did you mean --compression?)'",
    "-json, ' (did you mean --json?)'",
    "--chunk, ' (did you mean --chunk-length or --chunk-length-kb?)'",
    "--JSON, ' (did you mean --json?)'",
    "--colour, ''",
    "-x, ' (did you mean -s?)'"
  })
  void theFewestEditsAreSuggested(String given, String expected) {
    assertThat(Suggestion.of(given, NAMES)).isEqualTo(expected);
  }

  @Test
  void optionsAndCommandsOfTheCommandLineAreSuggested() {
    assertThat(Run.of("load", "--schem", "x").err())
        .contains("Unknown option: '--schem' (did you mean --schema?); see siltstone load --help");
    assertThat(Run.of("recompres", "x").err())
        .contains("Unknown command: 'recompres' (did you mean recompress?); see siltstone --help");
    assertThat(Run.of("help", "metdata").err()).contains("(did you mean metadata?)");
  }
}
