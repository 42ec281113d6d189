package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/spark.md}, which a test of the documentation looks up here. */
final class ExamplesTest {
  private final SparkSession spark = LocalSpark.session();

  @TempDir Path directory;

  private String table(String name, String sensor) throws IOException {
    return Tables.add(
            directory.resolve(name),
            READINGS,
            writer ->
                List.of(
                    writer.mutation(sensor).insert(299).set("celsius", 19.5).build(),
                    writer.mutation(sensor).insert(300).set("celsius", 20.5).build()))
        .toString();
  }

  @Test
  void readings() throws IOException {
    String snapshot = table("snapshot", "roof");
    Dataset<Row> readings = spark.read().format("sstable").load(snapshot);
    readings.where("sensor = 'roof' AND day >= 300").select("day", "celsius").show();
    assertThat(readings.where("sensor = 'roof' AND day >= 300").count()).isEqualTo(1);

    Dataset<Row> recent = readings.select("sensor", "celsius", "writetime.celsius", "ttl.celsius");
    assertThat(recent.count()).isEqualTo(2);
    assertThat(recent.head().getLong(2)).isPositive();

    readings.createOrReplaceTempView("readings");
    spark.sql("SELECT sensor, count(*), avg(celsius) FROM readings GROUP BY sensor").show();
    assertThat(
            texts(spark.sql("SELECT sensor, count(*), avg(celsius) FROM readings GROUP BY sensor")))
        .containsExactly("[roof,2,20.0]");
  }

  @Test
  void dataFrameAsSSTables() throws IOException {
    Dataset<Row> readings = spark.read().format("sstable").load(table("source", "roof"));
    String target = directory.resolve("target").toString();
    readings
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("partitionKey", "sensor")
        .option("clusteringKey", "day DESC")
        .save(target);
    assertThat(texts(LocalSpark.read(target))).isEqualTo(texts(readings));
  }

  @Test
  void valueIsDeleted() throws IOException {
    String target = table("target", "roof");
    spark
        .sql("SELECT 'roof' sensor, 300 day, CAST(NULL AS DOUBLE) celsius, 'update' op")
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("operationColumn", "op")
        .save(target);
    assertThat(texts(LocalSpark.read(target).select("day", "celsius")))
        .containsExactly("[299,19.5]", "[300,null]");
  }

  @Test
  void ringOfACluster() throws IOException {
    String ring =
        Files.writeString(
                directory.resolve("ring"),
                "TokenRange(start_token:0, end_token:9, endpoints:[10.0.0.1, 10.0.0.2])\n"
                    + "TokenRange(start_token:9, end_token:0, endpoints:[10.0.0.3])\n")
            .toString();
    Dataset<Row> readings = spark.read().format("sstable").load(table("source", "roof"));
    String schema = READINGS.toCql();
    String target = directory.resolve("target").toString();
    String nodes = directory.resolve("nodes").toString();
    readings
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("schema", schema)
        .option("ring", ring)
        .option("nodeDirectories", nodes)
        .save(target);
    String owner = directory.resolve("nodes/10.0.0.3/ks/readings").toString();
    assertThat(texts(LocalSpark.read(owner))).isEqualTo(texts(readings));

    String node1 = table("node1", "roof");
    String node2 = table("node2", "roof");
    Dataset<Row> uncovered =
        spark
            .read()
            .format("sstable")
            .option("ring", ring)
            .option("nodes", "10.0.0.1, 10.0.0.2")
            .option("content", "uncoveredRanges")
            .load(node1, node2);
    uncovered.select("start", "end", "nodes").show();
    assertThat(texts(uncovered)).containsExactly("[9,0,ArraySeq(10.0.0.3)]");
  }

  @Test
  void tablesOfACatalog() throws IOException {
    String keyspaces = Files.createDirectory(directory.resolve("keyspaces")).toString();
    spark.conf().set("spark.sql.catalog.local", "io.siltstone.spark.SiltstoneCatalog");
    spark.conf().set("spark.sql.catalog.local.path", keyspaces);
    spark.conf().set("spark.sql.catalog.local.tokenRanges", "16");

    spark.sql("CREATE NAMESPACE local.app");
    spark.sql(
        "CREATE TABLE local.app.readings (sensor STRING, day INT, celsius DOUBLE)"
            + " TBLPROPERTIES (partitionKey = 'sensor', clusteringKey = 'day DESC')");
    spark.sql("INSERT INTO local.app.readings VALUES ('roof', 300, 20.5), ('cellar', 300, 12.0)");
    spark.sql("SHOW TABLES IN local.app").show();
    spark.sql("SELECT day, celsius, writetime.celsius FROM local.app.readings").show();
    assertThat(spark.table("local.app.readings").count()).isEqualTo(2);

    spark
        .sql(
            "SELECT sensor, local.app.readings.token(sensor) FROM local.app.readings"
                + " WHERE local.app.readings.token(sensor) > 0")
        .show();
    spark.sql(
        "CREATE TABLE local.app.owners TBLPROPERTIES (partitionKey = 'sensor')"
            + " AS SELECT 'roof' sensor, 'Ann' name");
    spark.conf().set("spark.sql.sources.v2.bucketing.enabled", "true");
    spark
        .sql(
            "SELECT r.day, o.name FROM local.app.readings r JOIN local.app.owners o"
                + " ON r.sensor = o.sensor")
        .show();
    spark.conf().unset("spark.sql.sources.v2.bucketing.enabled");
  }

  @Test
  void nodesOfACluster() throws IOException {
    String node1 = table("node1", "roof");
    String node2 = table("node2", "roof");
    String node3 = table("node3", "cellar");
    Dataset<Row> cluster = spark.read().format("sstable").load(node1, node2, node3);
    assertThat(cluster.count()).isEqualTo(4);
  }
}
