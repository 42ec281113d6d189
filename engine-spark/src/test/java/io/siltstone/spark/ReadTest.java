package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that Spark reads of SSTables. */
final class ReadTest {
  @TempDir Path directory;

  @Test
  void everyTypeHasItsValues() throws IOException {
    List<Row> rows = read(Everything.make(directory)).orderBy("k", "c").collectAsList();

    assertThat(rows).hasSize(3);
    Row empty = rows.get(0);
    assertThat(empty.<String>getAs("c")).isEqualTo("empty");
    assertThat(empty.<String>getAs("st")).isEqualTo("shared");
    assertThat(empty.<Object>getAs("a")).isNull();
    assertThat(empty.<Object>getAs("l")).isNull();
    Row full = rows.get(1);
    assertThat(full.<Byte>getAs("ti")).isEqualTo((byte) 1);
    assertThat(full.<Short>getAs("sm")).isEqualTo((short) 2);
    assertThat(full.<Long>getAs("b")).isEqualTo(3);
    assertThat(full.<Boolean>getAs("bo")).isTrue();
    assertThat(full.<Float>getAs("f")).isEqualTo(1.5f);
    assertThat(full.<Double>getAs("d")).isEqualTo(2.5);
    assertThat(full.<BigDecimal>getAs("vi"))
        .isEqualTo(new BigDecimal("12345678901234567890123456789"));
    assertThat(full.<BigDecimal>getAs("de")).isEqualByComparingTo("-1.25");
    assertThat(full.<String>getAs("asc_")).isEqualTo("ascii");
    assertThat(full.<byte[]>getAs("bl")).containsExactly(1, 2);
    assertThat(full.<String>getAs("u")).isEqualTo(Everything.RANDOM_UUID.toString());
    assertThat(full.<String>getAs("tu")).isEqualTo(Everything.TIME_UUID.toString());
    assertThat(full.<Timestamp>getAs("ts").toInstant())
        .isEqualTo(Instant.parse("2024-02-29T12:30:00.123Z"));
    assertThat(full.<Date>getAs("da").toLocalDate()).isEqualTo(LocalDate.of(1969, 7, 20));
    assertThat(full.<Long>getAs("tm")).isEqualTo(LocalTime.of(1, 2, 3, 4).toNanoOfDay());
    assertThat(full.<Row>getAs("du").toString()).isEqualTo("[1,2,3]");
    assertThat(full.<String>getAs("ip")).isEqualTo("10.0.0.1");
    assertThat(full.<Integer>getList(full.fieldIndex("l"))).containsExactly(3, 1, 2);
    assertThat(full.<String>getList(full.fieldIndex("s"))).containsExactly("x", "y");
    assertThat(full.<String, Long>getJavaMap(full.fieldIndex("m")))
        .isEqualTo(Map.of("one", 1L, "two", 2L));
    assertThat(full.getList(full.fieldIndex("fl")).toString())
        .isEqualTo("[ArraySeq(1), ArraySeq(), ArraySeq(2, 3)]");
    assertThat(full.<Row>getAs("t").toString()).isEqualTo("[7,null]");
    assertThat(full.<Row>getAs("a").toString()).isEqualTo("[Main,12]");
    assertThat(full.<Row>getAs("fa").toString()).isEqualTo("[null,13]");
    assertThat(full.getList(full.fieldIndex("la")).toString()).isEqualTo("[[A,1], [B,null]]");
    assertThat(full.<Float>getList(full.fieldIndex("v"))).containsExactly(1f, 2f, 3f);
    assertThat(rows.get(2).<String>getList(full.fieldIndex("s"))).containsExactly("a", "b", "c");
  }

  /** Spark asks for the fields of a value that a query names, and no others. */
  @Test
  void fieldsOfValuesCanBeReadAlone() throws IOException {
    Dataset<Row> full = read(Everything.make(directory)).where("k = 1 and c = 'full'");

    assertThat(texts(full.select("a.zip", "fa.zip", "du.days", "t._2")))
        .containsExactly("[12,13,2,null]");
    assertThat(texts(full.select("la.zip", "du.nanoseconds", "writetime.a")).toString())
        .startsWith("[[ArraySeq(1, null),3,");
    assertThat(texts(full.where("a.zip = 12").select("a.street"))).containsExactly("[Main]");
  }

