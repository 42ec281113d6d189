package io.siltstone.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VerifyCommandTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void whatCassandraWroteIsSound(Fixture fixture) {
    Run basic = Run.of("verify", fixture.data().toString());
    Run extended = Run.of("verify", "-e", fixture.data().toString());

    assertThat(basic.code()).as(basic.out()).isEqualTo(ExitCode.OK);
    assertThat(basic.out()).startsWith(fixture.data() + ": ok, digest only, ").hasLineCount(1);
    assertThat(extended.code()).as(extended.out()).isEqualTo(ExitCode.OK);
    assertThat(extended.out()).startsWith(fixture.data() + ": ok, ").hasLineCount(1);
  }

  /**
   * {@code nb} adds the host at the end of the statistics, which a reader of {@code na} does not
   * read.
   */
  @ParameterizedTest
  @EnumSource
  void aTableOfTheVersionNaIsSoundAndHasTheSameRows(Fixture fixture) throws IOException {
    Path copy = fixture.copyTo(directory);
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(path -> name(path).startsWith("nb-")).toList()) {
        Files.move(file, file.resolveSibling(name(file).replaceFirst("nb", "na")));
      }
    }
    Path data = copy.resolveSibling(name(copy).replaceFirst("nb", "na"));
    assertThat(counted(data)).startsWith(": ok, ").isEqualTo(counted(fixture.data()));
    assertThat(Run.of("dump", "-t", data.toString()).out())
        .hasSizeGreaterThan(100)
        .isEqualTo(Run.of("dump", "-t", fixture.data().toString()).out());

    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    try (Database database = Database.open(directory, readOnly)) {
      Table table = database.tables().get(0);
      assertThat(table.statistics().sstables().count()).isOne();
      assertThat(table.get(table.query().limit(1).build())).isPresent();
    }
  }

  /** Returns the counts of a table, without the time that verification took. */
  private static String counted(Path data) {
    String out = Run.of("verify", "-e", data.toString()).out();
    return out.substring(data.toString().length(), out.indexOf(" markers"));
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  @Test
  void aScrubTellsWhatIsDamagedOfTheLog() throws IOException {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database database = Database.open(directory, options)) {
      Table table = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v int)");
      table.truncate();
      table.write(table.mutation(1).insert().set("v", 1).build());
    }
    Path positions;
    try (Stream<Path> files = Files.walk(directory)) {
      positions = files.filter(path -> name(path).equals("flushed_positions")).findAny().get();
    }
    byte[] bytes = Files.readAllBytes(positions);
    bytes[0] ^= 1;
    Files.write(positions, bytes);
    assertThat(Run.of("compact", directory.toString()).code()).isEqualTo(ExitCode.DAMAGED);
    Run scrub = Run.of("scrub", directory.toString());
    assertThat(scrub.code()).as(scrub.err()).isEqualTo(ExitCode.DAMAGED);
    assertThat(scrub.err()).contains(positions + " was skipped from its damage on");
    assertThat(Run.of("export", directory.toString()).out()).hasLineCount(1);
    assertThat(Run.of("scrub", directory.toString()).code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void extendedCountsWhatIsInTheTable() {
    assertThat(Run.of("verify", "--extended", Fixture.MANY.data().toString()).out())
        .contains(": ok, 5 partitions, 200 rows, 3965 cells, 0 range tombstone markers, ");
    assertThat(Run.of("verify", "-e", Fixture.KEYSONLY_UNCOMPRESSED.data().toString()).out())
        .contains(": ok, 10 partitions, 1000 rows, 0 cells, ");
  }

  @ParameterizedTest
  @EnumSource
  void aFlippedByteIsFoundByTheDigestAndByReading(Fixture fixture) throws IOException {
    Path data = fixture.copyTo(directory);
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 0x10;
    rewrite(data, bytes);

    for (String option : new String[] {"--verbose", "-e"}) {
      Run run = Run.of("verify", option, data.toString());
      assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
      assertThat(run.out()).startsWith(data + ": corrupt SSTable: ").hasLineCount(1);
      assertThat(run.err())
          .hasLineCount(1)
          .contains("siltstone rebuild " + data, "siltstone scrub " + directory);
    }
  }

  @Test
  void namesThatAreNoneAreMissedAndFilesOfIndexesAreTold() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path toc = data.resolveSibling("nb-1-big-TOC.txt");
    String named = Files.readString(toc) + "SAI+aa+v+TermsData.db\n";
    rewrite(toc, (named + "\u0000\u0001/\n").getBytes(UTF_8));

    Run run = Run.of("verify", data.toString());
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .endsWith(
            "; TOC.txt names something that is not a file name, which is not a file of an SSTable"
                + "; no files of an index,"
                + " which may be empty or is rebuilt by a node: SAI+aa+v+TermsData.db\n");
  }

  /** The ways to damage {@code TOC.txt}, each of which a rebuild repairs. */
  enum DamagedContents {
    ONE_LETTER {
      @Override
      byte[] of(String text) {
        return text.replace("Filter.db", "Filtes.db").getBytes(UTF_8);
      }
    },
    CUT_IN_A_NAME {
      @Override
      byte[] of(String text) {
        return text.substring(0, text.length() - 3).getBytes(UTF_8);
      }
    },
    CUT_AFTER_A_NAME {
      @Override
      byte[] of(String text) {
        return text.substring(0, text.indexOf('\n') + 1).getBytes(UTF_8);
      }
    },
    NO_NAME {
      @Override
      byte[] of(String text) {
        return (text + "\u0000/\n").getBytes(UTF_8);
      }
    },
    EMPTY {
      @Override
      byte[] of(String text) {
        return new byte[0];
      }
    },
    GONE {
      @Override
      byte @Nullable [] of(String text) {
        return null;
      }
    };

    /** Returns the damaged content, or null if the file is deleted. */
    abstract byte @Nullable [] of(String text);
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedTableOfContentsIsToldWithTheCommandThatMendsIt(DamagedContents damage)
      throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path toc = data.resolveSibling("nb-1-big-TOC.txt");
    byte[] damaged = damage.of(Files.readString(toc));
    Files.delete(toc);
    if (damaged != null) {
      Files.write(toc, damaged);
    }
    String remedy = "siltstone rebuild " + data + " rebuilds them";

    Run run = Run.of("verify", data.toString());
    assertThat(run.err()).isEqualTo("siltstone: " + remedy + "\n");
    assertThat(Run.of("verify", "--json", data.toString()).out()).contains("\"remedy\"", remedy);

    assertThat(Run.of("rebuild", data.toString()).code()).isEqualTo(ExitCode.OK);
    Run mended = Run.of("verify", data.toString());
    assertThat(mended.out()).startsWith(data + ": ok, ").doesNotContain("TOC.txt");
    assertThat(mended.err()).isEmpty();
  }

  @Test
  void aWrongNameInTheTableOfContentsIsCalledNoFileOfAnSSTable() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path toc = data.resolveSibling("nb-1-big-TOC.txt");
    rewrite(toc, Files.readString(toc).replace("Filter.db", "Filtes.db").getBytes(UTF_8));

    Run run = Run.of("verify", data.toString());
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .startsWith(data + ": incomplete, ")
        .endsWith(
            "; TOC.txt names Filtes.db, which is not a file of an SSTable"
                + "; not named by TOC.txt: Filter.db\n");
  }

  @Test
  void ofADirectoryAllIsCheckedThatIsSupported() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Path unknown = Files.createFile(data.resolveSibling("fa-7-bti-Data.db"));
    String place = String.valueOf(data.getParent());

    Run run = Run.of("verify", place);
    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .startsWith(unknown + ": not checked: SSTable version 'fa' is not supported")
        .contains(data + ": ok, ")
        .hasLineCount(2);
    assertThat(Run.of("verify", "--json", place).out()).contains("\"unsupported\"", "\"ok\"");
  }

  @Test
  void extendedFindsAFlippedByteWithoutADigest() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 0x10;
    rewrite(data, bytes);
    Files.delete(data.resolveSibling("nb-1-big-Digest.crc32"));
    Path toc = data.resolveSibling("nb-1-big-TOC.txt");
    rewrite(toc, Files.readString(toc).replace("Digest.crc32\n", "").getBytes(UTF_8));

    Run basic = Run.of("verify", data.toString());
    assertThat(basic.code()).isEqualTo(ExitCode.OK);
    assertThat(basic.out())
        .isEqualTo(
            data
                + ": ok, opened only, because there is no digest to compare with"
                + "; missing: Digest.crc32\n");
    assertThat(Run.of("verify", "-e", data.toString()).code()).isEqualTo(ExitCode.DAMAGED);
  }

  @Test
  void aDigestThatHasGoneIsMissed() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(data.resolveSibling("nb-1-big-Digest.crc32"));

    Run run = Run.of("verify", data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .isEqualTo(
            data
                + ": incomplete, opened only, because there is no digest to compare with"
                + "; missing, though TOC.txt names it: Digest.crc32\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Filter.db", "Summary.db", "Digest.crc32"})
  void extendedTellsAFileThatHasGone(String component) throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(data.resolveSibling("nb-1-big-" + component));

    Run run = Run.of("verify", "-e", data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .startsWith(data + ": incomplete, 5 partitions, 200 rows, ")
        .endsWith("; missing, though TOC.txt names it: " + component + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Filter.db", "TOC.txt"})
  void extendedTellsAFileThatHasNothing(String component) throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    rewrite(data.resolveSibling("nb-1-big-" + component), new byte[0]);

    Run run = Run.of("verify", "-e", data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out())
        .startsWith(data + ": incomplete, 5 partitions, 200 rows, ")
        .endsWith("; empty: " + component + "\n");
  }

  @Test
  void extendedTellsThatThereIsNoTableOfContents() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    Files.delete(data.resolveSibling("nb-1-big-TOC.txt"));

    Run run = Run.of("verify", "-e", data.toString());

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .startsWith(data + ": ok, 5 partitions, ")
        .endsWith("; missing: TOC.txt\n");
  }

  @ParameterizedTest
  @EnumSource
  void aTruncatedDataFileIsDamaged(Fixture fixture) throws IOException {
    Path data = fixture.copyTo(directory);
    byte[] bytes = Files.readAllBytes(data);
    rewrite(data, Arrays.copyOf(bytes, bytes.length - 100));

    Run run = Run.of("verify", data.toString());

    assertThat(run.code()).as(run.out()).isEqualTo(ExitCode.DAMAGED);
  }

  @Test
  void oneDamagedTableDoesNotHideTheOthers() throws IOException {
    Path damaged = Fixture.MANY.copyTo(directory);
    rewrite(damaged, new byte[] {1, 2, 3});
    Path sound = Fixture.TYPES_COMPACTED.data();

    Run run = Run.of("verify", damaged.toString(), sound.toString());

    assertThat(run.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.out().lines().toList())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(sound + ": ok"))
        .anyMatch(line -> line.startsWith(damaged + ": corrupt SSTable: "));
  }

  @Test
  void allSSTablesOfACheckpointAreVerified() throws IOException {
    Path backup = directory.resolve("backup");
    try (Database db =
        Database.open(
            directory.resolve("db"),
            DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      for (String name : List.of("a", "b")) {
        Table table = db.createTable("CREATE TABLE ks." + name + " (k int PRIMARY KEY)");
        for (int key = 0; key < 2; key++) {
          table.write(table.mutation(key).insert().build());
          table.flush();
        }
      }
      db.checkpoint(backup);
    }
    // The directory that ext4 has in the root of a volume, for fsck.
    Path found = Files.createDirectory(backup.resolve("data/lost+found"));
    Files.writeString(found.resolve("oa-1-big-Data.db"), "what fsck found");
    for (String command : List.of("info", "tablestats")) {
      Run looked = Run.of(command, backup.toString());
      assertThat(looked.code()).as(looked.out() + looked.err()).isEqualTo(ExitCode.OK);
      assertThat(looked.out()).contains("ks").doesNotContain("lost+found");
    }
    Run sound = Run.of("verify", backup.toString());
    assertThat(sound.code()).as(sound.out()).isEqualTo(ExitCode.OK);
    assertThat(sound.out().lines())
        .hasSize(4)
        .allMatch(line -> line.startsWith(backup + "/data/ks/") && line.contains("-Data.db: ok"));

    Path table = only(backup.resolve("data/ks"), "b-");
    Files.delete(table.resolve("oa-2-big-Data.db"));
    Path aside = Files.createDirectory(table.resolve("quarantine"));
    Files.writeString(aside.resolve("oa-3-big-Data.db"), "damaged");
    Run damaged = Run.of("verify", "--extended", table.toString());
    assertThat(damaged.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(damaged.out().lines().toList())
        .hasSize(2)
        .anyMatch(line -> line.startsWith(table + "/oa-1-big-Data.db: ok"))
        .anyMatch(
            line ->
                line.startsWith(table + "/oa-2-big-Data.db: ")
                    && line.contains("the file is missing"));
  }

  private static Path only(Path directory, String prefix) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> String.valueOf(each.getFileName()).startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aDirectoryWithoutSSTablesIsWrongUnlessItIsADatabase() throws IOException {
    Run none = Run.of("verify", directory.toString());
    assertThat(none.code()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).isEqualTo("siltstone: " + directory + " has no SSTables\n");

    Path empty = directory.resolve("db");
    Database.open(empty, DatabaseOptions.builder().compaction(Compaction.none()).build()).close();
    Run database = Run.of("verify", empty.toString());
    assertThat(database.code()).isEqualTo(ExitCode.OK);
    assertThat(database.out()).isEmpty();
  }

  @Test
  void wrongNamesAreToldBeforeAnythingIsRead() {
    Run run = Run.of("verify", Fixture.MANY.data().toString(), directory + "/nb-9-big-Data.db");

    assertThat(run.code()).isEqualTo(ExitCode.IO);
    assertThat(run.out()).isEmpty();
  }

  private static void rewrite(Path file, byte[] bytes) throws IOException {
    Files.delete(file); // the fixtures may be read-only, and so their copies
    Files.write(file, bytes);
  }
}
