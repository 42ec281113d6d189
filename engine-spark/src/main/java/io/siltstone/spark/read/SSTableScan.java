package io.siltstone.spark.read;

import io.siltstone.rows.Query;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.token.TokenRanges;
import io.siltstone.spi.LiveTable;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.types.StructType;

/**
 * A scan of a table: what is read is decided, and the table is divided when the job begins.
 * Immutable.
 */
final class SSTableScan implements Scan, SupportsReportStatistics, SupportsReportPartitioning {
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

  /** Returns the token ranges that tasks are divided by; those that read single keys are not. */
  private Optional<TokenRanges> ranges() {
    return pushdown.keys() == null ? options.tokenRanges() : Optional.empty();
  }

  @Override
  public Partitioning outputPartitioning() {
    return ReportedPartitioning.of(table.schema(), table.partitioner(), ranges());
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
    TokenBounds asked =
        new TokenBounds(
            options.firstToken().orElse(Long.MIN_VALUE),
            options.lastToken().orElse(Long.MAX_VALUE));
    Division division =
        new Division(
            options.splitBytes(), asked.and(pushdown.tokens()), ranges(), options.skipsDamage());
    return new SSTableBatch(table, plan, pushdown.keys(), division);
  }
}
