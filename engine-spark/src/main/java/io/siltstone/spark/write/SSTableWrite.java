package io.siltstone.spark.write;

import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import org.apache.spark.sql.connector.distributions.Distribution;
import org.apache.spark.sql.connector.distributions.Distributions;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.RequiresDistributionAndOrdering;

/**
 * A write of a data frame, whose rows Spark brings together by the partition key: each partition
 * becomes part of one SSTable. Tasks sort their rows themselves.
 */
final class SSTableWrite implements RequiresDistributionAndOrdering {
  private final WritePlan plan;
  private final TableSchema schema;
  private final Publication publication;

  SSTableWrite(WritePlan plan, TableSchema schema, Publication publication) {
    this.plan = plan;
    this.schema = schema;
    this.publication = publication;
  }

  @Override
  public String description() {
    return "sstable " + plan.target() + (publication.overwrites() ? ", overwritten" : "");
  }

  @Override
  public Distribution requiredDistribution() {
    return Distributions.clustered(
        schema.partitionKeyColumns().stream()
            .map(Column::name)
            .map(name -> Expressions.column('`' + name.replace("`", "``") + '`'))
            .toArray(Expression[]::new));
  }

  @Override
  public SortOrder[] requiredOrdering() {
    return new SortOrder[0];
  }

  @Override
  public BatchWrite toBatch() {
    return new SSTableBatchWrite(plan, publication);
  }
}
