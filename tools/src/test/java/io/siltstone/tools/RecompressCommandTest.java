package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecompressCommandTest {
  private static final Path SAMPLE = Path.of("..", "docs", "sample");
  private static final String ALTERATION =
      "ALTER TABLE weather.readings WITH compression = {'chunk_length_in_kb': '%s', 'class':"
          + " 'org.apache.cassandra.io.compress.%sCompressor'};\n";

  @TempDir private Path temporary;
  private Path table;

  @BeforeEach
  void load() {
    table = temporary.resolve("table");
    assertThat(
            Run.of(
                    "load",
                    "--schema=" + SAMPLE.resolve("schema.cql"),
                    "--input=" + SAMPLE.resolve("readings.jsonl"),
                    "--output=" + table)
                .code())
        .isEqualTo(ExitCode.OK);
  }

  private Run recompress(Object... options) {
    return Run.of(
        Stream.concat(Stream.of("recompress"), Stream.of(options).map(Object::toString))
            .toArray(String[]::new));
  }

  private String schema() throws IOException {
    return Files.readString(table.resolve("schema.cql"));
  }

  private String metadata() throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      Path data =
          files.filter(file -> file.toString().endsWith("-Data.db")).findFirst().orElseThrow();
      return Run.of("metadata", data.toString()).out();
    }
  }

  @Test
  void theSchemaOfTheDirectoryAgreesWithItsFiles() throws IOException {
    String before = schema();

    Run done = recompress("--compression", "zstd", "--chunk-length", 4, table);

    assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.OK);
    assertThat(done.out()).contains("oa-1-big").contains("-> oa-2-big");
    assertThat(done.err()).contains("schema.cql now says: compression = {");
    assertThat(schema())
        .startsWith(before.stripTrailing())
        .endsWith(ALTERATION.formatted(4, "Zstd"));
    assertThat(metadata()).contains("ZstdCompressor");
    assertThat(recompress("--dry-run", table).out()).contains("nothing to do");
    assertThat(recompress(table).out()).contains("nothing to do");
  }

  @Test
  void aSecondChangeTakesThePlaceOfTheFirst() throws IOException {
    String before = schema();
    recompress("--compression", "Zstd", table);
    recompress("--chunk-length", 8, table);
    assertThat(schema())
        .isEqualTo(before.stripTrailing() + "\n\n" + ALTERATION.formatted(8, "Zstd"));
    recompress("--compression", "none", table);
    assertThat(schema())
        .isEqualTo(
            before.stripTrailing()
                + "\n\nALTER TABLE weather.readings WITH compression = {'enabled': 'false'};\n");
    assertThat(recompress("--dry-run", table).out()).contains("nothing to do");
  }

  @Test
  void aDryRunChangesNeitherFilesNorSchema() throws IOException {
    String before = schema();
    Run asked = recompress("--dry-run", "--compression", "Snappy", table);
    assertThat(asked.out()).contains("planned: recompress oa-1-big").contains("SnappyCompressor");
    assertThat(asked.err()).isEmpty();
    assertThat(schema()).isEqualTo(before);
    assertThat(metadata()).doesNotContain("Snappy");
  }

  @Test
  void aDatabaseIsAltered() throws IOException {
    Path database = temporary.resolve("db");
    try (Database made = Database.open(database)) {
      var rows = made.createTable("CREATE TABLE ks.\"Rows\" (k int PRIMARY KEY)");
      rows.write(rows.mutation(1).insert().build());
    }
    assertThat(recompress("--dry-run", "--compression=Deflate", database).out())
        .contains("planned: recompress");
    Run done = recompress("--compression=Deflate", database);
    assertThat(done.code()).as(done.err()).isEqualTo(ExitCode.OK);
    assertThat(done.out()).contains("recompress oa-1-big");
    assertThat(recompress("--dry-run", database).out()).contains("nothing to do");
  }

  @Test
  void aDirectoryWithoutSchemaIsToldThatNothingKeepsTheChange() throws IOException {
    Path schema = temporary.resolve("schema.cql");
    Files.move(table.resolve("schema.cql"), schema);
    Run done = recompress("--schema", schema, "--compression", "Zstd", table);
    assertThat(done.code()).isEqualTo(ExitCode.OK);
    assertThat(done.err()).contains("has no schema.cql in which to store the new compression");
    assertThat(metadata()).contains("ZstdCompressor");
  }

  @Test
  void wrongValuesAreNamed() {
    assertThat(recompress("--compression", "bzip", table).err())
        .contains("--compression = bzip, allowed LZ4");
    assertThat(recompress("--chunk-length", 3, table).err()).contains("chunk_length_in_kb");
  }
}
