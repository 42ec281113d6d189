package io.siltstone.spark;

import static io.siltstone.spark.Catalogs.rows;
import static io.siltstone.spark.Catalogs.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.BulkWriter;
import io.siltstone.OfflineTable;
import io.siltstone.mutation.Mutation;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The token function, and what Spark makes of the token ranges of tables. */
final class TokenTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 20261129);
  private static final TableSchema EVENTS =
      Tables.parse("CREATE TABLE ks.events (k text, c int, v bigint, PRIMARY KEY (k, c))");
  private static final TableSchema OWNERS =
      Tables.parse("CREATE TABLE ks.owners (k text PRIMARY KEY, owner text)");

  @TempDir Path directory;
  private String cat = "";

  @BeforeEach
  void addCatalog() {
    cat = Catalogs.add(directory, Map.of("tokenRanges", "8", "splitBytes", "10000"));
  }

  private Path table(TableSchema schema) {
    return Catalogs.directory(directory, schema);
  }

  private static long onlyToken(Path table) throws IOException {
    try (OfflineTable open = OfflineTable.openReadOnly(table)) {
      return open.live().tables().get(0).firstKey().token();
    }
  }

  @Test
  void tokenIsThatOfTheEngineForAllTypesOfKeys() throws IOException {
    String[][] keys = {
      {"boolean", "true"},
      {"tinyint", "-3"},
      {"smallint", "300"},
      {"int", "-70000"},
      {"bigint", "5000000000"},
      {"varint", "123456789012345678901234567890"},
      {"float", "1.5"},
      {"double", "-2.25"},
      {"text", "grün"},
      {"ascii", "ascii"},
      {"blob", "0x00ff10"},
      {"uuid", Everything.RANDOM_UUID.toString()},
      {"timeuuid", Everything.TIME_UUID.toString()},
      {"timestamp", "2024-02-29T12:30:00.123Z"},
      {"date", "1969-07-20"},
      {"time", "01:02:03.000000004"},
      {"inet", "10.0.0.1"},
      {"inet", "2001:db8::1"},
      {"frozen<list<int>>", "[1, 2, 3]"},
      {"frozen<set<text>>", "{'b', 'a'}"},
      {"frozen<map<text, int>>", "{'b': 1, 'a': 2}"},
      {"frozen<tuple<int, text>>", "(1, 'x')"}
    };
    List<String> queries = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (Partitioner partitioner : Partitioner.values()) {
      // How keys are serialized does not depend on the partitioner.
      int step = partitioner == Partitioner.MURMUR3 ? 1 : 7;
      for (int i = 0; i < keys.length; i += step) {
        String name = partitioner.name().toLowerCase(Locale.ROOT) + i;
        TableSchema schema =
            Tables.parse("CREATE TABLE ks." + name + " (k " + keys[i][0] + " PRIMARY KEY)");
        add(table(schema), schema, partitioner, keys[i][1]);
        String of = cat + ".ks." + name;
        queries.add("SELECT '%s' t, %s.token(k) FROM %s".formatted(name, of, of));
        expected.add("[" + name + "," + onlyToken(table(schema)) + "]");
      }
    }
    assertThat(rows(String.join(" UNION ALL ", queries)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void add(Path path, TableSchema schema, Partitioner partitioner, Object... key)
      throws IOException {
    try (BulkWriter writer = BulkWriter.into(path, schema).partitioner(partitioner).open()) {
      writer.add(writer.mutation(key).insert().build());
      writer.commit();
    }
  }

  @Test
  void tokenOfSeveralColumnsIsThatOfTheWholeKey() throws IOException {
    TableSchema schema =
        Tables.parse("CREATE TABLE ks.several (a text, b uuid, c int, PRIMARY KEY ((a, b, c)))");
    add(table(schema), schema, Partitioner.MURMUR3, "x", Everything.RANDOM_UUID, 7);

    String of = cat + ".ks.several";
    assertThat(rows("SELECT " + of + ".token(a, b, c) FROM " + of))
        .containsExactly("[" + onlyToken(table(schema)) + "]");
    assertThat(rows("SELECT " + of + ".token(a, NULL, c) FROM " + of)).containsExactly("[null]");
    assertThatThrownBy(() -> sql("SELECT " + of + ".token(a) FROM " + of))
        .hasStackTraceContaining("as in token(a, b, c), not 1 values");
    assertThatThrownBy(() -> sql("SELECT " + of + ".bucket(a) FROM " + of))
        .hasStackTraceContaining("ROUTINE");
  }

  @Test
  void tokenOfDecimalsIsRefused() throws IOException {
    Tables.define(
        directory.resolve("ks").resolve("d"),
        Tables.parse("CREATE TABLE ks.d (k decimal PRIMARY KEY)"));
    assertThatThrownBy(() -> sql("SELECT " + cat + ".ks.d.token(k) FROM " + cat + ".ks.d"))
        .hasStackTraceContaining("column k of ks.d has decimals");
  }

  private void makeEvents(Random random) throws IOException {
    for (int i = 0; i < 3; i++) {
      Tables.add(
          table(EVENTS),
          EVENTS,
          writer -> {
            List<Mutation> rows = new ArrayList<>();
            for (int row = 0; row < 100 * SCALE; row++) {
              rows.add(
                  writer
                      .mutation("k" + random.nextInt(50))
                      .insert(random.nextInt(20))
                      .set("v", (long) row)
                      .build());
            }
            return rows;
          });
    }
    Tables.add(
        table(OWNERS),
        OWNERS,
        writer ->
            IntStream.range(20, 80)
                .mapToObj(i -> writer.mutation("k" + i).insert().set("owner", "o" + i).build())
                .toList());
  }

  @Test
  void rangesOfTokensArePushedDown() throws IOException {
    makeEvents(new Random(SEED));
    String of = cat + ".ks.events";
    String token = of + ".token(k)";
    List<Row> tokens =
        sql("SELECT DISTINCT " + token + " t FROM " + of + " ORDER BY t").collectAsList();
    long low = tokens.get(10).getLong(0);
    long high = tokens.get(40).getLong(0);
    for (String where :
        List.of(
            "%s > %d AND %s <= %d",
            "%s = %d OR %s = %d", "%s < %d AND %s > %d", "NOT (%s < %d) AND %s BETWEEN 0 AND %d")) {
      String condition = where.formatted(token, low, token, high);
      assertThat(rows("SELECT * FROM " + of + " WHERE " + condition))
          .as(condition)
          .isEqualTo(rows("SELECT * FROM " + of + " WHERE " + unpushed(condition, token)));
    }
    Dataset<Row> range = sql("SELECT * FROM " + of + " WHERE " + token + " > " + high);
    assertThat(plan(range))
        .doesNotContain("Filter ")
        .contains("pushed down [token(k) > " + high + "]");
    assertThat(rows("SELECT * FROM " + of + " WHERE " + high + " < " + token))
        .isEqualTo(LocalSpark.texts(range));
    assertThat(sql("SELECT count(*) FROM " + of + " WHERE " + token + " > " + high).head())
        .isEqualTo(sql("SELECT CAST(" + range.count() + " AS BIGINT)").head());
    assertThat(rows("SELECT * FROM " + of + " WHERE " + token + " > " + Long.MAX_VALUE)).isEmpty();
  }

  /** Returns a condition that means the same, and that Spark evaluates. */
  private static String unpushed(String condition, String token) {
    return condition.replace(token, "(" + token + " + c - c)");
  }

  private static String plan(Dataset<Row> frame) {
    return frame.queryExecution().executedPlan().toString();
  }

  /** Runs a test with storage-partitioned joins or without, and without broadcasts. */
  private static void with(boolean isPartitioned, Runnable test) {
    Map<String, String> settings =
        Map.of(
            "spark.sql.sources.v2.bucketing.enabled", Boolean.toString(isPartitioned),
            "spark.sql.autoBroadcastJoinThreshold", "-1",
            "spark.sql.adaptive.enabled", "false");
    settings.forEach((name, value) -> LocalSpark.session().conf().set(name, value));
    try {
      test.run();
    } finally {
      settings.keySet().forEach(LocalSpark.session().conf()::unset);
    }
  }

  @Test
  void joinsAndAggregatesOfKeysNeedNoShuffle() throws IOException {
    makeEvents(new Random(SEED + 1));
    String join = "SELECT e.k, c, v, owner FROM %s.ks.events e %s JOIN %s.ks.owners o ON e.k = o.k";
    List<String> queries = new ArrayList<>();
    for (String kind : List.of("", "FULL")) {
      queries.add(join.formatted(cat, kind, cat));
    }
    queries.add("SELECT k, count(*), sum(v) FROM " + cat + ".ks.events GROUP BY k");
    for (String query : queries) {
      List<String> expected = new ArrayList<>();
      with(
          false,
          () -> {
            assertThat(plan(sql(query))).as(query).contains("Exchange hashpartitioning(k");
            expected.addAll(rows(query));
          });
      with(
          true,
          () -> {
            Dataset<Row> frame = sql(query);
            assertThat(plan(frame)).as(query).doesNotContain("Exchange").contains("BatchScan");
            assertThat(frame.rdd().getNumPartitions()).isBetween(5, 8);
            assertThat(LocalSpark.texts(frame))
                .as("%s, -Dsiltstone.seed=%s", query, SEED)
                .isEqualTo(expected);
          });
    }
  }

  @Test
  void tablesThatAreDividedDifferentlyAreShuffled() throws IOException {
    makeEvents(new Random(SEED + 2));
    TableSchema ids = Tables.parse("CREATE TABLE ks.ids (k uuid PRIMARY KEY)");
    Tables.add(
        table(ids),
        ids,
        writer -> List.of(writer.mutation(Everything.RANDOM_UUID).insert().build()));
    with(
        true,
        () -> {
          String other = " JOIN " + cat + ".ks.owners WITH (tokenRanges = 5) o ON e.k = o.k";
          String query = "SELECT e.k FROM " + cat + ".ks.events e";
          assertThat(plan(sql(query + other))).contains("Exchange");
          assertThat(rows(query + other))
              .isEqualTo(rows(query + " JOIN " + cat + ".ks.owners o ON e.k = o.k"));
          // The same text has another token where it is a uuid.
          assertThat(plan(sql(query + " JOIN " + cat + ".ks.ids o ON e.k = o.k")))
              .contains("Exchange");
        });
  }

  /** Spark shuffles the other side of a join by the function of the key. */
  @Test
  void rowsThatCanBeNoKeysAreJoined() throws IOException {
    TableSchema ids = Tables.parse("CREATE TABLE ks.ids (k uuid PRIMARY KEY, n int)");
    UUID[] keys = new UUID[20];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new UUID(i, 0x8000000000000000L + i);
    }
    Tables.add(
        table(ids),
        ids,
        writer ->
            IntStream.range(0, keys.length)
                .mapToObj(i -> writer.mutation(keys[i]).insert().set("n", i).build())
                .toList());
    sql("SELECT * FROM VALUES ('%s'), ('%s'), ('no id'), (''), (NULL) AS t(k)"
            .formatted(keys[3], keys[17]))
        .repartition(3)
        .createOrReplaceTempView("names");
    TableSchema times = Tables.parse("CREATE TABLE ks.times (k timestamp PRIMARY KEY)");
    Tables.add(
        table(times),
        times,
        writer ->
            IntStream.range(0, 20)
                .mapToObj(i -> writer.mutation(Instant.ofEpochMilli(i)).insert().build())
                .toList());
    sql("SELECT timestamp_micros(id * 500) k FROM range(40)").createOrReplaceTempView("moments");
    for (String query :
        List.of(
            "SELECT a.k, b.k, n FROM %s.ks.ids a FULL JOIN names b ON a.k = b.k",
            "SELECT b.k, n FROM names b LEFT JOIN %s.ks.ids a ON a.k = b.k",
            "SELECT a.k, b.k FROM %s.ks.times a RIGHT JOIN moments b ON a.k = b.k")) {
      String of = query.formatted(cat);
      List<String> expected = new ArrayList<>();
      with(false, () -> expected.addAll(rows(of)));
      String setting = "spark.sql.sources.v2.bucketing.shuffle.enabled";
      LocalSpark.session().conf().set(setting, "true");
      try {
        with(
            true,
            () -> {
              assertThat(plan(sql(of))).contains("Exchange keyedpartitioning");
              assertThat(rows(of)).as(of).isEqualTo(expected);
            });
      } finally {
        LocalSpark.session().conf().unset(setting);
      }
    }
  }

  /** Spark leaves out, repeats and groups what tasks read. */
  @Test
  void joinsAreTheSameWithAllSettings() throws IOException {
    makeEvents(new Random(SEED + 3));
    String prefix = "spark.sql.sources.v2.bucketing.";
    List<String> settings =
        List.of(
            prefix + "pushPartValues.enabled",
            prefix + "partiallyClusteredDistribution.enabled",
            prefix + "allowJoinKeysSubsetOfPartitionKeys.enabled",
            prefix + "shuffle.enabled");
    sql("SELECT concat('k', id) k FROM range(30, 90)").createOrReplaceTempView("names");
    TableSchema none = Tables.parse("CREATE TABLE ks.none (k text PRIMARY KEY)");
    Tables.define(table(none), none);
    List<String> joins =
        List.of(
            "%s.ks.events e KIND JOIN %s.ks.owners o ON e.k = o.k",
            "names e KIND JOIN %s.ks.events o ON e.k = o.k",
            "%s.ks.events e KIND JOIN %s.ks.owners o ON e.k = o.k AND %s.ks.events.token(e.k) > 0",
            "%s.ks.none e KIND JOIN %s.ks.owners o ON e.k = o.k");
    List<String> kinds = List.of("FULL", "LEFT ANTI", "LEFT", "RIGHT", "", "LEFT SEMI");
    for (int i = 0; i < joins.size() * kinds.size(); i++) {
      // Each join and each kind; all combinations only if the scale is greater.
      if (SCALE == 1 && i % joins.size() != i / joins.size() % joins.size()) {
        continue;
      }
      String join = joins.get(i % joins.size()).replace("%s", cat);
      String query = "SELECT e.* FROM " + join.replace("KIND", kinds.get(i / joins.size()));
      List<String> expected = new ArrayList<>();
      with(false, () -> expected.addAll(rows(query)));
      settings.forEach(setting -> LocalSpark.session().conf().set(setting, "true"));
      try {
        with(true, () -> assertThat(rows(query)).as(query).isEqualTo(expected));
      } finally {
        settings.forEach(LocalSpark.session().conf()::unset);
      }
    }
  }
}
