package io.siltstone.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that are not values of their types, with valid checksums or with none. */
final class WrongValuesTest {
  @TempDir Path directory;

  private Path load(String types, String rows, String version) throws IOException {
    Path schema = directory.resolve("table.cql");
    Path input = directory.resolve("rows.jsonl");
    Files.writeString(schema, "CREATE TABLE a.b (" + types + ", PRIMARY KEY (k, c))");
    Files.writeString(input, rows);
    Path out = directory.resolve("out");
    Run run =
        Run.of(
            "load",
            "--schema",
            schema.toString(),
            "--input",
            input.toString(),
            "--output",
            out.toString(),
            "--partitioner",
            "byte-ordered",
            "--sstable-version",
            version);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    return out.resolve(version + "-1-big-Data.db");
  }

  /** Gives the header other types than those that the values were written with. */
  private static void setTypes(Path data, FormatVersion version, CqlType key, CqlType clustering)
      throws IOException {
    Directory files = NioDirectory.open(Objects.requireNonNull(data.getParent()));
    String name = version.text() + "-1-big-Statistics.db";
    Statistics written = Statistics.read(files, name, version);
    files.delete(name);
    SerializationHeader header = written.header();
    new Statistics(
            written.validation(),
            written.compaction(),
            written.stats(),
            new SerializationHeader(
                key,
                List.of(clustering),
                header.staticColumns(),
                header.regularColumns(),
                header.stats()))
        .write(files, name, version, WriteIntent.OTHER);
  }

  private static void assertDamaged(String component, String... args) {
    Run run = Run.of(args);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DAMAGED);
    assertThat(run.err())
        .startsWith("siltstone: corrupt SSTable: ")
        .contains("(" + component + ")")
        .hasLineCount(1);
  }

  @Test
  void aKeyOfTheIndexThatIsNoText() throws IOException {
    Path data =
        load(
            "k text, c int",
            "{\"k\": \"aaa\", \"c\": 1}\n{\"k\": \"bbb\", \"c\": 1}\n{\"k\": \"ccc\", \"c\": 1}\n",
            "oa");
    Path index = data.resolveSibling("oa-1-big-Index.db");
    byte[] bytes = Files.readAllBytes(index);
    bytes[new String(bytes, ISO_8859_1).indexOf("bbb") + 1] |= (byte) 0x80;
    Files.write(index, bytes);

    assertDamaged("Index.db", "dump", "-e", data.toString());
  }

  @Test
  void keysThatAreNoText() throws IOException {
    Path data =
        load("k blob, c int", "{\"k\": \"0x80\", \"c\": 1}\n{\"k\": \"0x81\", \"c\": 1}\n", "oa");
    setTypes(data, FormatVersion.OA, CqlTypes.TEXT, CqlTypes.INT);

    assertDamaged("Data.db", "dump", data.toString());
    assertDamaged("Data.db", "dump", "-x", "other", data.toString());
    assertDamaged("Statistics.db", "metadata", data.toString());
  }

  @Test
  void keysAndClusteringsThatAreNoTextBeforeTheStatisticsHadKeys() throws IOException {
    Path data = load("k blob, c blob", "{\"k\": \"0x80\", \"c\": \"0x81\"}\n", "nb");

    setTypes(data, FormatVersion.NB, CqlTypes.TEXT, CqlTypes.BLOB);
    assertDamaged("Index.db", "metadata", data.toString());
    setTypes(data, FormatVersion.NB, CqlTypes.BLOB, CqlTypes.TEXT);
    assertDamaged("Statistics.db", "metadata", data.toString());
  }
}
