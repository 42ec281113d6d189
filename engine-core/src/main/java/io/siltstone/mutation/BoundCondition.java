package io.siltstone.mutation;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Condition} of a conditional write, bound to a table. Immutable, safe for use by all
 * threads.
 */
@FunctionalInterface
public interface BoundCondition {

  /**
   * Returns whether a row meets the condition.
   *
   * @param row the present row, null if it does not exist
   */
  boolean holds(@Nullable ColumnValues row);
}
