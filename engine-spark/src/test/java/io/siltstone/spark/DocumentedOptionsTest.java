package io.siltstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.spark.table.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of options in {@code docs/spark.md} have all options, and no others. */
final class DocumentedOptionsTest {
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void tablesHaveTheOptionsThatThereAre() throws IOException {
    String page = Files.readString(Path.of("../docs/spark.md"));
    String section = page.substring(page.indexOf("\n## Options"), page.indexOf("\n## Damage"));
    Set<String> documented = new TreeSet<>();
    for (String line : section.split("\n", -1)) {
      if (line.startsWith("| `")) {
        String cell = line.substring(0, line.indexOf(" |", 2));
        NAME.matcher(cell).results().map(MatchResult::group).forEach(documented::add);
      }
    }
    Set<String> options = new TreeSet<>();
    SourceOptions.names().forEach(name -> options.add("`" + name + "`"));
    // Spark makes these of the paths that load and save are given.
    options.remove("`path`");
    options.remove("`paths`");

    assertThat(documented).isEqualTo(options);
  }
}
