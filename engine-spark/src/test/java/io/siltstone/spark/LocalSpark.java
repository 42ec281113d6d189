package io.siltstone.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The session of all tests of a JVM: two threads, no user interface. */
final class LocalSpark {
  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2]")
          .appName("tests")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", "2")
          .config("spark.sql.session.timeZone", "UTC")
          // Most queries run once, so that compiled code would not make up for the compiler.
          .config("spark.sql.codegen.wholeStage", "false")
          .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
          .config("spark.hadoop.fs.other.impl", OtherFileSystem.class.getName())
          .getOrCreate();

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }

  static Dataset<Row> read(Object path) {
    return read(Map.of(), path);
  }

  static Dataset<Row> read(Map<String, String> options, Object... paths) {
    List<String> all = new ArrayList<>();
    for (Object path : paths) {
      all.add(path.toString());
    }
    return SESSION.read().format("sstable").options(options).load(all.toArray(String[]::new));
  }

  /** Returns the rows as text, sorted. */
  static List<String> texts(Dataset<Row> frame) {
    return frame.collectAsList().stream().map(Row::toString).sorted().toList();
  }
}
