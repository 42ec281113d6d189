package io.siltstone.spark.read;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The metric of a scan that says how much damage was skipped: the bytes of the files of SSTables
 * that could not be opened, and, in each task, of those that could not be read to their end. Spark
 * creates it by its name.
 */
public final class SkippedBytesMetric extends CustomSumMetric {
  private static final String NAME = "skippedBytes";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "bytes of damaged SSTables that were skipped";
  }

  /** Returns a value of the metric. */
  static CustomTaskMetric of(long bytes) {
    return new CustomTaskMetric() {
      @Override
      public String name() {
        return NAME;
      }

      @Override
      public long value() {
        return bytes;
      }
    };
  }
}
