package io.siltstone.model;

import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows whose clustering begins with some values, and whose next columns lie between two bounds, in
 * the order of the values.
 */
public record Rows(List<Object> prefix, @Nullable Bound lower, @Nullable Bound upper) {

  /** One side; compares as many columns behind the prefix as it has values. */
  public record Bound(List<Object> values, boolean inclusive) {}

  /** Whether a row with this clustering is one of them. */
  boolean contains(List<Object> clustering) {
    if (!clustering.subList(0, prefix.size()).equals(prefix)) {
      return false;
    }
    return (lower == null || compare(clustering, lower.values) >= (lower.inclusive ? 0 : 1))
        && (upper == null || compare(clustering, upper.values) <= (upper.inclusive ? 0 : -1));
  }

  private int compare(List<Object> clustering, List<Object> bound) {
    for (int i = 0; i < bound.size(); i++) {
      int order = Values.compare(clustering.get(prefix.size() + i), bound.get(i));
      if (order != 0) {
        return Integer.signum(order);
      }
    }
    return 0;
  }

  /** Conditions of a {@code WHERE} clause. */
  List<String> cql(TableSchema schema) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < prefix.size(); i++) {
      Column column = schema.clusteringColumns().get(i);
      conditions.add(column.name() + " = " + Values.literal(column, prefix.get(i)));
    }
    // CQL does not mix bounds of one column and of several.
    boolean tuples = Stream.of(lower, upper).anyMatch(b -> b != null && b.values.size() > 1);
    if (lower != null) {
      conditions.add(cql(schema, lower, ">", tuples));
    }
    if (upper != null) {
      conditions.add(cql(schema, upper, "<", tuples));
    }
    return conditions;
  }

  private String cql(TableSchema schema, Bound bound, String operator, boolean tuple) {
    List<Column> columns =
        schema.clusteringColumns().subList(prefix.size(), prefix.size() + bound.values.size());
    List<String> literals = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      literals.add(Values.literal(columns.get(i), bound.values.get(i)));
    }
    String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
    String values = String.join(", ", literals);
    String comparison = operator + (bound.inclusive ? "= " : " ");
    return tuple
        ? "(" + names + ") " + comparison + "(" + values + ")"
        : names + " " + comparison + values;
  }
}
