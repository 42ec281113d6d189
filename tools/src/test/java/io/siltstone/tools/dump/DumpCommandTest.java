package io.siltstone.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Fixture;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Compares dumps with those of sstabledump; errors are tested with the whole command line. */
final class DumpCommandTest {
  @AutoClose private static final ToolMemory MEMORY = new ToolMemory();
  // The one expiring cell of the fixtures expires in November 2027.
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private static String dump(Instant now, Fixture fixture, String... options) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = Terminal.of(out, err);
    CommandLine command =
        new CommandLine(new DumpCommand(terminal, MEMORY, InstantSource.fixed(now)));
    command.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    String[] args = new String[options.length + 1];
    args[0] = fixture.data().toString();
    System.arraycopy(options, 0, args, 1, options.length);
    int code = command.execute(args);
    terminal.out().flush();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).isEqualTo(ExitCode.OK);
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void isWhatSstabledumpPrints(Fixture fixture) {
    assertThat(dump(NOW, fixture, "-t")).isEqualTo(fixture.json());
  }

  @Test
  void expiredIsToldByTheClock() {
    String later = dump(NOW.plusSeconds(366 * 86_400), Fixture.TYPES_COMPACTED, "-t");

    assertThat(later)
        .isNotEqualTo(Fixture.TYPES_COMPACTED.json())
        .isEqualTo(
            Fixture.TYPES_COMPACTED.json().replace("\"expired\" : false", "\"expired\" : true"));
  }

  @Test
  void timesAreIso8601UnlessAskedOtherwise() {
    assertThat(dump(NOW, Fixture.KEYSONLY_UNCOMPRESSED))
        .contains("\"liveness_info\" : { \"tstamp\" : \"2023-11-14T22:13:20.000005Z\" }");
  }

  @Test
  void keysOnlyInPartitionOrder() {
    assertThat(dump(NOW, Fixture.MANY, "-e"))
        .isEqualTo("[ [ \"04\" ], [ \"00\" ], [ \"02\" ], [ \"03\" ], [ \"01\" ]\n]");
  }

  @Test
  void onlyTheKeysAskedForInPartitionOrderAndEachOnce() {
    assertThat(keys(dump(NOW, Fixture.MANY, "-l", "-k", "01", "-k", "04", "-k", "01")))
        .containsExactly("04", "01");
  }

  @Test
  void aCompositeKeyIsAskedForWithColons() {
    assertThat(dump(NOW, Fixture.TYPES_COMPACTED, "-l", "-k", "7:ops"))
        .startsWith("{\"table kind\":\"REGULAR\",\"partition\":{\"key\":[\"7\",\"ops\"]")
        .hasLineCount(1);
  }

  @Test
  void excludedKeysAreLeftOutAlsoIfAskedFor() {
    assertThat(keys(dump(NOW, Fixture.MANY, "-l", "-x", "04", "-x", "03")))
        .containsExactly("00", "02", "01");
    assertThat(keys(dump(NOW, Fixture.MANY, "-l", "-k", "00", "-k", "02", "-x", "02")))
        .containsExactly("00");
    // 05 and 5 are one key.
    assertThat(
            keys(dump(NOW, Fixture.KEYSONLY_UNCOMPRESSED, "-l", "-k", "05", "-k", "1", "-x", "5")))
        .containsExactly("1");
  }

  @Test
  void aPartitionAloneIsThatOfTheWholeDump() {
    String alone = dump(NOW, Fixture.TYPES_COMPACTED, "-t", "-k", "100:all");
    String partition = alone.substring("[\n".length(), alone.length() - "\n]".length());

    assertThat(Fixture.TYPES_COMPACTED.json()).contains(partition);
  }

  private static List<String> keys(String lines) {
    return lines.lines().map(line -> line.replaceAll(".*\"key\":\\[\"(.*?)\"].*", "$1")).toList();
  }
}
