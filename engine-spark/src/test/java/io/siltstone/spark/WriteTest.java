package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.BulkWriter;
import io.siltstone.OfflineTable;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SSTables that Spark writes. */
final class WriteTest {
  private static final String TABLE =
      "CREATE TABLE ks.t (k text, c int, v bigint, s text static, PRIMARY KEY (k, c))";

  @TempDir Path directory;

  private static Dataset<Row> sql(String text) {
    return LocalSpark.session().sql(text);
  }

  private void append(Dataset<Row> rows, String... options) {
    write(rows, SaveMode.Append, options);
  }

  private void write(Dataset<Row> rows, SaveMode mode, String... options) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      map.put(options[i], options[i + 1]);
    }
    rows.write().format("sstable").mode(mode).options(map).save(directory.toString());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private long dataFiles() throws IOException {
    return names().stream().filter(name -> name.endsWith("Data.db")).count();
  }

  @Test
  void everyTypeIsWrittenAsItWasRead() throws IOException {
    Path source = Everything.make(directory.resolve("source"));
    Path target = directory.resolve("target");
    Map<String, String> text = Map.of("numbersAsText", "true");
    for (Map<String, String> options : List.of(Map.<String, String>of(), text)) {
      read(options, source)
          .write()
          .format("sstable")
          .mode(SaveMode.Overwrite)
          .option("schema", Everything.CQL)
          .save(target.toString());

      assertThat(texts(read(target).drop("bl"))).isEqualTo(texts(read(source).drop("bl")));
      assertThat(texts(read(target).selectExpr("hex(bl)")))
          .isEqualTo(texts(read(source).selectExpr("hex(bl)")));
    }
  }

  @Test
  void newTableHasTheKeyThatOptionsGive() throws IOException {
    append(
        sql(
            "SELECT 'roof' sensor, id day, id * 0.5D celsius, array(id) l, map('a', id) m,"
                + " struct(1, 'x') t FROM range(3)"),
        "partitionKey",
        "sensor",
        "clusteringKey",
        "day DESC",
        "table",
        "app.readings");

    assertThat(Files.readString(directory.resolve("schema.cql")))
        .contains("app.readings (")
        .contains("PRIMARY KEY (sensor, day)")
        .contains("CLUSTERING ORDER BY (day DESC)");
    assertThat(read(directory).dtypes()[1]._2()).isEqualTo("LongType");
    assertThat(texts(read(directory).select("day", "celsius", "l", "m", "t")))
        .containsExactly(
            "[0,0.0,ArraySeq(0),Map(a -> 0),[1,x]]",
            "[1,0.5,ArraySeq(1),Map(a -> 1),[1,x]]",
            "[2,1.0,ArraySeq(2),Map(a -> 2),[1,x]]");
  }

  @Test
  void appendedRowsAreNewerAndOverwrittenOnesAreGone() throws IOException {
    append(sql("SELECT 'a' k, 1 c, 1L v"), "schema", TABLE);
    append(sql("SELECT 'a' k, 1 c, 2L v UNION ALL SELECT 'b' k, 1 c, 3L v"));
    assertThat(texts(read(directory))).containsExactly("[a,1,null,2]", "[b,1,null,3]");

    write(sql("SELECT 'c' k, 1 c, 4L v"), SaveMode.Overwrite);
    assertThat(texts(read(directory))).containsExactly("[c,1,null,4]");
    assertThat(dataFiles()).isEqualTo(1);

    write(sql("SELECT 'c' k, 1 c, 4L v WHERE false"), SaveMode.Overwrite);
    assertThat(texts(read(directory))).isEmpty();
    assertThat(names()).containsExactly("schema.cql");
  }

  @Test
  void rowsOfPartitionAreInOneSSTable() throws IOException {
    append(
        sql("SELECT concat('k', id % 50) k, CAST(id AS int) c, id v FROM range(0, 1000, 1, 7)"),
        "schema",
        TABLE);

    assertThat(read(directory).count()).isEqualTo(1000);
    assertThat(dataFiles()).isBetween(1L, 2L);
    try (OfflineTable table = OfflineTable.openReadOnly(directory)) {
      assertThat(table.sstables().stream().mapToLong(each -> each.partitions()).sum())
          .isEqualTo(50);
    }
  }

  @Test
  void staticColumnsAloneAreWrittenWithoutARow() {
    append(
        sql("SELECT 'a' k, CAST(NULL AS int) c, CAST(NULL AS bigint) v, 'static' s"),
        "schema",
        TABLE);

    assertThat(texts(read(directory))).containsExactly("[a,null,static,null]");
  }

  @Test
  void timesAreThoseOfColumnsAndOptions() {
    String rows =
        "SELECT * FROM VALUES ('a', 1, 1L, 100, 5000L), ('b', 1, 1L, NULL, NULL)"
            + " AS t(k, c, v, ttl, at)";
    append(
        sql(rows),
        "schema",
        TABLE,
        "ttlColumn",
        "ttl",
        "timestampColumn",
        "at",
        "timestamp",
        "7000");

    List<Row> times = read(directory).orderBy("k").select("writetime.v", "ttl.v").collectAsList();
    assertThat(times.get(0).getLong(0)).isEqualTo(5000);
    assertThat(times.get(0).getInt(1)).isBetween(1, 100);
    assertThat(times.get(1).toString()).isEqualTo("[7000,null]");
  }

  @Test
  void rowsWithoutTimestampHaveThatOfTheDriver() {
    long before = Instant.now().toEpochMilli() * 1000;
    append(sql("SELECT concat('k', id) k, 1 c, id v FROM range(0, 9, 1, 3)"), "schema", TABLE);

    List<Row> times = read(directory).select("writetime.v").distinct().collectAsList();
    assertThat(times).hasSize(1);
    assertThat(times.get(0).getLong(0)).isBetween(before, Instant.now().toEpochMilli() * 1000);
  }

  @Test
  void filesHaveVersionAndCompressionOfTheOptions() throws IOException {
    append(
        sql("SELECT 'a' k, 1 c, repeat('x', 100000) s"),
        "schema",
        TABLE,
        "version",
        "nb",
        "compression",
        "ZstdCompressor",
        "chunkLengthKb",
        "64",
        "ttl",
        "1000");

    assertThat(names()).contains("nb-1-big-Data.db");
    byte[] info = Files.readAllBytes(Tables.file(directory, "CompressionInfo.db"));
    assertThat(new String(info, StandardCharsets.ISO_8859_1)).contains("ZstdCompressor");
    assertThat(read(directory).select("ttl.s").head().getInt(0)).isBetween(1, 1000);
  }

  @Test
  void versionAndPartitionerAreThoseOfTheDirectory() throws IOException {
    TableSchema schema = Tables.parse(TABLE);
    try (BulkWriter writer =
        BulkWriter.into(directory, schema)
            .version(FormatVersion.NB)
            .partitioner(Partitioner.BYTE_ORDERED)
            .open()) {
      writer.add(writer.mutation("old").insert(1).build());
      writer.commit();
    }
    append(sql("SELECT 'new' k, 1 c, 1L v"));

    assertThat(names()).noneMatch(name -> name.startsWith("oa-"));
    assertThat(texts(read(directory))).containsExactly("[new,1,null,1]", "[old,1,null,null]");
    append(sql("SELECT 'newer' k, 1 c, 1L v"), "version", "oa");
    assertThat(names()).anyMatch(name -> name.startsWith("oa-"));
    assertThat(read(directory).count()).isEqualTo(3);
  }

  @Test
  void columnsThatOptionsNameAreWrittenIfTheTableHasThem() {
    append(
        sql("SELECT 'a' k, 5000L at, 90 lifetime"),
        "schema",
        "CREATE TABLE ks.t (k text PRIMARY KEY, at bigint, lifetime int)",
        "timestampColumn",
        "at",
        "ttlColumn",
        "lifetime");

    assertThat(texts(read(directory).select("k", "at", "lifetime", "writetime.at")))
        .containsExactly("[a,5000,90,5000]");
  }

  @Test
  void whatDoesNotFitIsNamedBeforeAnyTaskBegins() {
    Dataset<Row> rows = sql("SELECT 'a' k, 1 c, 1L v");
    assertThatThrownBy(() -> append(rows)).hasStackTraceContaining("needs option schema");
    assertThatThrownBy(() -> append(rows, "partitionKey", "x"))
        .hasStackTraceContaining("option partitionKey names 'x'");
    assertThatThrownBy(() -> append(rows, "schema", TABLE, "partitionKey", "k"))
        .hasStackTraceContaining("are for a new table");
    assertThatThrownBy(() -> append(rows.drop("c"), "schema", TABLE))
        .hasStackTraceContaining("lacks column c of the primary key");
    assertThatThrownBy(() -> append(rows.withColumnRenamed("v", "w"), "schema", TABLE))
        .hasStackTraceContaining("table ks.t has no column w");
    assertThatThrownBy(() -> append(sql("SELECT 'a' k, true c"), "schema", TABLE))
        .hasStackTraceContaining("column c: values of type BOOLEAN cannot be written as int");
    assertThatThrownBy(() -> append(rows, "schema", TABLE, "version", "na"))
        .hasStackTraceContaining("option version is 'na'");
    assertThatThrownBy(() -> append(rows, "schema", TABLE, "compression", "Brotli"))
        .hasStackTraceContaining("options compression and chunkLengthKb");
    assertThatThrownBy(() -> append(rows, "schema", TABLE, "ttlColumn", "none"))
        .hasStackTraceContaining("option ttlColumn is 'none'");
    assertThatThrownBy(
            () -> append(rows, "schema", "CREATE TABLE ks.n (k text PRIMARY KEY, v counter)"))
        .hasStackTraceContaining("table ks.n has counters");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void nullKeysAndLossyValuesFailTheJobAndLeaveNothing() throws IOException {
    append(sql("SELECT 'old' k, 1 c, 1L v"), "schema", TABLE);
    List<String> before = names();

    String[][] wrong = {
      {"SELECT CAST(NULL AS string) k, 1 c", "column k is null"},
      {"SELECT 'a' k, CAST(NULL AS int) c, 1L v", "column c is null"},
      {"SELECT 'a' k, 5000000000L c", "5000000000"},
      {"SELECT 'a' k, 1 c, 1.5 v", "column v: 1.5 is not a whole number"},
    };
    for (String[] each : wrong) {
      Dataset<Row> rows = sql(each[0]);
      assertThatThrownBy(() -> append(rows)).hasStackTraceContaining(each[1]);
      assertThat(names()).as(each[0]).isEqualTo(before);
    }
    assertThatThrownBy(
            () ->
                write(
                    sql(
                        "SELECT concat('k', id) k, 1 c, IF(id = 990, 1.5, id) v"
                            + " FROM range(0, 1000, 1, 5)"),
                    SaveMode.Overwrite))
        .hasStackTraceContaining("column v: 1.5");
    assertThat(names()).isEqualTo(before);
    assertThat(texts(read(directory))).containsExactly("[old,1,null,1]");
  }

  @Test
  void valuesThatAreLossyInOtherTypesAreErrors() {
    Map<String, String> wrong =
        Map.of(
            "v timestamp", "timestamp'2024-01-01 00:00:00.000001'",
            "v float", "0.1D",
            "v time", "-1L",
            "v list<int>", "array(1, NULL)",
            "v tinyint", "200");
    wrong.forEach(
        (column, value) ->
            assertThatThrownBy(
                    () ->
                        append(
                            sql("SELECT 1 k, " + value + " v"),
                            "schema",
                            "CREATE TABLE ks.l (k int PRIMARY KEY, " + column + ")"))
                .as(column)
                .hasStackTraceContaining("column v: "));
    assertThatThrownBy(
            () ->
                append(
                    sql("SELECT 1 k, -5 lifetime"),
                    "schema",
                    "CREATE TABLE ks.l (k int PRIMARY KEY)",
                    "ttlColumn",
                    "lifetime"))
        .hasStackTraceContaining("column lifetime: ");
  }

  @Test
  void definitionIsThatOfTheTable() throws IOException {
    TableSchema schema = Tables.parse(TABLE);
    append(sql("SELECT 'a' k, 1 c, '12' v"), "schema", TABLE);

    assertThat(schema.column("v").orElseThrow().type()).isEqualTo(CqlTypes.BIGINT);
    assertThat(texts(read(directory))).containsExactly("[a,1,null,12]");
    Files.writeString(directory.resolve("schema.cql"), TABLE.replace("bigint", "text"));
    assertThatThrownBy(() -> append(sql("SELECT 'a' k, 1 c, 1L v"), "schema", TABLE))
        .hasStackTraceContaining("defines another table than " + directory + "/schema.cql");
  }
}
