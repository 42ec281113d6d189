package io.siltstone.interop;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** The session of Spark in this JVM, and what tests do with it. */
final class SparkJob {
  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2]")
          .appName("interop")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.session.timeZone", "UTC")
          // Most queries run once, so that compiled code would not make up for the compiler.
          .config("spark.sql.codegen.wholeStage", System.getProperty("interop.speed", "false"))
          .config(
              "spark.sql.codegen.factoryMode",
              Boolean.getBoolean("interop.speed") ? "FALLBACK" : "NO_CODEGEN")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
          .getOrCreate();

  private SparkJob() {}

  static SparkSession session() {
    return SESSION;
  }

  /**
   * Reads directories of a table; numbers of any length are strings.
   *
   * @param nowSeconds decides what has expired, in seconds since 1970
   */
  static Dataset<Row> read(long nowSeconds, Path... directories) {
    return read(nowSeconds, Map.of(), directories);
  }

  /** Reads with further options. */
  static Dataset<Row> read(long nowSeconds, Map<String, String> options, Path... directories) {
    return SESSION
        .read()
        .format("sstable")
        .options(options)
        .option("numbersAsText", "true")
        // Several tasks for most tables.
        .option("splitBytes", "20000")
        .option("nowSeconds", Long.toString(nowSeconds))
        .load(Stream.of(directories).map(Path::toString).toArray(String[]::new));
  }

  static void append(Dataset<Row> rows, Path directory, Map<String, String> options) {
    rows.write()
        .format("sstable")
        .mode(SaveMode.Append)
        .options(options)
        .save(directory.toString());
  }

  /** Returns the rows as {@link CanonicalRow}s, sorted. */
  static List<String> texts(Dataset<Row> frame) {
    return Arrays.stream(frame.queryExecution().executedPlan().executeCollect())
        .map(row -> CanonicalRow.of(row, frame.schema()))
        .sorted()
        .toList();
  }
}