  @Test
  void longRowsAreReadInSmallBatches() throws IOException {
    String text = "x".repeat(1 << 20);
    Tables.add(
        directory,
        READINGS,
        writer ->
            IntStream.range(0, 64)
                .mapToObj(day -> writer.mutation("roof").insert(day).set("note", text).build())
                .toList());

    Dataset<Row> frame = read(directory);
    assertThat(frame.collectAsList()).hasSize(64);
    assertThat(batches(frame.queryExecution().executedPlan())).isBetween(4L, 8L);
  }

  private static long batches(SparkPlan plan) {
    return plan.metrics().contains("numInputBatches")
        ? (Long) plan.metrics().apply("numInputBatches").value()
        : batches(plan.children().head());
  }

  @Test
  void numbersTooLongForSparkAreErrorsOrText() throws IOException {
    TableSchema schema = Tables.parse("CREATE TABLE ks.n (k int PRIMARY KEY, n varint, d decimal)");
    BigInteger number = BigInteger.TEN.pow(40);
    Tables.add(
        directory,
        schema,
        writer ->
            List.of(
                writer.mutation(1).insert().set("n", number).build(),
                writer.mutation(2).insert().set("d", new BigDecimal("1e-19")).build()));

    assertThatThrownBy(() -> read(directory).select("n").collect())
        .hasStackTraceContaining("column 'n' of ks.n")
        .hasStackTraceContaining("numbersAsText");
    assertThatThrownBy(() -> read(directory).select("d").collect())
        .hasStackTraceContaining("column 'd' of ks.n");
    assertThat(texts(read(Map.of("numbersAsText", "true"), directory)))
        .containsExactly("[1,null," + number + "]", "[2,0.0000000000000000001,null]");
  }

  @Test
  void sameNamesInSeveralDirectoriesAreOneTableWhereTheLastWriteWins() throws IOException {
    for (int replica = 0; replica < 3; replica++) {
      int of = replica;
      Tables.add(
          directory.resolve("replica" + replica),
          READINGS,
          writer ->
              List.of(
                  writer.mutation("roof").timestamp(10 + of).insert(1).set("celsius", of).build(),
                  writer.mutation("only" + of).timestamp(5).insert(1).build()));
    }
    Path deletes =
        Tables.add(
            directory.resolve("deletes"),
            READINGS,
            writer -> List.of(writer.mutation("only1").timestamp(6).deletePartition().build()));

    assertThat(
            texts(
                read(
                    Map.of(),
                    directory.resolve("replica0"),
                    directory.resolve("replica1"),
                    directory.resolve("replica2"),
                    deletes)))
        .containsExactly("[only0,1,null,null]", "[only2,1,null,null]", "[roof,1,2.0,null]");
  }

  @Test
  void partitionWithOnlyStaticColumnsIsARow() throws IOException {
    TableSchema schema =
        Tables.parse("CREATE TABLE ks.s (k int, c int, s text static, v int, PRIMARY KEY (k, c))");
    Tables.add(
        directory,
        schema,
        writer ->
            List.of(
                writer.mutation(1).set("s", "alone").build(),
                writer.mutation(2).set("s", "shared").insert(1).set("v", 5).build()));

    assertThat(texts(read(directory))).containsExactly("[1,null,alone,null]", "[2,1,shared,5]");
    assertThat(texts(read(directory).filter("c is not null"))).containsExactly("[2,1,shared,5]");
    assertThat(read(directory).count()).isEqualTo(2);
  }

  @Test
  void timesOfValuesAreMetadataColumns() throws IOException {
    Tables.add(
        directory,
        READINGS,
        writer ->
            List.of(
                writer.mutation("roof").timestamp(42).insert(1).set("celsius", 1.0).build(),
                writer.mutation("roof").timestamp(43).insert(2).ttl(1000).set("note", "n").build(),
                writer.mutation("roof").timestamp(44).insert(3).set("celsius", 2.0).build()));
    String now = Long.toString(Instant.now().getEpochSecond() - 10_000);

    assertThat(
            texts(
                read(directory)
                    .select("day", "writetime.celsius", "writetime.note", "ttl.celsius")))
        .containsExactly("[1,42,null,null]", "[2,null,43,null]", "[3,44,null,null]");
    Row expiring =
        read(Map.of("nowSeconds", now), directory)
            .filter("day = 2")
            .select("writetime", "ttl", "note")
            .head();
    assertThat(expiring.getStruct(0).toString()).isEqualTo("[null,43]");
    assertThat(expiring.getStruct(1).getInt(1)).isBetween(1000, 12_000);
    assertThat(read(directory).columns()).containsExactly("sensor", "day", "celsius", "note");
  }

