package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.mutation.Mutation;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predicates, limits and columns that the engine decides, compared with what Spark decides. */
final class PushdownTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 20261128);
  private static final TableSchema SCHEMA =
      Tables.parse(
          "CREATE TABLE ks.t (a text, b int, c int, d text, e timestamp, s int static, v int,"
              + " PRIMARY KEY ((a, b), c, d, e)) WITH CLUSTERING ORDER BY (c DESC, d ASC, e DESC)");

  @TempDir static Path directory;
  private static Dataset<Row> local;

  @BeforeAll
  static void makeTable() throws IOException {
    Random random = new Random(SEED);
    for (int i = 0; i < 4; i++) {
      Tables.add(
          directory,
          SCHEMA,
          writer -> {
            List<Mutation> rows = new ArrayList<>();
            for (int row = 0; row < 300; row++) {
              String a = text(random);
              int b = random.nextInt(3);
              if (random.nextInt(20) == 0) {
                rows.add(writer.mutation(a, b).set("s", row).build());
              } else if (random.nextInt(50) == 0) {
                rows.add(writer.mutation(a, b).deletePartition().build());
              } else {
                rows.add(
                    writer
                        .mutation(a, b)
                        .insert(random.nextInt(5), text(random), Instant.ofEpochMilli(row % 7))
                        .set("v", row)
                        .build());
              }
            }
            return rows;
          });
    }
    Dataset<Row> all = read(directory);
    local = LocalSpark.session().createDataFrame(all.collectAsList(), all.schema());
    assertThat(local.count()).isGreaterThan(300);
  }

  private static String text(Random random) {
    return List.of("", "a", "ab", "b", "ö", "\uD83D\uDE00").get(random.nextInt(6));
  }

  private static String condition(Random random) {
    String operator = List.of("=", "<", "<=", ">", ">=", "<=>").get(random.nextInt(6));
    return switch (random.nextInt(12)) {
      case 0 -> "a = '" + text(random) + "'";
      case 1 -> "a in ('" + text(random) + "', '" + text(random) + "')";
      case 2 -> "b = " + random.nextInt(3);
      case 3 -> "b in (0, " + random.nextInt(4) + ", 7)";
      case 4, 5 -> "c " + operator + " " + random.nextInt(6);
      case 6 -> random.nextInt(5) + " " + operator + " c";
      case 7 -> "d " + operator + " '" + text(random) + "'";
      case 8 -> "c in (1, " + random.nextInt(5) + ")";
      case 9 -> "e " + operator + " timestamp_micros(" + random.nextInt(14) * 500 + ")";
      case 10 -> "v " + operator + " " + random.nextInt(300);
      default -> "c is not null";
    };
  }

  @Test
  void conditionsFindTheRowsThatSparkFinds() {
    Random random = new Random(SEED + 1);
    for (int i = 0; i < 60 * SCALE; i++) {
      StringBuilder where = new StringBuilder("true");
      int count = 1 + random.nextInt(5);
      for (int each = 0; each < count; each++) {
        where.append(" and ").append(condition(random));
      }
      String text = where.toString();
      assertThat(texts(read(directory).where(text)))
          .as("where %s, -Dsiltstone.seed=%s", text, SEED)
          .isEqualTo(texts(local.where(text)));
    }
  }

  private static String plan(Dataset<Row> frame) {
    return frame.queryExecution().optimizedPlan().toString()
        + frame.queryExecution().executedPlan();
  }

  @Test
  void keyIsNotEvaluatedAgain() {
    Dataset<Row> frame = read(directory).where("a = 'ab' and b in (1, 2) and c > 1 and d = 'a'");

    assertThat(plan(frame)).contains("Filter").contains("d#").doesNotContain("(c#");
    assertThat(plan(read(directory).where("a = 'ab' and b = 1 and c = 1")))
        .doesNotContain("Filter ");
    assertThat(frame.rdd().getNumPartitions()).isEqualTo(1);
  }

  /** Cassandra takes empty values of most types, which are less than all others; here null. */
  @Test
  void emptyValuesOfThePrimaryKeyAreNull(@TempDir Path table) throws IOException {
    ByteBuffer empty = ByteBuffer.allocate(0);
    Tables.add(
        table,
        Tables.parse(
            "CREATE TABLE ks.e (a int, b int, c int, d int, PRIMARY KEY ((a, b), c, d))"
                + " WITH CLUSTERING ORDER BY (c DESC, d ASC)"),
        writer ->
            List.of(
                writer.mutation(1, 1).insert(empty, 1).insert(5, empty).insert(5, 5).build(),
                writer.mutation(1, empty).insert(6, 1).build()));
    Dataset<Row> all = read(table);
    Dataset<Row> asRows = LocalSpark.session().createDataFrame(all.collectAsList(), all.schema());
    assertThat(texts(all)).contains("[1,1,null,1]", "[1,1,5,null]", "[1,null,6,1]");
    for (String where :
        List.of(
            "c < 7",
            "c <= 5 and d < 9",
            "c = 5 and d < 9",
            "c > 1 and d < 9",
            "c is null",
            "c is not null",
            "d is not null",
            "b is null",
            "b is not null",
            "b < 5",
            "b = 0 or c = 0 or d = 0",
            "a = 1 and b = 1 and c < 7 and d <= 5")) {
      assertThat(texts(all.where(where))).as(where).isEqualTo(texts(asRows.where(where)));
    }
  }

  @Test
  void columnsAreThoseThatAreAskedFor() {
    assertThat(plan(read(directory).select("v"))).contains("columns [v]");
    assertThat(plan(read(directory).groupBy("c").count())).contains("columns [c]");
  }

  @Test
  void limitEndsEachTask() {
    assertThat(read(directory).limit(7).collectAsList()).hasSize(7);
    assertThat(plan(read(directory).limit(7))).contains("limit 7");
    assertThat(read(Map.of("splitBytes", "2000"), directory).limit(40).collectAsList())
        .hasSize(40)
        .doesNotHaveDuplicates();
  }

  @Test
  void splitsHaveEachRowOnce() {
    Dataset<Row> split = read(Map.of("splitBytes", "1000", "batchRows", "7"), directory);

    assertThat(split.rdd().getNumPartitions()).isGreaterThan(5);
    assertThat(texts(split)).isEqualTo(texts(local));
  }

  @Test
  void tokenRangesHaveEachRowOnce() {
    List<String> rows = new ArrayList<>();
    for (String[] range :
        new String[][] {
          {Long.toString(Long.MIN_VALUE), "-1"}, {"0", "99"}, {"100", Long.toString(Long.MAX_VALUE)}
        }) {
      Map<String, String> options =
          Map.of("firstToken", range[0], "lastToken", range[1], "splitBytes", "3000");
      rows.addAll(texts(read(options, directory)));
    }

    assertThat(rows.stream().sorted()).isEqualTo(texts(local));
    assertThatThrownBy(() -> read(Map.of("firstToken", "1", "lastToken", "0"), directory))
        .hasMessageContaining("option firstToken is '1', allowed none after that of option");
  }

  @Test
  void joinsUseTheSizeOfTheTable() {
    assertThat(
            read(directory).queryExecution().optimizedPlan().stats().rowCount().get().longValue())
        .isGreaterThan(300);
  }
}
