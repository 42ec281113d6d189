package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands do on tables of each version what they do on those of the others. */
class VersionsTest {
  private static final String ROWS =
      "CREATE TABLE ks.rows (k int, c int, v text, PRIMARY KEY (k, c))"
          + " WITH CLUSTERING ORDER BY (c DESC)";
  private static final int KEYS = 20;

  /** The SHA-256 of what its sstabledump prints of the fixtures. */
  private static final String DUMP_OF_CASSANDRA_6 =
      "cb74b548303718037563a914b1b6fe460b1b31b0ddd3545d150aad94fb94f28b";

  @TempDir private Path temporary;
  private Path directory;
  private String content;

  @BeforeEach
  void fill() throws IOException {
    Path database = temporary.resolve("db");
    try (Database db =
        Database.open(database, DatabaseOptions.builder().compaction(Compaction.none()).build())) {
      Table table = db.createTable(ROWS);
      for (int flush = 0; flush < 2; flush++) {
        for (int key = 0; key < KEYS; key++) {
          // The first partition has index blocks.
          for (int c = 0; c < (key == 0 ? 600 : 5); c++) {
            table.write(table.mutation(key).insert(c).set("v", ("v" + c).repeat(20)).build());
          }
        }
        table.write(table.mutation(0).deleteRange(ClusteringRange.all().from(10).to(300)).build());
        table.flush();
      }
    }
    try (Stream<Path> tables = Files.list(database.resolve("data/ks"))) {
      directory = tables.findFirst().orElseThrow();
    }
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    directory = copy;
    content = run("export", directory.toString());
    assertThat(content.lines()).hasSize(5 * (KEYS - 1) + 600 - 291);
  }

  private static String run(String... arguments) {
    Run run = Run.of(arguments);
    assertThat(run.code()).as(String.join(" ", arguments) + ": " + run.err() + run.out()).isZero();
    assertThat(run.err()).as(String.join(" ", arguments)).isEmpty();
    return run.out();
  }

  private List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith("-Data.db")).sorted().toList();
    }
  }

  private void convert(FormatVersion version) throws IOException {
    run("upgradesstables", "--sstable-version", version.text(), directory.toString());
    assertThat(dataFiles())
        .hasSize(2)
        .allMatch(
            file ->
                file.getFileName()
                    .toString()
                    .matches(version.text() + "-\\d+-" + version.formatName() + "-Data\\.db"));
  }

  @Test
  void aTableIsConvertedFromEachVersionToEach() throws IOException {
    for (String to : List.of("da", "nb", "ea", "pa", "da", "oa")) {
      convert(FormatVersion.of(to));
      assertThat(run("export", directory.toString())).as(to).isEqualTo(content);
      assertThat(run("verify", "--extended", directory.toString()))
          .as(to)
          .hasLineCount(2)
          .contains(": ok, " + KEYS + " partitions");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"DA", "PA", "EA"})
  void eachCommandWorks(FormatVersion version) throws IOException {
    List<String> oa = dumps("oa");
    convert(version);
    assertThat(dumps(version.text())).isEqualTo(oa);
    String place = directory.toString();
    String data = dataFiles().get(0).toString();
    assertThat(run("metadata", data)).contains("totalRows: ");
    assertThat(run("info", place)).contains(": version " + version.text() + ", ");
    assertThat(run("inspect", place)).contains(version.text() + "-");
    assertThat(run("advise", place)).isNotEmpty();
    assertThat(run("explain", place)).isNotEmpty();
    assertThat(run("explain-key", place, "0")).contains(version.text() + "-");
    assertThat(Run.of("recompress", "--compression", "Zstd", place).code()).isZero();
    assertThat(run("export", place)).isEqualTo(content);
    run("scrub", place);
    assertThat(run("export", place)).isEqualTo(content);
    for (Component component : version.indexComponents()) {
      String file = dataFiles().get(0).toString();
      Files.delete(Path.of(file.replace("Data.db", component.fileName())));
      assertThat(Run.of("verify", file).code()).isNotZero();
      assertThat(run("rebuild", file)).contains(component.fileName() + " was rebuilt: ");
      assertThat(run("verify", "--extended", file)).contains(": ok, ");
    }
    run("compact", place);
    assertThat(dataFiles())
        .singleElement()
        .asString()
        .contains(version.text() + "-", "-" + version.formatName() + "-");
    assertThat(run("export", place)).isEqualTo(content);
  }

  /** Cassandra 6.0-alpha2 wrote the tables, with a compressor of dictionaries that has none. */
  @ParameterizedTest
  @ValueSource(strings = {"ea", "pa"})
  void aTableOfCassandra6IsReadAndWrittenAsItIs(String version)
      throws IOException, GeneralSecurityException, URISyntaxException {
    directory = Files.createDirectory(temporary.resolve(version));
    URI fixture =
        Objects.requireNonNull(VersionsTest.class.getResource("/fixtures/cassandra6/" + version))
            .toURI();
    try (Stream<Path> files = Files.list(Path.of(fixture))) {
      for (Path file : files.toList()) {
        Files.copy(file, directory.resolve(file.getFileName().toString()));
      }
    }
    Path before = dataFiles().get(0);
    assertThat(run("verify", "--extended", before.toString())).contains(": ok, 12 partitions");
    assertThat(sha256(run("dump", before.toString()))).isEqualTo(DUMP_OF_CASSANDRA_6);
    Map<Component, byte[]> index = index(before);
    run("scrub", directory.toString());
    Path after = dataFiles().get(0);
    assertThat(after).isNotEqualTo(before);
    assertThat(sha256(run("dump", after.toString()))).isEqualTo(DUMP_OF_CASSANDRA_6);
    if (FormatVersion.of(version).hasTrieIndex()) {
      assertThat(index(after)).usingRecursiveComparison().isEqualTo(index);
    }
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static Map<Component, byte[]> index(Path data) throws IOException {
    Map<Component, byte[]> files = new TreeMap<>();
    Descriptor descriptor = Descriptor.parse(data.getFileName().toString());
    for (Component component : descriptor.version().indexComponents()) {
      files.put(component, Files.readAllBytes(data.resolveSibling(descriptor.fileName(component))));
    }
    return files;
  }

  /** Returns what all kinds of dumps print, without names of files. */
  private List<String> dumps(String version) throws IOException {
    List<String> all = new ArrayList<>();
    for (Path data : dataFiles()) {
      StringBuilder text = new StringBuilder();
      assertThat(data.getFileName().toString()).startsWith(version);
      for (List<String> options :
          List.of(List.of("-t"), List.of("-l"), List.of("-e"), List.of("-k", "0"))) {
        String[] arguments = new String[options.size() + 2];
        arguments[0] = "dump";
        for (int i = 0; i < options.size(); i++) {
          arguments[i + 1] = options.get(i);
        }
        arguments[arguments.length - 1] = data.toString();
        text.append(run(arguments));
      }
      all.add(text.toString());
    }
    Collections.sort(all);
    return all;
  }
}
