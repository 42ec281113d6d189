package io.siltstone.spark.read;

import io.siltstone.rows.Query;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spi.LiveTable;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of a table: what is read is decided, and the table is divided when the job begins.
 * Immutable.
 */
final class SSTableScan implements Scan, SupportsReportStatistics {
  private final SourceTable table;
  private final SourceOptions options;
  private final ScanPlan plan;
  private final Pushdown pushdown;

  SSTableScan(SourceTable table, SourceOptions options, ScanPlan plan, Pushdown pushdown) {
    this.table = table;
    this.options = options;
    this.plan = plan;
    this.pushdown = pushdown;
  }

  @Override
  public StructType readSchema() {
    return plan.selection().type();
  }

  @Override
  public String description() {
    return "sstable "
        + table.path()
        + ", columns "
        + Arrays.toString(plan.selection().type().fieldNames())
        + ", pushed down "
        + pushdown.pushed()
        + (plan.selection().limit() == Query.NO_LIMIT ? "" : ", limit " + plan.selection().limit());
  }

  /**
   * Returns the sum of the rows of all SSTables, and of their bytes before compression. Rows that
   * several SSTables have are counted in each.
   */
  @Override
  public Statistics estimateStatistics() {
    long bytes = table.statistics().stream().mapToLong(each -> each.size().dataBytes()).sum();
    long rows = table.statistics().stream().mapToLong(LiveTable::rows).sum();
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(bytes);
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(rows);
      }
    };
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return new CustomMetric[] {new SkippedBytesMetric()};
  }

  @Override
  public CustomTaskMetric[] reportDriverMetrics() {
    return new CustomTaskMetric[] {SkippedBytesMetric.of(table.skippedBytes())};
  }

  @Override
  public Batch toBatch() {
    return new SSTableBatch(table, options, plan, pushdown.keys());
  }
}
