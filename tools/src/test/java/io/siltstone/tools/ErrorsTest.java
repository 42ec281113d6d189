package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of every command that reads a table for one that it cannot read. */
final class ErrorsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata", "verify"})
  void aMissingFile(String command) {
    Path file = directory.resolve("nb-1-big-Data.db");
    Run run = Run.of(command, file.toString());

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("siltstone: no such file: " + file + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata", "verify"})
  void aFileThatCannotBeReached(String command) throws IOException {
    Path loop = directory.resolve("nb-1-big-Data.db");
    Files.createSymbolicLink(loop, loop);
    Run run = Run.of(command, loop.toString());
    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).startsWith("siltstone: " + loop + ": ").hasLineCount(1);

    Path closed = Files.createDirectory(directory.resolve("closed"));
    Path data = Fixture.MANY.copyTo(closed);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    // Root may enter every directory.
    if (!Files.isExecutable(closed)) {
      Run denied = Run.of(command, data.toString());
      assertThat(denied.code()).isEqualTo(ExitCode.IO);
      assertThat(denied.err()).isEqualTo("siltstone: access denied: " + data + "\n");
    }
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata", "verify"})
  void anotherKindOfFile(String command) throws IOException {
    Run run = Run.of(command, Files.createFile(directory.resolve("notes.txt")).toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("siltstone: 'notes.txt' is not").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata"})
  void aDirectory(String command) {
    Run run = Run.of(command, directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(directory + " is a directory").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tablestats",
        "tablehistograms",
        "compactionstats",
        "compactionhistory",
        "explain",
        "inspect"
      })
  void aFileInPlaceOfADirectory(String command) throws IOException {
    Path file = Files.createFile(directory.resolve("notes.txt"));
    Run run = Run.of(command, file.toString());

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).isEqualTo("siltstone: not a directory: " + file + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "tablestats", "tablehistograms", "info"})
  void aLinkThatLeadsBack(String command) throws IOException {
    var unused = Fixture.MANY.copyTo(Files.createDirectories(directory.resolve("shop/many")));
    Path link = Files.createSymbolicLink(directory.resolve("shop/self"), Path.of("..", "shop"));

    Run run = Run.of(command, directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo("siltstone: a symbolic link leads back to a directory above it: " + link + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"verify", "tablestats", "info"})
  void linksThatDoNotLeadBackAreFollowed(String command) throws IOException {
    Path many = Files.createDirectories(directory.resolve("shop/many"));
    var unused = Fixture.MANY.copyTo(many);
    Files.createSymbolicLink(directory.resolve("shop/other"), many);

    assertThat(Run.of(command, "--json", directory.toString()).out()).contains("many", "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fa-1-bti-Data.db", "da-1-big-Data.db", "mc-1-big-Data.db"})
  void aVersionThatCannotBeRead(String name) throws IOException {
    Run run = Run.of("dump", Files.createFile(directory.resolve(name)).toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err())
        .contains("'" + name.substring(0, 2) + "'", "not supported")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata"})
  void aTruncatedDataFile(String command) throws IOException {
    Path data = Fixture.TYPES_COMPACTED.copyTo(directory);
    byte[] bytes = Files.readAllBytes(data);
    Files.delete(data);
    Files.write(data, Arrays.copyOf(bytes, bytes.length / 2));

    Run run = Run.of(command, data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err()).startsWith("siltstone: corrupt SSTable: " + directory).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--verbose"})
  void aFlippedByteEndsADumpBehindWhatWasReadBefore(String option) throws IOException {
    Path data = Fixture.TYPES_COMPACTED.copyTo(directory);
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length - 1000] ^= 1;
    Files.delete(data);
    Files.write(data, bytes);

    Run run =
        option.isEmpty()
            ? Run.of("dump", "-t", data.toString())
            : Run.of("dump", "-t", option, data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out()).isNotEmpty();
    assertThat(Fixture.TYPES_COMPACTED.json()).startsWith(run.out());
    assertThat(run.err()).startsWith("siltstone: corrupt SSTable: ").contains("Data.db");
    assertThat(run.err().lines().count() > 1).isEqualTo(!option.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "metadata", "verify"})
  void aMissingComponent(String command) throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(data.resolveSibling("nb-1-big-Statistics.db"));

    Run run = Run.of(command, data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    // The damage, followed in verify by the command that repairs it.
    assertThat(run.out() + run.err())
        .contains("Statistics.db")
        .hasLineCount(command.equals("verify") ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1:2:3:4"})
  void aKeyThatCannotBe(String key) {
    Run run = Run.of("dump", "-k", key, Fixture.TYPES_COMPACTED.data().toString());
    assertThat(run.out()).isEmpty();

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("key '" + key + "'").hasLineCount(1);
  }
}
