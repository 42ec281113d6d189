package io.siltstone.spark.driver;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** A job in a JVM of its own that writes a partition of many rows, and reads it again. */
public final class WideJob {
  private WideJob() {}

  /**
   * Runs the job.
   *
   * @param arguments the target, and the number of rows
   */
  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]);
    long rows = Long.parseLong(arguments[1]);
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("wide")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate()) {
      spark
          .range(0, rows, 1, 4)
          .selectExpr("'p' AS k", "id AS c", "concat('value of ', id) AS v")
          .write()
          .format("sstable")
          .mode(SaveMode.Append)
          .option("schema", "CREATE TABLE ks.t (k text, c bigint, v text, PRIMARY KEY (k, c))")
          .save(target.toString());
      System.out.println("written");
      Row row =
          spark
              .read()
              .format("sstable")
              .load(target.toString())
              .selectExpr("count(v)", "sum(c)", "max(octet_length(v))", "count(DISTINCT k)")
              .head();
      String found = row.toString();
      String expected =
          List.of(rows, rows * (rows - 1) / 2, ("value of " + (rows - 1)).length(), 1).toString();
      if (!found.replace(",", ", ").equals(expected)) {
        throw new AssertionError(found + " instead of " + expected);
      }
      System.out.println("read again");
    }
  }
}
