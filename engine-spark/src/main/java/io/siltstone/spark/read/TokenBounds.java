package io.siltstone.spark.read;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.token.TokenFunctions;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.LongType;

/**
 * A range of tokens. It is empty if the last one is before the first one.
 *
 * @param first inclusive
 * @param last inclusive
 */
record TokenBounds(long first, long last) {
  /** All tokens. */
  static final TokenBounds ALL = new TokenBounds(Long.MIN_VALUE, Long.MAX_VALUE);

  private static final TokenBounds NONE = new TokenBounds(Long.MAX_VALUE, Long.MIN_VALUE);

  /** Returns whether it has no token. */
  boolean isEmpty() {
    return first > last;
  }

  /** Returns whether it has a token. */
  boolean contains(long token) {
    return token >= first && token <= last;
  }

  /** Returns the tokens that both have. */
  TokenBounds and(TokenBounds other) {
    return new TokenBounds(Math.max(first, other.first), Math.min(last, other.last));
  }

  /**
   * Returns the tokens for which a predicate holds; empty if it is none that compares the token of
   * the table's partition key with a number.
   */
  static Optional<TokenBounds> of(Predicate predicate, TableSchema schema, Partitioner by) {
    Expression[] children = predicate.children();
    if (children.length != 2) {
      return Optional.empty();
    }
    if (isNumber(children[1]) && TokenFunctions.isTokenOf(children[0], schema, by)) {
      return of(predicate.name(), number(children[1]));
    }
    return isNumber(children[0]) && TokenFunctions.isTokenOf(children[1], schema, by)
        ? of(flipped(predicate.name()), number(children[0]))
        : Optional.empty();
  }

  private static boolean isNumber(Expression expression) {
    return expression instanceof Literal<?> literal
        && literal.dataType() instanceof LongType
        && literal.value() != null;
  }

  private static long number(Expression literal) {
    return (Long) ((Literal<?>) literal).value();
  }

  private static String flipped(String operator) {
    return switch (operator) {
      case ">" -> "<";
      case ">=" -> "<=";
      case "<" -> ">";
      case "<=" -> ">=";
      default -> operator;
    };
  }

  private static Optional<TokenBounds> of(String operator, long token) {
    return switch (operator) {
      case "=", "<=>" -> Optional.of(new TokenBounds(token, token));
      case ">=" -> Optional.of(new TokenBounds(token, Long.MAX_VALUE));
      case "<=" -> Optional.of(new TokenBounds(Long.MIN_VALUE, token));
      case ">" ->
          Optional.of(token == Long.MAX_VALUE ? NONE : new TokenBounds(token + 1, Long.MAX_VALUE));
      case "<" ->
          Optional.of(token == Long.MIN_VALUE ? NONE : new TokenBounds(Long.MIN_VALUE, token - 1));
      default -> Optional.empty();
    };
  }
}
