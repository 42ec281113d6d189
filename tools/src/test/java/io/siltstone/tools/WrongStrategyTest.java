package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table from elsewhere whose compaction options are not allowed here. */
final class WrongStrategyTest {
  @TempDir Path directory;

  @BeforeEach
  void aTable() throws IOException {
    var unused = Fixture.KEYSONLY_UNCOMPRESSED.copyTo(directory);
    Path schema = directory.resolve("schema.cql");
    String compaction =
        "compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_size': '0'}";
    String cql = Files.readString(schema);
    Files.writeString(schema, cql.replaceFirst("compaction = \\{[^}]*}", compaction));
  }

  @ParameterizedTest
  @ValueSource(strings = {"explain", "compact", "inspect", "advise"})
  void isSaidToBeWrongByWhatAsksIt(String command) {
    Run run = Run.of(command, directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("ks.keysonly: compaction with TimeWindowCompactionStrategy: ")
        .contains("compaction_window_size = 0, allowed a whole number from 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tablestats", "compactionstats"})
  void doesNotPassForNothingToDo(String command) {
    Run run = Run.of(command, directory.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("not known: compaction with TimeWindowCompactionStrategy: compaction_window_size")
        .doesNotContain("ytes to compact");
    Run json = Run.of(command, "--json", directory.toString());
    assertThat(json.code()).isEqualTo(ExitCode.OK);
    assertThat(json.out()).contains("keysonly").doesNotContain("pending_", "debt");
  }

  @Test
  void levelsAreShownWhateverTheirFanoutIs() throws IOException {
    Path schema = directory.resolve("schema.cql");
    String compaction =
        "compaction = {'class': 'LeveledCompactionStrategy', 'fanout_size': 'many'}";
    String cql = Files.readString(schema);
    Files.writeString(schema, cql.replaceFirst("compaction = \\{[^}]*}", compaction));

    Run run = Run.of("tablestats", directory.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("SSTables in each level: [1]", "not known: compaction with");
  }
}
