package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InfoCommandTest {
  @TempDir Path directory;

  @Test
  void withoutArgumentsTheInstallation() {
    Run run = Run.of("info");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains(
            "java " + System.getProperty("java.version"),
            "reads SSTables of versions na, nb, oa, da, pa, ea, writes nb, oa, da, pa, ea",
            "  LZ4Compressor      lz4-java, ",
            "  ZstdCompressor     zstd-jni, ",
            "  compression {");
  }

  @Test
  void aLineForEachTableInADirectoryAndBelow() throws IOException {
    Path below = Files.createDirectories(directory.resolve("ks/many-1234"));
    Path many = Fixture.MANY.copyTo(below);
    Path plain = Fixture.KEYSONLY_UNCOMPRESSED.copyTo(directory);

    Run run = Run.of("info", directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .isEqualTo(
            many
                + ": version nb, 21055 bytes, LZ4Compressor 16 KiB chunks, ratio 0.668, about 5"
                + " partitions, 200 rows including static rows, timestamps 2023-11-14T22:13:20Z to"
                + " 2023-11-14T22:13:20.000199Z, level 0\n"
                + plain
                + ": version nb, 10062 bytes, not compressed, about 10 partitions, 1000 rows"
                + " including static rows, timestamps 2023-11-14T22:13:20Z to 2023-11-14T22:13:20.000999Z, level 0\n");
  }

  @Test
  void whatCannotBeOpenedHasALineToo() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(data.resolveSibling("nb-1-big-Statistics.db"));
    Path unknown = Files.createFile(directory.resolve("fa-2-bti-Data.db"));

    Run run = Run.of("info", directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out().lines().toList())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(data + ": corrupt SSTable: "))
        .anyMatch(line -> line.startsWith(unknown + ": ") && line.contains("'fa'"));
  }

  @Test
  void whatCannotBeReadIsNotTakenForDamage() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path statistics = directory.resolve("nb-1-big-Statistics.db");
    Files.setPosixFilePermissions(statistics, Set.of());
    // Root may read every file.
    assumeThat(Files.isReadable(statistics)).isFalse();
    for (String command : List.of("info", "verify")) {
      Run run = Run.of(command, directory.toString());
      assertThat(run.code()).as(command).isEqualTo(ExitCode.IO);
      assertThat(run.out()).contains(data + ": ", statistics + ": ");
    }
    assertThat(Run.of("info", "--json", directory.toString()).code()).isEqualTo(ExitCode.IO);
  }

  @Test
  void directoriesOfIndexesAreLeftOut() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path index = Files.createDirectory(directory.resolve(".by_name"));
    Files.createFile(index.resolve("oa-1-big-Data.db"));

    Run run = Run.of("info", directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).startsWith(data + ": version nb, ").hasLineCount(1);
  }

  @Test
  void directoriesKeptAsideAreLeftOut() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    for (String name :
        List.of("quarantine/1", "set-aside", "snapshots/before", "backups", "lost+found")) {
      Path aside = Files.createDirectories(directory.resolve(name));
      Path file = Fixture.MANY.copyTo(aside);
      Files.delete(file.resolveSibling("nb-1-big-Statistics.db"));
    }

    Run run = Run.of("info", directory.toString());
    assertThat(run.out()).startsWith(data + ": version nb, ").hasLineCount(1);
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    for (String command : List.of("verify", "tablestats", "tablehistograms", "inspect")) {
      Run other = Run.of(command, directory.toString());
      assertThat(other.out()).as(command).doesNotContain("quarantine", "set-aside", "snapshots/");
      assertThat(other.code()).as(command).isEqualTo(ExitCode.OK);
    }

    // A directory that is named is searched.
    Path quarantine = directory.resolve("quarantine");
    Run named = Run.of("info", quarantine.toString());
    assertThat(named.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(named.out()).startsWith(quarantine + "/1/nb-1-big-Data.db: corrupt SSTable: ");
  }

  @Test
  void linksToDirectoriesAreFollowed() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    var unused = Fixture.MANY.copyTo(elsewhere);
    Path link = Files.createSymbolicLink(directory.resolve("link"), elsewhere);
    Path above = Files.createDirectory(directory.resolve("above"));
    Files.createSymbolicLink(above.resolve("below"), elsewhere);

    assertThat(Run.of("info", link.toString()).out()).startsWith(link + "/nb-1-big-Data.db: ");
    assertThat(Run.of("info", above.toString()).out())
        .startsWith(above + "/below/nb-1-big-Data.db");
  }

  @Test
  void aDirectoryWithoutSSTablesIsSaidToHaveNone() {
    Run run = Run.of("info", directory.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).isEqualTo("siltstone: " + directory + " has no SSTables\n");
    assertThat(Run.of("info", "--json", directory.toString()).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aMissingDirectoryIsAnError() {
    Run run = Run.of("info", directory.resolve("none").toString());

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.err()).isEqualTo("siltstone: no such file: " + directory + "/none\n");
  }
}
