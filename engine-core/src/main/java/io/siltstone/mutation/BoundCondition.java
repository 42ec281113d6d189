package io.siltstone.mutation;

import org.jspecify.annotations.Nullable;

/** A {@link Condition} on rows of a certain table. Immutable, safe for all threads. */
@FunctionalInterface
public interface BoundCondition {

  /**
   * Whether a row fulfils it.
   *
   * @param row as it is now, null if it does not exist
   */
  boolean holds(@Nullable ColumnValues row);
}
