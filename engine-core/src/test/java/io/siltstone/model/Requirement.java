package io.siltstone.model;

import io.siltstone.mutation.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What a conditional write asks of a row.
 *
 * @param column of none for the two that ask whether the row exists
 */
public record Requirement(Kind kind, String column, @Nullable Object value) {

  /** Kinds of requirements. */
  public enum Kind {
    EXISTS,
    NOT_EXISTS,
    EQUAL,
    NOT_EQUAL,
    LESS,
    AT_LEAST
  }

  /**
   * Whether it is met.
   *
   * @param exists whether there is a row
   * @param present value of the column
   */
  public boolean holds(boolean exists, @Nullable Object present) {
    return switch (kind) {
      case EXISTS -> exists;
      case NOT_EXISTS -> !exists;
      case EQUAL -> value == null ? present == null : value.equals(present);
      case NOT_EQUAL -> value == null ? present != null : !value.equals(present);
      case LESS -> value != null && present != null && Values.compare(present, value) < 0;
      case AT_LEAST -> value != null && present != null && Values.compare(present, value) >= 0;
    };
  }

  /** The same for an engine. */
  public Condition condition() {
    return switch (kind) {
      case EXISTS -> Condition.exists();
      case NOT_EXISTS -> Condition.notExists();
      case EQUAL -> Condition.equal(column, value);
      case NOT_EQUAL -> Condition.notEqual(column, value);
      case LESS -> Condition.less(column, required());
      case AT_LEAST -> Condition.atLeast(column, required());
    };
  }

  private Object required() {
    if (value == null) {
      throw new IllegalStateException(this + " without a value");
    }
    return value;
  }

  @Override
  public String toString() {
    return kind == Kind.EXISTS || kind == Kind.NOT_EXISTS
        ? kind.toString()
        : column + " " + kind + " " + value;
  }
}
