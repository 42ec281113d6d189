package io.siltstone.spark.read;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.token.RangeFunction;
import io.siltstone.spark.token.TokenRanges;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.connector.read.partitioning.Partitioning;
import org.apache.spark.sql.connector.read.partitioning.UnknownPartitioning;

/**
 * The partitioning of rows that a scan reports, so that Spark need not shuffle them. No ordering is
 * reported: rows of different keys are in the order of tokens, which is of no use to Spark, and it
 * sorts what one partition has in any case, since it does not know that there is one task only.
 */
final class ReportedPartitioning {
  private ReportedPartitioning() {}

  /**
   * Returns the partitioning of a scan.
   *
   * @param ranges that no task reads more than one of; empty if tasks are not divided so
   */
  static Partitioning of(
      TableSchema schema, Partitioner partitioner, Optional<TokenRanges> ranges) {
    Optional<RangeFunction> function =
        ranges.flatMap(each -> RangeFunction.of(schema, partitioner, each));
    if (function.isEmpty()) {
      return new UnknownPartitioning(0);
    }
    String name = schema.partitionKeyColumns().get(0).name();
    Expression key = Expressions.column('`' + name.replace("`", "``") + '`');
    return new KeyGroupedPartitioning(
        new Expression[] {Expressions.apply(function.get().name(), key)},
        ranges.orElseThrow().count());
  }
}
