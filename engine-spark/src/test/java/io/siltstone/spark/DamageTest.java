package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.CorruptFileException;
import io.siltstone.mutation.Mutation;
import io.siltstone.spark.table.SourceTable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/** Jobs that read SSTables that are damaged or incomplete. */
final class DamageTest {
  private static final Map<String, String> SKIP = Map.of("onDamage", "skip", "batchRows", "100");
  private static final int DAYS = 5000;

  @TempDir Path directory;
  private Path intact;
  private Path damaged;

  @BeforeEach
  void makeTwoDirectories() throws IOException {
    intact =
        Tables.add(
            directory.resolve("intact"),
            READINGS,
            writer -> List.of(writer.mutation("intact").insert(1).build()));
    damaged =
        Tables.add(
            directory.resolve("damaged"),
            READINGS,
            writer -> {
              List<Mutation> rows = new ArrayList<>();
              for (int day = 0; day < DAYS; day++) {
                String note = Integer.toString(day * 0x9e3779b9);
                rows.add(writer.mutation("roof").insert(day).set("note", note).build());
              }
              return rows;
            });
  }

  private static void flipByteInTheMiddle(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 0x40;
    Files.write(file, bytes);
  }

  private static long skippedBytes(Dataset<Row> frame) {
    SparkPlan plan = frame.queryExecution().executedPlan();
    return CollectionConverters.asJava(plan.collectLeaves()).stream()
        .map(leaf -> leaf.metrics().apply("skippedBytes").value())
        .mapToLong(Long.class::cast)
        .sum();
  }

  private long damagedBytes() throws IOException {
    long bytes = 0;
    for (Path file : Files.list(damaged).toList()) {
      bytes += file.toString().endsWith("schema.cql") ? 0 : Files.size(file);
    }
    return bytes;
  }

  @Test
  void damagedDataFailsTheJobByItsRealName() throws IOException {
    Path data = Tables.file(damaged, "Data.db");
    flipByteInTheMiddle(data);

    assertThatThrownBy(() -> read(Map.of(), intact, damaged).collect())
        .hasStackTraceContaining(data.toString());
  }

  @Test
  void damagedDataIsSkippedFromTheLastBatchOn() throws IOException {
    flipByteInTheMiddle(Tables.file(damaged, "Data.db"));

    Dataset<Row> frame = read(SKIP, intact, damaged);
    List<String> rows = texts(frame);
    assertThat(rows).contains("[intact,1,null,null]").doesNotHaveDuplicates();
    assertThat(rows).hasSizeBetween(1 + 100, DAYS - 100);
    assertThat(skippedBytes(frame)).isEqualTo(damagedBytes());
  }

  @Test
  void damagedStatisticsFailTheJobOrAreSkippedWhole() throws IOException {
    Path statistics = Tables.file(damaged, "Statistics.db");
    flipByteInTheMiddle(statistics);

    assertThatThrownBy(() -> read(Map.of(), intact, damaged).collect())
        .hasStackTraceContaining(statistics.toString());
    Dataset<Row> frame = read(SKIP, intact, damaged);
    assertThat(texts(frame)).containsExactly("[intact,1,null,null]");
  }

  @Test
  void damagedIndexFailsTheJobOrIsSkipped() throws IOException {
    Path index = Tables.file(damaged, "Index.db");
    byte[] bytes = Files.readAllBytes(index);
    for (int at = 8; at < bytes.length; at++) {
      bytes[at] = (byte) 0xff;
    }
    Files.write(index, bytes);

    assertThatThrownBy(() -> read(Map.of("splitBytes", "10000"), intact, damaged).collect())
        .hasStackTraceContaining(index.toString());
    assertThat(texts(read(SKIP, intact, damaged))).contains("[intact,1,null,null]");
  }

  @Test
  void missingComponentFailsTheJobOrIsSkipped() throws IOException {
    for (String component : List.of("Index.db", "Data.db")) {
      Path file = Tables.file(damaged, component);
      Files.delete(file);

      assertThatThrownBy(() -> read(Map.of(), intact, damaged).collect())
          .hasStackTraceContaining(file.toString());
      assertThat(texts(read(SKIP, intact, damaged))).containsExactly("[intact,1,null,null]");
    }
  }

  /** The path of one of two directories ends with the path of the other. */
  @Test
  void sstableWhosePathIsTheEndOfAnotherIsNotSkipped() throws IOException {
    Path longer = Path.of(directory.resolve("mounted") + intact.toString());
    Tables.add(longer, READINGS, writer -> List.of(writer.mutation("damaged").insert(1).build()));
    flipByteInTheMiddle(Tables.file(longer, "Statistics.db"));

    assertThat(texts(read(SKIP, intact, longer))).containsExactly("[intact,1,null,null]");
  }

  @Test
  void versionThatIsNotSupportedIsNamed() throws IOException {
    Files.copy(Tables.file(damaged, "Data.db"), damaged.resolve("ka-7-big-Data.db"));

    assertThatThrownBy(() -> read(damaged).collect())
        .hasStackTraceContaining(damaged + "/ka-7-big-Data.db: SSTable version 'ka'");
  }

  @Test
  void aFailureThatMayPassIsNoDamage() {
    assertThat(SourceTable.isDamage(new SocketTimeoutException("Read timed out"))).isFalse();
    assertThat(SourceTable.isDamage(new IOException("job", new EOFException()))).isFalse();
    assertThat(SourceTable.isDamage(new IOException("job", new NoSuchFileException("a")))).isTrue();
    assertThat(SourceTable.isDamage(new CorruptFileException("a", 7, "wrong"))).isTrue();
  }
}
