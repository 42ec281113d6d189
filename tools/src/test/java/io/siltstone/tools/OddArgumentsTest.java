package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages for senseless command lines. */
final class OddArgumentsTest {
  @TempDir Path directory;

  private static Run run(Path table, String args) {
    return Run.of(args.replace("TABLE", table.toString()).replace("''", "").split(" ", -1));
  }

  /** Returns names and times of all files. */
  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        files.put(each.toString(), Files.getLastModifiedTime(each).toString());
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "compact TABLE --option foo | Unknown option: '--option'; see",
        "compact TABLE --option=foo | Unknown option: '--option=foo'; see",
        "compact -- TABLE --dry-run | Unexpected argument: '--dry-run', nothing after -- is an option; see",
        "compact TABLE TABLE2 | Unexpected argument: 'TABLE2'; see",
        "compactt TABLE | Unknown command: 'compactt' (did you mean compact?); see",
        "help compactt | Unknown subcommand 'compactt' (did you mean compact?); see",
        "top --count 1 '' | Unexpected argument: ''; see",
        "simulate --strategy Leveled --option foo | Value for option '--option' (NAME=VALUE) should",
        "compact TABLE --dry-run=yes | '--dry-run': 'yes', allowed true or false; see",
        "compact TABLE --start-token x | --start-token 'x' is not a token of this table, allowed a whole",
        "compact TABLE --end-token '' | --end-token '' is not a token of this table, allowed a whole",
        "compact TABLE --start-token 9223372036854775808 | is not a token of this table, allowed a whole",
        "compact TABLE -st 5 -et 4 | --start-token 5 is after --end-token 4; a range that wraps around",
        "compact TABLE --compactors x | '--compactors': 'x', allowed a whole number up to 2147",
        "top --count 1 --pid x | '--pid': 'x', allowed a whole number up to 9223",
        "top --count 1 --pid -1 | --pid -1, allowed 1 or more",
        "top --count 1 --interval 1d TABLE | '--interval': '1d', allowed a number such as 0.25; see",
        "compact TABLE --user-defined , | --user-defined names no SSTable",
        "compact TABLE --user-defined nb-9-big-Data.db | --user-defined nb-9-big-Data.db is not a live",
        "split TABLE --table '' | has no table '', allowed for --table: [ks.many]",
        "upgradesstables TABLE --sstable-version na | --sstable-version na, allowed nb, oa, da, pa, ea",
        "upgradesstables TABLE --sstable-version '' | --sstable-version , allowed nb, oa, da, pa, ea",
      })
  void whatIsWrongIsNamedAndNothingIsDone(String args, String message) throws IOException {
    Path table = Files.createDirectory(directory.resolve("TABLE-there"));
    var unused = Fixture.MANY.copyTo(table);
    Map<String, String> before = files(directory);

    Run run = run(table, args.replace("TABLE2", "another"));

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("siltstone: ")
        .contains(message.replace("TABLE2", "another"))
        .hasLineCount(1);
    assertThat(files(directory)).isEqualTo(before);
  }

  @Test
  void whatIsNamedTwiceIsShownOnce() throws IOException {
    Path table = Files.createDirectory(directory.resolve("many"));
    var unused = Fixture.MANY.copyTo(table);
    Path again = directory.resolve(".").resolve("many");

    for (String command : new String[] {"tablestats", "tablehistograms", "compactionstats"}) {
      Run once = Run.of(command, table.toString());
      Run twice = Run.of(command, table.toString(), again.toString(), directory.toString());
      assertThat(twice.code()).as(twice.err()).isEqualTo(ExitCode.OK);
      assertThat(twice.out()).isEqualTo(once.out());
    }
    assertThat(Run.of("top", "--count", "1", table.toString(), table.toString()).out())
        .containsOnlyOnce("ks.many");
  }

  @Test
  void sizesOfSmallTablesAreNotRoundedAway() throws IOException {
    Path table = Files.createDirectory(directory.resolve("many"));
    long bytes = Files.size(Fixture.MANY.copyTo(table));
    assertThat(bytes).isEqualTo(21_055);

    assertThat(Run.of("compact", "--dry-run", table.toString()).out())
        .startsWith("planned: major nb-1-big, 20.6 KiB\n");
    assertThat(Run.of("explain", table.toString()).out())
        .startsWith("ks.many: 1 SSTable, 20.6 KiB\n");
    assertThat(Run.of("compact", table.toString()).out())
        .startsWith("major nb-1-big, 20.6 KiB -> nb-2-big, ")
        .doesNotContain(" MB");
  }
}
