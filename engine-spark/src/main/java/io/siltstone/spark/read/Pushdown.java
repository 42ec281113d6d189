package io.siltstone.spark.read;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.Query;
import io.siltstone.rows.QueryFactory;
import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.TableColumns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The push-down of predicates: those of the primary key that the engine decides by reading less. An
 * example, with the primary key {@code ((sensor), day, time)}:
 *
 * <pre>
 *   sensor IN ('a', 'b')         two partitions
 *   day = 5 AND time &gt;= 8        a range of the rows of each
 *   time &gt;= 8 alone              left to Spark: rows are in the order of day first
 *   celsius &gt; 20                 left to Spark: not of the primary key
 *   token(sensor) &gt; 0            a range of partitions
 * </pre>
 *
 * A predicate that is pushed down is not evaluated again by Spark, except an upper bound without a
 * lower one, if values may be empty: these are the least, and null in Spark.
 */
final class Pushdown {
  /** The maximum number of partitions that are read one by one rather than by a scan. */
  private static final int MOST_KEYS = 10_000;

  /** The maximum number of ranges of rows of each partition. */
  private static final int MOST_RANGES = 1000;

  private static final String NOT_NULL = "IS_NOT_NULL";

  private final TableSchema schema;
  private final List<KeyCondition> conditions = new ArrayList<>();
  private final List<Predicate> notNull = new ArrayList<>();
  private final List<Predicate> left = new ArrayList<>();
  private final List<Predicate> pushed = new ArrayList<>();
  // Clustering columns of which the ranges of rows contain no empty value.
  private final Set<Column> notEmpty = new HashSet<>();
  private @Nullable List<PartitionKey> keys;
  private TokenBounds tokens = TokenBounds.ALL;
  private List<RowRange> rows = List.of();

  private Pushdown(TableSchema schema) {
    this.schema = schema;
  }

  /** Divides predicates into those that are pushed down and those that are left to Spark. */
  static Pushdown of(TableSchema schema, Partitioner partitioner, Predicate[] predicates) {
    Pushdown pushdown = new Pushdown(schema);
    for (Predicate predicate : predicates) {
      Optional<KeyCondition> condition = KeyCondition.of(predicate, schema);
      Optional<TokenBounds> bounds = TokenBounds.of(predicate, schema, partitioner);
      if (bounds.isPresent()) {
        pushdown.restrictTokens(predicate, bounds.get());
      } else if (condition.isPresent()) {
        pushdown.conditions.add(condition.get());
      } else if (predicate.name().equals(NOT_NULL)) {
        pushdown.notNull.add(predicate);
      } else {
        pushdown.left.add(predicate);
      }
    }
    pushdown.restrictKeys(partitioner);
    pushdown.restrictRows();
    pushdown.conditions.forEach(condition -> pushdown.left.add(condition.predicate()));
    pushdown.notNull.forEach(pushdown::placeNotNull);
    return pushdown;
  }

  private void restrictTokens(Predicate predicate, TokenBounds bounds) {
    tokens = tokens.and(bounds);
    pushed.add(predicate);
    if (schema.partitionKeyColumns().stream()
        .anyMatch(column -> TableColumns.mayBeEmpty(schema, column))) {
      // An empty value is null in Spark, and so is its token, which no comparison is true of.
      left.add(predicate);
    }
  }

  private void restrictKeys(Partitioner partitioner) {
    List<KeyCondition> used = new ArrayList<>();
    List<List<Object>> values = List.of(List.of());
    for (Column column : schema.partitionKeyColumns()) {
      Optional<KeyCondition> equal = find(column, KeyCondition.Operator.IN);
      if (equal.isEmpty() || (long) values.size() * equal.get().values().size() > MOST_KEYS) {
        return;
      }
      used.add(equal.get());
      values = product(values, equal.get().values());
    }
    TreeSet<PartitionKey> found = new TreeSet<>();
    QueryFactory queries = new QueryFactory(schema, partitioner);
    for (List<Object> of : values) {
      try {
        Query query = queries.query().partition(of.toArray()).build();
        query.partitionKey().ifPresent(found::add);
      } catch (IllegalArgumentException e) {
        // No partition can have this key, as an empty one.
      }
    }
    keys = List.copyOf(found);
    used.forEach(this::push);
  }

