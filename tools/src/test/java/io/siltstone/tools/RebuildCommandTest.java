package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Components of SSTables that Cassandra wrote are rebuilt, and nothing else changes. */
final class RebuildCommandTest {
  @TempDir Path directory;

  private static Path sibling(Path data, String component) {
    return data.resolveSibling(String.valueOf(data.getFileName()).replace("Data.db", component));
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.delete(file);
    Files.write(file, bytes);
  }

  private void clear() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofWhatCassandraWroteNothingIsRebuilt(Fixture fixture) throws IOException {
    Path data = fixture.copyTo(directory);
    Run run = Run.of("rebuild", directory.toString());
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEqualTo(data + ": nothing to rebuild\n");
  }

  @ParameterizedTest
  @EnumSource
  void eachComponentOfCassandrasIsRebuilt(Fixture fixture) throws IOException {
    for (String component :
        List.of(
            "Index.db",
            "Summary.db",
            "Filter.db",
            "CompressionInfo.db",
            "CRC.db",
            "Digest.crc32",
            "TOC.txt")) {
      clear();
      Path data = fixture.copyTo(directory);
      Path file = sibling(data, component);
      if (!Files.exists(file)) {
        continue;
      }
      byte[] before = Files.readAllBytes(file);
      Files.delete(file);
      Run run = Run.of("rebuild", data.toString());
      assertThat(run.out()).as(run.err()).contains(component + " was rebuilt: it was missing");
      assertThat(run.code()).isEqualTo(ExitCode.OK);
      if (List.of("CompressionInfo.db", "CRC.db", "Digest.crc32").contains(component)) {
        assertThat(Files.readAllBytes(file)).as(component).isEqualTo(before);
      }
      assertSound(data, fixture);
    }
  }

  private static void assertSound(Path data, Fixture fixture) {
    Run verified = Run.of("verify", "-e", data.toString());
    assertThat(verified.out()).contains(": ok, ");
    assertThat(verified.code()).isEqualTo(ExitCode.OK);
    assertThat(Run.of("dump", "-t", data.toString()).out())
        .isEqualTo(Run.of("dump", "-t", fixture.data().toString()).out());
  }

  @ParameterizedTest
  @EnumSource
  void everyComponentOfTheStatisticsIsSaved(Fixture fixture) throws IOException {
    for (int part = 0; part < 4; part++) {
      clear();
      Path data = fixture.copyTo(directory);
      Path statistics = sibling(data, "Statistics.db");
      byte[] original = Files.readAllBytes(statistics);
      int at = ByteBuffer.wrap(original).getInt(8 + 8 * part + 4);
      flip(statistics, at + 5);
      assertThat(Run.of("verify", data.toString()).err())
          .contains("siltstone rebuild " + data + " makes Statistics.db anew");
      Run run = Run.of("rebuild", data.toString());
      assertThat(run.out()).as("part %s", part).contains("Statistics.db was rebuilt: ");
      assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
      if (part != 2) {
        assertThat(Files.readAllBytes(statistics)).as("part %s", part).isEqualTo(original);
      }
      assertSound(data, fixture);
    }
  }

  @Test
  void aLostStatisticsFileNeedsTheBases() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(sibling(data, "Statistics.db"));
    Run refused = Run.of("rebuild", data.toString());
    assertThat(refused.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(refused.out()).contains("nothing was rebuilt", "the data does not tell them");
    assertThat(refused.out())
        .contains(
            "EncodingStats minTimestamp, minLocalDeletionTime and minTTL as --base-timestamp,"
                + " --base-deletion-time and --base-ttl");
    Run partly = Run.of("rebuild", "--base-timestamp", "1", data.toString());
    assertThat(partly.code()).isEqualTo(ExitCode.USAGE);
    assertThat(partly.err()).contains("must be given together");
  }

  @Test
  void scrubSavesAllThatOnlyAChecksumOrTheStatisticsStoodAgainst() throws IOException {
    for (String component : List.of("CRC.db", "Statistics.db")) {
      clear();
      Path data = Fixture.KEYSONLY_UNCOMPRESSED.copyTo(directory);
      Path file = sibling(data, component);
      flip(file, (int) Files.size(file) - 3);
      Run scrub = Run.of("scrub", directory.toString());
      assertThat(scrub.out()).as(component + scrub.err()).contains("1000 rows");
      assertThat(scrub.code()).isEqualTo(ExitCode.OK);
      assertThat(Run.of("verify", "-e", directory.toString()).out())
          .contains(": ok, 10 partitions, 1000 rows");
    }
  }

  @Test
  void aScrubThatLeavesAnSSTableAsideDoesNotSayThatThereIsNothingToDo() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(sibling(data, "Statistics.db"));
    Run scrub = Run.of("scrub", directory.toString());
    String remedy = "; siltstone rebuild " + data + " makes Statistics.db anew";
    assertThat(scrub.err()).contains("was skipped", remedy);
    for (String command : List.of("compact", "explain", "inspect", "tablestats")) {
      assertThat(Run.of(command, directory.toString()).err()).as(command).contains(remedy);
    }
    for (String command : List.of("dump", "metadata", "export")) {
      assertThat(Run.of(command, data.toString()).err()).as(command).contains(remedy);
    }
    assertThat(scrub.out()).doesNotContain("nothing to do");
    assertThat(scrub.code()).isEqualTo(ExitCode.DAMAGED);
  }

  @Test
  void damagedDataIsRefusedAndJsonSaysSo() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    flip(data, (int) Files.size(data) / 2);
    Run run = Run.of("rebuild", "--json", data.toString());
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out()).contains("\"failure\"", "scrub saves what can be read");
  }

  @Test
  void aDryRunOnlySaysWhatItWouldDo() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(sibling(data, "Filter.db"));
    Run run = Run.of("rebuild", "--dry-run", directory.toString());
    assertThat(run.out()).contains("Filter.db can be rebuilt: it was missing");
    assertThat(sibling(data, "Filter.db")).doesNotExist();
  }
}
