package io.siltstone.spark.read;

import io.siltstone.rows.Query;
import io.siltstone.schema.Column;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.spark.types.SparkTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Collects what Spark pushes down to a scan of a table: predicates of the primary key, columns, a
 * limit, and aggregates that statistics answer. Used by one thread.
 */
public final class SSTableScanBuilder
    implements SupportsPushDownV2Filters,
        SupportsPushDownRequiredColumns,
        SupportsPushDownLimit,
        SupportsPushDownAggregates {
  private final SourceTable table;
  private final SourceOptions options;
  private final long nowSeconds;
  private StructType type;
  private Pushdown pushdown;
  private long limit = Query.NO_LIMIT;
  private @Nullable AnsweredScan answer;

  /**
   * @param table as the driver has listed it for this scan
   * @param type the columns, unless Spark asks for fewer
   * @param nowSeconds by which data has expired, in seconds since 1970
   */
  public SSTableScanBuilder(
      SourceTable table, StructType type, SourceOptions options, long nowSeconds) {
    this.table = table;
    this.type = type;
    this.options = options;
    this.nowSeconds = nowSeconds;
    this.pushdown = Pushdown.of(table.schema(), table.partitioner(), new Predicate[0]);
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    pushdown = Pushdown.of(table.schema(), table.partitioner(), predicates);
    return pushdown.left().toArray(new Predicate[0]);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushdown.pushed().toArray(new Predicate[0]);
  }

  /**
   * Takes the columns that are needed. Spark may need some fields only of a column's values: all of
   * them are read nevertheless, since values are decoded whole.
   */
  @Override
  public void pruneColumns(StructType requiredSchema) {
    StructType whole = new StructType();
    for (StructField field : requiredSchema.fields()) {
      DataType ofField =
          table
              .schema()
              .column(field.name())
              .map(column -> SparkTypes.of(column.type(), options.areNumbersText()))
              .orElse(field.dataType());
      whole = whole.add(field.name(), ofField, field.nullable(), field.metadata());
    }
    type = whole;
  }

  /** Takes a limit: each task ends after so many rows, and Spark ends after as many of all. */
  @Override
  public boolean pushLimit(int rows) {
    limit = Math.max(1, rows);
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    return answer(aggregation) != null;
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    answer = answer(aggregation);
    return answer != null;
  }

  /** Returns the row that statistics prove to be the result; null if they do not. */
  private @Nullable AnsweredScan answer(Aggregation aggregation) {
    if (aggregation.groupByExpressions().length > 0
        || pushdown.keys() != null
        || !pushdown.rows().isEmpty()
        || !pushdown.left().isEmpty()
        || !pushdown.tokens().equals(TokenBounds.ALL)
        || options.firstToken().isPresent()
        || options.lastToken().isPresent()) {
      return null;
    }
    StructType resultType = new StructType();
    List<Object> values = new ArrayList<>();
    for (AggregateFunc function : aggregation.aggregateExpressions()) {
      Optional<Object> value;
      DataType valueType = DataTypes.LongType;
      try {
        if (function instanceof CountStar) {
          OptionalLong rows = new StatisticsProof(table).rows();
          value = rows.isPresent() ? Optional.of(rows.getAsLong()) : Optional.empty();
        } else {
          Optional<Column> column = extremeOf(function);
          if (column.isEmpty()) {
            return null;
          }
          valueType = SparkTypes.of(column.get().type(), options.areNumbersText());
          value = new StatisticsProof(table).extreme(column.get(), function instanceof Max);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (value.isEmpty()) {
        return null;
      }
      values.add(value.get());
      resultType = resultType.add(function.toString(), valueType, true);
    }
    InternalRow row = new GenericInternalRow(values.toArray());
    return new AnsweredScan(table.path(), resultType, row);
  }

  private Optional<Column> extremeOf(AggregateFunc function) {
    if (function instanceof Min least) {
      return KeyCondition.column(least.column(), table.schema());
    }
    return function instanceof Max greatest
        ? KeyCondition.column(greatest.column(), table.schema())
        : Optional.empty();
  }

  @Override
  public Scan build() {
    AnsweredScan answered = answer;
    if (answered != null) {
      return answered;
    }
    ScanPlan plan =
        new ScanPlan(
            new ScanPlan.Files(
                table.storage(), table.path(), table.others(), table.schema().toCql()),
            new ScanPlan.Selection(type, pushdown.rows(), pushdown.keys() != null, limit),
            new ScanPlan.Settings(
                nowSeconds, options.areNumbersText(), options.batchRows(), options.skipsDamage()));
    return new SSTableScan(table, options, plan, pushdown);
  }
}