  @Test
  void whatHasExpiredByTheTimeOfTheJobIsNotRead() throws IOException {
    Tables.add(
        directory,
        READINGS,
        writer ->
            List.of(
                writer.mutation("roof").ttl(100).insert(1).build(),
                writer.mutation("roof").insert(2).build()));
    long later = Instant.now().getEpochSecond() + 1000;

    assertThat(read(directory).count()).isEqualTo(2);
    assertThat(read(Map.of("nowSeconds", Long.toString(later)), directory).count()).isEqualTo(1);
  }

  @Test
  void definitionIsOfTheHeadersOrTheOptionWhereNoFileHasIt() throws IOException {
    Tables.add(
        directory,
        READINGS,
        writer -> List.of(writer.mutation("roof").insert(1).set("celsius", 20.5).build()));
    Files.delete(directory.resolve("schema.cql"));

    assertThat(read(directory).columns()).containsExactly("key", "clustering1", "celsius", "note");
    assertThat(texts(read(directory))).containsExactly("[roof,1,20.5,null]");
    assertThat(read(Map.of("schema", READINGS.toCql()), directory).columns())
        .containsExactly("sensor", "day", "celsius", "note");
    assertThatThrownBy(() -> read(Map.of("schema", "CREATE TABLE"), directory))
        .hasMessageContaining("option schema");
  }

  @Test
  void definitionsThatDifferAreAnErrorThatNamesBoth() throws IOException {
    Path one = Tables.define(directory.resolve("one"), READINGS);
    Path other =
        Tables.define(
            directory.resolve("other"),
            Tables.parse("CREATE TABLE ks.readings (sensor text PRIMARY KEY)"));

    assertThatThrownBy(() -> read(Map.of(), one, other))
        .hasMessageContaining(one + "/schema.cql")
        .hasMessageContaining(other + "/schema.cql");
  }

  @Test
  void schemaOfTheProgramMustFit() throws IOException {
    Tables.add(directory, READINGS, writer -> List.of(writer.mutation("roof").insert(1).build()));
    StructType some = new StructType().add("day", DataTypes.IntegerType);
    StructType wrong = new StructType().add("day", DataTypes.StringType);

    assertThat(
            LocalSpark.session()
                .read()
                .schema(some)
                .format("sstable")
                .load(directory.toString())
                .collectAsList()
                .toString())
        .isEqualTo("[[1]]");
    assertThatThrownBy(
            () ->
                LocalSpark.session()
                    .read()
                    .schema(wrong)
                    .format("sstable")
                    .load(directory.toString())
                    .collect())
        .hasStackTraceContaining("column day is asked for as STRING");
  }

  @Test
  void directoryWithoutAnythingIsAnErrorAndAnEmptyTableIsNot() throws IOException {
    Path missing = directory.resolve("missing");
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path table = Tables.define(directory.resolve("table"), READINGS);

    assertThatThrownBy(() -> read(missing)).hasMessageContaining(missing.toString());
    assertThatThrownBy(() -> read(empty)).hasMessageContaining(empty + " has neither SSTables");
    assertThat(read(table).count()).isZero();
    assertThat(texts(read(table))).isEmpty();
  }

  @Test
  void filesOfOtherFileSystemsAreReadThroughHadoop() throws IOException {
    Path local = Everything.make(directory);

    assertThat(texts(read("other://" + local).drop("bl")))
        .isEqualTo(texts(read("file://" + local).drop("bl")));
    assertThat(read(Map.of("splitBytes", "1"), "other://" + local).count()).isEqualTo(3);
    assertThatThrownBy(() -> read("other://" + local + "/missing"))
        .hasMessageContaining("other:" + local + "/missing");
  }

  @Test
  void optionsThatAreWrongAreNamed() {
    assertThatThrownBy(() -> read(Map.of("splitByte", "1"), directory))
        .hasMessageContaining("no option 'splitByte'");
    assertThatThrownBy(() -> read(Map.of("numbersAsText", "yes"), directory))
        .hasMessageContaining("option numbersAsText is 'yes', allowed true or false");
    assertThatThrownBy(() -> LocalSpark.session().read().format("sstable").load())
        .hasMessageContaining("needs the path");
  }
}