  private static List<List<Object>> product(List<List<Object>> values, List<Object> next) {
    List<List<Object>> longer = new ArrayList<>();
    for (List<Object> each : values) {
      for (Object value : next) {
        List<Object> one = new ArrayList<>(each);
        one.add(value);
        longer.add(one);
      }
    }
    return longer;
  }

  private void restrictRows() {
    List<RowRange> ranges = List.of(RowRange.ALL);
    for (Column column : schema.clusteringColumns()) {
      Optional<KeyCondition> equal = find(column, KeyCondition.Operator.IN);
      if (equal.isPresent() && (long) ranges.size() * equal.get().values().size() <= MOST_RANGES) {
        List<RowRange> longer = new ArrayList<>();
        for (RowRange range : ranges) {
          equal.get().values().forEach(value -> longer.add(range.with(value)));
        }
        ranges = longer;
        notEmpty.add(column);
        push(equal.get());
        continue;
      }
      ranges = bounded(ranges, column);
      break;
    }
    rows = ranges.stream().anyMatch(RowRange::isAll) ? List.of() : List.copyOf(ranges);
  }

  private List<RowRange> bounded(List<RowRange> ranges, Column column) {
    KeyCondition lower =
        conditions.stream()
            .filter(each -> each.column().equals(column) && each.operator().isLower())
            .findFirst()
            .orElse(null);
    KeyCondition upper =
        conditions.stream()
            .filter(each -> each.column().equals(column) && each.operator().isUpper())
            .findFirst()
            .orElse(null);
    if (lower != null) {
      notEmpty.add(column);
      push(lower);
    }
    if (upper != null) {
      push(upper);
      if (lower == null && TableColumns.mayBeEmpty(schema, column)) {
        left.add(upper.predicate());
      }
    }
    return ranges.stream()
        .map(
            range ->
                new RowRange(
                    range.prefix(),
                    lower == null ? null : lower.values().get(0),
                    lower == null || lower.operator() == KeyCondition.Operator.FROM,
                    upper == null ? null : upper.values().get(0),
                    upper == null || upper.operator() == KeyCondition.Operator.TO))
        .toList();
  }

  private Optional<KeyCondition> find(Column column, KeyCondition.Operator operator) {
    return conditions.stream()
        .filter(each -> each.column().equals(column) && each.operator() == operator)
        .findFirst();
  }

  private void push(KeyCondition condition) {
    conditions.remove(condition);
    pushed.add(condition.predicate());
  }

  private void placeNotNull(Predicate predicate) {
    Optional<Column> column = KeyCondition.column(predicate.children()[0], schema);
    (column.isPresent() && isNeverNull(column.get()) ? pushed : left).add(predicate);
  }

  /**
   * Returns whether a column is null in no row. Those of the primary key are null if they are
   * empty; a clustering is so also in a row that stands for a partition with nothing but static
   * columns, which a restriction of rows leaves out.
   */
  private boolean isNeverNull(Column column) {
    return switch (column.kind()) {
      case PARTITION_KEY -> keys != null || !TableColumns.mayBeEmpty(schema, column);
      case CLUSTERING ->
          (!schema.hasStatic() || !rows.isEmpty())
              && (notEmpty.contains(column) || !TableColumns.mayBeEmpty(schema, column));
      case STATIC, REGULAR -> false;
    };
  }

  /** Returns the predicates that Spark evaluates. */
  List<Predicate> left() {
    return left;
  }

  /** Returns the predicates that were pushed down. */
  List<Predicate> pushed() {
    return pushed;
  }

  /** Returns the partitions that are read, in order; null for all. */
  @Nullable List<PartitionKey> keys() {
    return keys;
  }

  /** Returns the tokens of the partitions that are read. */
  TokenBounds tokens() {
    return tokens;
  }

  /** Returns the ranges of rows that are read of each partition; empty for all rows. */
  List<RowRange> rows() {
    return rows;
  }
}
