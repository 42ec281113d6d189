package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import io.siltstone.bench.workload.Profile;
import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The output of commands with {@code --json}, except those that monitor a database. */
class JsonTest {
  private static final Path SAMPLE = Path.of("..", "docs", "sample");

  @TempDir Path directory;

  /**
   * Returns the values of a document by their paths; an empty array or object is shown by its
   * brackets.
   */
  private static Map<String, String> values(String text) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      JsonToken before = null;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        JsonPointer place = parser.getParsingContext().pathAsPointer();
        if (token == JsonToken.FIELD_NAME) {
          assertThat(parser.currentName()).matches("[a-zA-Z0-9_]+");
        } else if (token.isScalarValue()) {
          values.put(place.toString(), parser.getText());
        } else if (token.isStructEnd() && before != null && before.isStructStart()) {
          values.put(place.toString(), token == JsonToken.END_ARRAY ? "[]" : "{}");
        }
        before = token;
      }
      assertThat(parser.getParsingContext().inRoot()).isTrue();
    }
    return values;
  }

  private static Map<String, String> ok(String... args) throws IOException {
    Run run = Run.of(args);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isEqualTo(ExitCode.OK);
    return values(run.out());
  }

  @Test
  void profiles() throws IOException {
    Map<String, String> list = ok("stress", "list", "--json");
    int index = 0;
    for (String name : Profile.names()) {
      assertThat(list).containsEntry("/" + index++ + "/name", name);
      assertThat(ok("stress", "info", name, "--json"))
          .containsEntry("/name", name)
          .containsKeys("/description", "/partitions", "/value")
          .hasEntrySatisfying("/cql", cql -> assertThat(cql).startsWith("CREATE TABLE stress."));
    }
    assertThat(list).hasSize(2 * Profile.names().size());
    assertThat(ok("stress", "info", "Wide", "--json")).containsKey("/rows");
    assertThat(ok("stress", "--json", "info", "RangeScan")).containsKey("/limit");
  }

  @Test
  void theInstallation() throws IOException {
    assertThat(ok("info", "--json"))
        .containsEntry("/reads_versions/0", "na")
        .containsEntry("/writes_versions/0", "nb")
        .containsEntry("/writes_versions/1", "oa")
        .containsEntry("/writes_versions/4", "ea")
        .doesNotContainKey("/writes_versions/5")
        .containsEntry("/default_crc_check_chance", "1.0")
        .containsKey("/default_read_ahead_bytes");
  }

  @Test
  void verification() throws IOException {
    Path data = Fixture.MANY.copyTo(directory);
    assertThat(ok("verify", "--json", "-e", data.toString()))
        .containsEntry("/sstables/0/path", data.toString())
        .containsEntry("/sstables/0/state", "ok")
        .containsEntry("/sstables/0/checked", "everything")
        .containsEntry("/sstables/0/partitions", "5")
        .containsEntry("/sstables/0/rows", "200")
        .containsEntry("/sstables/0/cells", "3965")
        .containsEntry("/sstables/0/range_tombstone_markers", "0")
        .containsEntry("/sstables/0/overcounted_rows", "0")
        .containsEntry("/sstables/0/missing", "[]");
    assertThat(ok("verify", "--json", data.toString()))
        .containsEntry("/sstables/0/checked", "digest")
        .doesNotContainKey("/sstables/0/rows");

    Files.delete(data.resolveSibling("nb-1-big-Digest.crc32"));
    Run incomplete = Run.of("verify", "--json", data.toString());
    assertThat(incomplete.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(values(incomplete.out()))
        .containsEntry("/sstables/0/state", "incomplete")
        .containsEntry("/sstables/0/checked", "opened")
        .containsEntry("/sstables/0/missing_though_named/0", "Digest.crc32");

    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length / 2] ^= 0x10;
    Files.delete(data);
    Files.write(data, bytes);
    Run damaged = Run.of("verify", "--json", "-e", data.toString(), Fixture.MANY.data().toString());
    assertThat(damaged.code()).isEqualTo(ExitCode.DAMAGED);
    assertThat(values(damaged.out()))
        .containsEntry("/sstables/0/state", "damaged")
        .hasEntrySatisfying(
            "/sstables/0/reason", reason -> assertThat(reason).startsWith("corrupt SSTable: "))
        .containsEntry("/sstables/1/state", "ok");
  }

  @ParameterizedTest
  @EnumSource
  void metadata(Fixture fixture) throws IOException {
    Map<String, String> values = ok("metadata", "--json", fixture.data().toString());

    assertThat(values)
        .containsEntry("/sstables/0/path", fixture.data().toString())
        .containsEntry("/sstables/0/version", "nb")
        .containsKeys("/sstables/0/partition_sizes/0/up_to", "/sstables/0/header/key_type");
    Map<String, String> lines = new LinkedHashMap<>();
    fixture
        .metadata()
        .lines()
        .filter(line -> line.contains(": "))
        .forEach(line -> lines.put(line.split(": ", 2)[0], line.split(": ", 2)[1]));
    Map.of(
            "Partitioner", "partitioner",
            "totalRows", "total_rows",
            "totalColumnsSet", "total_columns_set",
            "SSTable Level", "level",
            "Estimated cardinality", "partitions_estimate",
            "KeyType", "header/key_type")
        .forEach(
            (line, field) ->
                assertThat(values.get("/sstables/0/" + field)).isEqualTo(lines.get(line)));
    assertThat(lines.get("Minimum timestamp"))
        .contains("(" + values.get("/sstables/0/min_timestamp") + ")");
    assertThat(lines.get("First token"))
        .isEqualTo(
            values.get("/sstables/0/first_token")
                + " ("
                + values.get("/sstables/0/first_key")
                + ")");
  }

  @Test
  void whatCompactionWouldDo() throws IOException {
    Path out = directory.resolve("out");
    for (int i = 0; i < 4; i++) {
      Run loaded =
          Run.of(
              "load",
              "--schema",
              SAMPLE.resolve("schema.cql").toString(),
              "--input",
              SAMPLE.resolve("readings.jsonl").toString(),
              "--output",
              out.toString());
      assertThat(loaded.code()).as(loaded.err()).isZero();
    }

    assertThat(ok("explain", "--json", "--strategies", out.toString()))
        .containsEntry("/table", "weather.readings")
        .containsEntry("/sstables", "4")
        .containsEntry("/strategies/0/strategy", "SizeTieredCompactionStrategy")
        .containsEntry("/strategies/0/jobs/0/inputs/0", "oa-1-big")
        .containsKeys(
            "/bytes",
            "/strategies/0/bytes_to_read",
            "/strategies/0/jobs/0/reason",
            "/strategies/3/strategy");
    assertThat(ok("explain", "--json", out.toString())).doesNotContainKey("/strategies/1/strategy");
  }
}
