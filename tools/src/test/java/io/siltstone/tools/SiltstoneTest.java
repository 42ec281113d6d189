package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SiltstoneTest {

  @Test
  void withoutACommandTheHelpIsPrinted() {
    Run run = Run.of();

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith("Usage: siltstone ").contains("info");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void versionIsThatOfTheBuild() {
    assertThat(Run.of("--version").out()).matches("siltstone \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
  }

  @Test
  void helpTellsTheOptionsOfACommand() {
    Run run = Run.of("help", "verify");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEqualTo(Run.of("verify", "--help").out()).contains("--extended");
    assertThat(Run.of("help").out()).isEqualTo(Run.of().out());
  }

  @Test
  void helpOfNoCommandIsWrongUsage() {
    Run run = Run.of("help", "nosuch");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("siltstone: ").contains("nosuch").hasLineCount(1);
  }

  @Test
  void theListOfCommandsHasWholeSentences() {
    String[] commands = Run.of().out().split("Commands:\n", -1)[1].split("\n {2}(?=\\S)", -1);

    assertThat(commands).hasSizeGreaterThan(20).allMatch(each -> each.strip().endsWith("."));
  }

  @Test
  void eachCommandIsAClassOfItsName() throws Exception {
    Set<String> classes;
    Path root =
        Path.of(Siltstone.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(root)) {
      classes =
          files
              .map(file -> file.getFileName().toString().toLowerCase(Locale.ROOT))
              .collect(Collectors.toSet());
    }
    List<String> commands =
        Pattern.compile("(?m)^ {2}([a-z-]+)(?: |$)")
            .matcher(Run.of().out().split("Commands:\n", -1)[1])
            .results()
            .map(match -> match.group(1))
            .filter(name -> !name.equals("help") && !name.equals("generate-completion"))
            .toList();

    assertThat(commands).contains("scrub", "explain-key");
    assertThat(commands)
        .allSatisfy(name -> assertThat(classes).contains(name.replace("-", "") + "command.class"));
  }

  @Test
  void unknownCommandIsWrongUsageInOneLine() {
    Run run = Run.of("dmp");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("siltstone: ").contains("dmp").hasLineCount(1);
  }

  @Test
  void unknownOptionNamesTheCommandWhoseHelpToRead() {
    Run run = Run.of("info", "--colour");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--colour", "siltstone info --help").hasLineCount(1);
  }

  @Test
  void aReaderThatHasGoneEndsTheCommandQuietly() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    assertThat(Siltstone.run(new String[] {"info"}, failing("Broken pipe"), err))
        .isEqualTo(ExitCode.OK);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void anErrorIsToldThoughWhatWasPrintedBeforeCannotBeWritten() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String sound = Fixture.TYPES_COMPACTED.data().toString();

    int code =
        Siltstone.run(
            new String[] {"metadata", sound, "nosuch-Data.db"}, failing("disk is full"), err);

    assertThat(code).isEqualTo(Run.of("metadata", sound, "nosuch-Data.db").code());
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("nosuch-Data.db").hasLineCount(1);
  }

  @Test
  void anArgumentMayBeginWithAnAt() {
    Run run = Run.of("info", "@.");

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).isEqualTo("siltstone: no such file: @.\n");
  }

  @Test
  void sizesThatNoLongHoldsAreWrongUsage() {
    Run run = Run.of("stress", "KeyValue", "--memtable", "5000P", "--chunk-cache", "5000P");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--memtable", "--chunk-cache").hasLineCount(1);
  }

  @Test
  void outputThatCannotBeWrittenIsAnError() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    assertThat(Siltstone.run(new String[] {"info"}, failing("No space left on device"), err))
        .isEqualTo(ExitCode.IO);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("siltstone: cannot write to standard output: No space left on device\n");
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }
}
