package io.siltstone.spark.read;

import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.KeyLiteral;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * A condition of one column of the primary key, which the engine can decide as Spark would.
 *
 * @param predicate of Spark that it stands for
 * @param column of the primary key
 * @param operator which of them
 * @param values one, or for {@link Operator#IN} any number, as the engine takes them
 */
record KeyCondition(
    Predicate predicate, Column column, KeyCondition.Operator operator, List<Object> values) {

  /** The operators that can be pushed down. */
  enum Operator {
    /** The value is one of several. */
    IN,
    /** The value is at least the given one. */
    FROM,
    /** The value is greater than the given one. */
    AFTER,
    /** The value is at most the given one. */
    TO,
    /** The value is less than the given one. */
    BEFORE;

    Operator flipped() {
      return switch (this) {
        case IN -> IN;
        case FROM -> TO;
        case AFTER -> BEFORE;
        case TO -> FROM;
        case BEFORE -> AFTER;
      };
    }

    boolean isLower() {
      return this == FROM || this == AFTER;
    }

    boolean isUpper() {
      return this == TO || this == BEFORE;
    }
  }

  /** Returns the condition that a predicate is; empty if the engine does not decide it. */
  static Optional<KeyCondition> of(Predicate predicate, TableSchema schema) {
    Operator operator =
        switch (predicate.name()) {
          case "=", "<=>", "IN" -> Operator.IN;
          case ">=" -> Operator.FROM;
          case ">" -> Operator.AFTER;
          case "<=" -> Operator.TO;
          case "<" -> Operator.BEFORE;
          default -> null;
        };
    Expression[] children = predicate.children();
    if (operator == null || children.length < 2) {
      return Optional.empty();
    }
    if (children.length == 2
        && children[0] instanceof Literal<?>
        && children[1] instanceof NamedReference) {
      return of(predicate, schema, operator.flipped(), children[1], List.of(children[0]));
    }
    return of(
        predicate, schema, operator, children[0], List.of(children).subList(1, children.length));
  }

  private static Optional<KeyCondition> of(
      Predicate predicate,
      TableSchema schema,
      Operator operator,
      Expression of,
      List<Expression> literals) {
    Optional<Column> column = column(of, schema).filter(Column::isPrimaryKey);
    if (column.isEmpty()) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>();
    for (Expression each : literals) {
      if (!(each instanceof Literal<?> literal)) {
        return Optional.empty();
      }
      Optional<Object> value = KeyLiteral.of(literal, column.get().type(), operator == Operator.IN);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(new KeyCondition(predicate, column.get(), operator, values));
  }

  /** Returns the column of the table that an expression refers to. */
  static Optional<Column> column(Expression expression, TableSchema schema) {
    return expression instanceof NamedReference reference && reference.fieldNames().length == 1
        ? schema.column(reference.fieldNames()[0])
        : Optional.empty();
  }
}
