package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.texts;
import static io.siltstone.spark.Tables.READINGS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
  void nodesOfACluster() throws IOException {
    String node1 = table("node1", "roof");
    String node2 = table("node2", "roof");
    String node3 = table("node3", "cellar");
    Dataset<Row> cluster = spark.read().format("sstable").load(node1, node2, node3);
    assertThat(cluster.count()).isEqualTo(4);
  }
}
