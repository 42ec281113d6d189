package io.siltstone.bench.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bench.child.NamedValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowDigestTest {
  @TempDir private Path directory;

  private NamedValues made(String name, int tables, double shared, int partitions)
      throws IOException {
    return new InputTables()
        .run(
            new NamedValues()
                .put("directory", directory.resolve(name).toString())
                .put("cql", partitions == 0 ? InputTables.SINGLE : InputTables.WIDE)
                .put("tables", tables)
                .put("rows", 100)
                .put("shared", shared)
                .put("partitions", partitions)
                .put("text_bytes", 40));
  }

  private NamedValues digest(String name, String cql) throws IOException {
    return new RowDigest()
        .run(
            new NamedValues().put("directory", directory.resolve(name).toString()).put("cql", cql));
  }

  @Test
  void whatIsMadeIsSharedAsAskedFor() throws IOException {
    NamedValues made = made("single", 3, 0.5, 0);
    assertThat(made.whole("rows")).isEqualTo(200);
    assertThat(made.whole("rows_in")).isEqualTo(300);
    NamedValues digest = digest("single", InputTables.SINGLE);
    assertThat(digest.whole("rows")).isEqualTo(200);
    assertThat(digest.whole("sstables")).isEqualTo(3);
    try (Stream<Path> all = Files.list(directory)) {
      assertThat(all).containsExactly(directory.resolve("single"));
    }

    assertThat(made("wide", 3, 0, 7).whole("rows")).isEqualTo(300);
    assertThat(digest("wide", InputTables.WIDE).whole("rows")).isEqualTo(300);
  }

  @Test
  void whatCompactionMakesTellsTheSame() throws Exception {
    NamedValues made = made("input", 3, 0.5, 7);
    Files.createDirectory(directory.resolve("work"));
    NamedValues result =
        new CompactionPeerMeasurement()
            .run(
                new NamedValues()
                    .put("peer", SiltstoneCompaction.NAME)
                    .put("directory", directory.resolve("work").toString())
                    .put("input", directory.resolve("input").toString())
                    .put("cql", InputTables.WIDE)
                    .put("data_mb", made.number("data_mb"))
                    .put("warm_ups", 1)
                    .put("runs", 2)
                    .put("output", directory.resolve("output").toString())
                    .put("pipeline_threads", 0));
    assertThat(result.series("seconds")).hasSize(2);
    assertThat(result.text("lz4")).startsWith("lz4-java-1.");
    NamedValues output = digest("output", InputTables.WIDE);
    assertThat(output.whole("sstables")).isEqualTo(1);
    assertThat(output.text("sha256")).isEqualTo(digest("input", InputTables.WIDE).text("sha256"));
  }

  /** The number of rows is the same, but shared rows have other versions. */
  @Test
  void otherValuesTellAnother() throws IOException {
    made("disjoint", 2, 0, 0);
    made("shared", 3, 0.5, 0);
    NamedValues disjoint = digest("disjoint", InputTables.SINGLE);
    NamedValues shared = digest("shared", InputTables.SINGLE);
    assertThat(shared.whole("rows")).isEqualTo(disjoint.whole("rows"));
    assertThat(shared.text("sha256")).isNotEqualTo(disjoint.text("sha256"));
  }
}
