package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.BulkWriter;
import io.siltstone.mutation.Mutation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Aggregates that statistics answer, and those that they must not answer. */
final class StatisticsAnswerTest {
  private static final String ANSWERED = "LocalTableScan";

  @TempDir Path directory;

  private static Dataset<Row> aggregates(Path table, String... sql) {
    return read(table).selectExpr(sql);
  }

  private static boolean isAnswered(Dataset<Row> frame) {
    return frame.queryExecution().executedPlan().toString().contains(ANSWERED);
  }

  private static List<Mutation> rows(BulkWriter writer) {
    return List.of(
        writer.mutation("roof").insert(3).set("celsius", 1.0).build(),
        writer.mutation("roof").insert(-7).build(),
        writer.mutation("cellar").insert(12).build());
  }

  @Test
  void countAndBoundsOfLiveRowsAreAnswered() throws IOException {
    Tables.add(directory, READINGS, StatisticsAnswerTest::rows);

    Dataset<Row> frame = aggregates(directory, "count(*)", "min(day)", "max(day)");
    assertThat(isAnswered(frame)).isTrue();
    assertThat(texts(frame)).containsExactly("[3,-7,12]");
  }

  @Test
  void boundsOfDescendingColumnAreTheOtherWayAround() throws IOException {
    TableSchema schema =
        Tables.parse(
            "CREATE TABLE ks.d (k int, c text, PRIMARY KEY (k, c))"
                + " WITH CLUSTERING ORDER BY (c DESC)");
    Tables.add(
        directory,
        schema,
        writer ->
            List.of(
                writer.mutation(1).insert("b").build(),
                writer.mutation(2).insert("a").build(),
                writer.mutation(3).insert("c").build()));
    Tables.add(directory, schema, writer -> List.of(writer.mutation(1).insert("d").build()));

    Dataset<Row> frame = aggregates(directory, "min(c)", "max(c)");
    assertThat(isAnswered(frame)).isTrue();
    assertThat(texts(frame)).containsExactly("[a,d]");
  }

  /** Cells of unknown columns are not read, so that a row with no other cells is not counted. */
  @Test
  void rowsWithColumnsThatTheDefinitionLacksAreCounted() throws IOException {
    Tables.add(
        directory,
        READINGS,
        writer ->
            List.of(
                writer.mutation("roof").update(3).set("celsius", 1.0).build(),
                writer.mutation("roof").insert(2).build()));
    String fewer =
        "CREATE TABLE ks.readings (sensor text, day int, note text, PRIMARY KEY (sensor, day))";

    Dataset<Row> frame = read(Map.of("schema", fewer), directory);
    assertThat(texts(frame)).containsExactly("[roof,2,null]");
    assertThat(frame.count()).isEqualTo(1);
    assertThat(texts(frame.selectExpr("max(day)"))).containsExactly("[2]");
  }

  @Test
  void boundsBeyondSparkAreNotAnswered() throws IOException {
    Tables.add(
        directory,
        Tables.parse("CREATE TABLE ks.f (k int, c timestamp, PRIMARY KEY (k, c))"),
        writer ->
            List.of(
                writer.mutation(1).insert(Instant.ofEpochMilli(Long.MAX_VALUE)).build(),
                writer.mutation(1).insert(Instant.EPOCH).build()));

    assertThat(isAnswered(aggregates(directory, "min(c)"))).isTrue();
    assertThat(isAnswered(aggregates(directory, "max(c)"))).isFalse();
    assertThatThrownBy(() -> aggregates(directory, "max(c)").collect())
        .hasStackTraceContaining("is beyond Spark's timestamps");
  }

  @Test
  void countOfOverlappingSSTablesIsCounted() throws IOException {
    Tables.add(directory, READINGS, StatisticsAnswerTest::rows);
    Tables.add(directory, READINGS, StatisticsAnswerTest::rows);

    assertThat(isAnswered(aggregates(directory, "count(*)"))).isFalse();
    assertThat(read(directory).count()).isEqualTo(3);
    assertThat(isAnswered(aggregates(directory, "min(day)"))).isTrue();
  }

  @Test
  void restrictedOrGroupedAggregatesAreCounted() throws IOException {
    Tables.add(directory, READINGS, StatisticsAnswerTest::rows);

    assertThat(read(directory).where("sensor = 'roof'").count()).isEqualTo(2);
    assertThat(read(directory).where("celsius = 1").count()).isEqualTo(1);
    assertThat(read(directory).where("day > 0").count()).isEqualTo(2);
    assertThat(read(directory).groupBy("sensor").count().count()).isEqualTo(2);
    assertThat(read(Map.of("firstToken", "9223372036854775807"), directory).count()).isZero();
  }

  @Test
  void deletionsOfAllKindsPreventAnAnswer() throws IOException {
    Map<String, Function<BulkWriter, Mutation>> kinds = new LinkedHashMap<>();
    kinds.put("cell", w -> w.mutation("roof").update(3).delete("celsius").build());
    kinds.put("row", w -> w.mutation("roof").deleteRow(3).build());
    kinds.put("range", w -> w.mutation("roof").deleteRange(ClusteringRange.all().from(3)).build());
    kinds.put("partition", w -> w.mutation("roof").deletePartition().build());
    kinds.put("ttl", w -> w.mutation("roof").ttl(1000).insert(9).build());
    for (Map.Entry<String, Function<BulkWriter, Mutation>> kind : kinds.entrySet()) {
      Path table = directory.resolve(kind.getKey());
      Tables.add(table, READINGS, StatisticsAnswerTest::rows);
      Tables.add(table, READINGS, writer -> List.of(kind.getValue().apply(writer)));

      assertThat(isAnswered(aggregates(table, "count(*)"))).as(kind.getKey()).isFalse();
      assertThat(isAnswered(aggregates(table, "max(day)"))).as(kind.getKey()).isFalse();
    }
  }

  @Test
  void tablesWhoseRowsMayBeEmptyAreCounted() throws IOException {
    for (String columns : List.of("s int static", "l list<int>")) {
      TableSchema schema =
          Tables.parse("CREATE TABLE ks.x (k int, c int, " + columns + ", PRIMARY KEY (k, c))");
      Path table = directory.resolve(columns.substring(0, 1));
      Tables.add(table, schema, writer -> List.of(writer.mutation(1).insert(1).build()));

      assertThat(isAnswered(aggregates(table, "count(*)"))).as(columns).isFalse();
      assertThat(read(table).count()).isEqualTo(1);
    }
  }
}
